//! Places in the page that the desktop can open: from a link, a notification, a shortcut or the tray.

use url::Url;

/// The maximum length of an id, in bytes. Longer ids are invalid.
const MAX_ID_BYTES: usize = 128;

/// A place in the page. Opening a place only shows it; a link never performs an action.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    /// The current place.
    Here,
    /// The inbox.
    Inbox,
    /// The form for a new task.
    NewTask,
    /// A task.
    Task(String),
    /// A permission request or a question.
    Request(String),
}

impl Place {
    /// Parses `deputy://task/ID`, `deputy://request/ID`, `deputy://inbox` or `deputy://new`; anything else is `Here`.
    pub(crate) fn of_link(link: &str) -> Self {
        let Some(url) = Url::parse(link).ok().filter(|url| url.scheme() == "deputy") else {
            return Self::Here;
        };
        let id = url.path().trim_matches('/');
        let is_plain = id.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(&byte));
        let is_id = !id.is_empty() && id.len() <= MAX_ID_BYTES && is_plain;
        match (url.host_str(), is_id) {
            (Some("task"), true) => Self::Task(id.to_owned()),
            (Some("request"), true) => Self::Request(id.to_owned()),
            (Some("inbox"), _) => Self::Inbox,
            (Some("new"), _) => Self::NewTask,
            _ => Self::Here,
        }
    }

    /// Returns the hash that shows the place in the page. `None` if nothing should change.
    pub(crate) fn hash(&self) -> Option<String> {
        match self {
            Self::Here => None,
            Self::Inbox => Some("#/inbox".to_owned()),
            Self::NewTask => Some("#/new".to_owned()),
            Self::Task(id) => Some(format!("#/tasks/{id}")),
            Self::Request(id) => Some(format!("#/inbox/{id}")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_lead_to_places_and_nowhere_else() {
        let cases = [
            ("deputy://task/tmtfxp4fpnm", Some("#/tasks/tmtfxp4fpnm")),
            ("deputy://request/rjzg4jh06dh/", Some("#/inbox/rjzg4jh06dh")),
            ("deputy://inbox", Some("#/inbox")),
            ("deputy://new", Some("#/new")),
            ("deputy://task/", None),
            ("deputy://task/a/b", None),
            ("deputy://task/%22%3E%3Cscript%3E", None),
            ("deputy://approve/rjzg4jh06dh", None),
            ("https://task/tmtfxp4fpnm", None),
            ("deputy", None),
        ];
        for (link, hash) in cases {
            assert_eq!(Place::of_link(link).hash().as_deref(), hash, "{link}");
        }
    }
}
