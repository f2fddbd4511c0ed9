//! Form submissions: checks that a request is exactly the form that a person agreed to send to another origin.

use crate::element::{Elsewhere, Entries};
use base64::Engine;
use serde_json::Value;
use url::{Url, form_urlencoded};

/// A document request that is about to be sent.
pub(crate) struct Request {
    pub(crate) url: Url,
    /// The browser's id of the request. A redirect gets another id.
    pub(crate) id: String,
    /// The id of the request that was redirected to this one.
    pub(crate) redirected: Option<String>,
    method: String,
    content_type: String,
    body: Vec<u8>,
    /// The origin of the sending page, if the browser provides it.
    from: Option<String>,
}

impl Request {
    /// Parses the request from the event that announces it.
    pub(crate) fn of(params: &Value) -> Option<Self> {
        let request = &params["request"];
        let text = |value: &Value| value.as_str().map(str::to_owned);
        let headers = request["headers"].as_object();
        let header = |name: &str| {
            let mut all = headers.into_iter().flatten();
            all.find_map(|(key, value)| key.eq_ignore_ascii_case(name).then(|| text(value)).flatten())
        };
        // File contents are left out. Their names are in the surrounding lines.
        let pieces = request["postDataEntries"].as_array().into_iter().flatten();
        let pieces = pieces.filter_map(|piece| piece["bytes"].as_str());
        let decode = |piece: &str| base64::engine::general_purpose::STANDARD.decode(piece).ok();
        Some(Self {
            url: Url::parse(request["url"].as_str()?).ok()?,
            id: text(&params["requestId"])?,
            redirected: text(&params["redirectedRequestId"]),
            method: text(&request["method"]).unwrap_or_default(),
            content_type: header("content-type").unwrap_or_default(),
            body: pieces.filter_map(decode).flatten().collect(),
            from: header("origin").filter(|origin| origin != "null"),
        })
    }

    pub(crate) fn origin(&self) -> String {
        self.url.origin().ascii_serialization()
    }

    /// Returns whether the request carries content to an origin other than the sender's.
    pub(crate) fn is_posted_elsewhere(&self, page: &str) -> bool {
        self.method != "GET" && self.is_elsewhere(page)
    }

    /// Returns whether a page of this origin may have sent the request. Pages can hide that they sent it.
    pub(crate) fn may_be_from(&self, page: &str) -> bool {
        self.from.as_deref().is_none_or(|from| from == page)
    }

    /// Returns whether the request goes to an origin other than the sender's. `page` is the origin of the tab's page,
    /// used if the sender is unknown.
    pub(crate) fn is_elsewhere(&self, page: &str) -> bool {
        self.origin() != self.from.as_deref().unwrap_or(page)
    }

    /// Returns whether the request sends this form with exactly the content that was read from its fields.
    pub(crate) fn sends(&self, form: &Elsewhere) -> bool {
        let Ok(mut action) = Url::parse(&form.action) else { return false };
        let mut url = self.url.clone();
        url.set_fragment(None);
        action.set_fragment(None);
        if !self.method.eq_ignore_ascii_case(&form.method) {
            return false;
        }
        if self.method == "GET" {
            let sent = form_urlencoded::parse(url.query().unwrap_or_default().as_bytes());
            let sent = sent.map(|(name, value)| (name.into_owned(), value.into_owned())).collect();
            url.set_query(None);
            action.set_query(None);
            return url == action && is_content_of(&form.entries, sent);
        }
        let is_sent = match form.enctype.as_str() {
            "multipart/form-data" => self.parts().is_some_and(|sent| is_content_of(&form.entries, sent)),
            "text/plain" => self.is_lines_of(&form.entries),
            _ => {
                let sent = form_urlencoded::parse(&self.body);
                let sent = sent.map(|(name, value)| (name.into_owned(), value.into_owned()));
                is_content_of(&form.entries, sent.collect())
            }
        };
        url == action && self.content_type.starts_with(&form.enctype) && is_sent
    }

    /// Returns whether the body has a line for each entry. Values may contain line breaks.
    fn is_lines_of(&self, entries: &Entries) -> bool {
        let line = |(name, value): &(String, Option<String>)| Some(format!("{name}={}\n", value.as_ref()?));
        let expected: Option<String> = entries.0.iter().map(line).collect();
        expected.is_some_and(|expected| plain(&expected) == plain(&String::from_utf8_lossy(&self.body)))
    }

    /// Returns the names and values of a multipart body. The value of a file is its name.
    fn parts(&self) -> Option<Vec<(String, String)>> {
        let boundary = self.content_type.split("boundary=").nth(1)?;
        let text = String::from_utf8_lossy(&self.body);
        let body = text.strip_prefix(&format!("--{boundary}\r\n"))?;
        let body = body.strip_suffix(&format!("\r\n--{boundary}--\r\n"))?;
        let part = |part: &str| {
            let (head, value) = part.split_once("\r\n\r\n")?;
            let named = head.split("\r\n").find_map(|line| {
                let named =
                    line.strip_prefix("Content-Disposition:")?.trim_start().strip_prefix("form-data;")?;
                named.trim_start().strip_prefix("name=\"")?.strip_suffix('"')
            })?;
            let (name, value) = named.split_once("\"; filename=\"").unwrap_or((named, value));
            let plain = |text: &str| text.replace("%0D%0A", "\n").replace("%22", "\"");
            Some((plain(name), if name.len() == named.len() { value.to_owned() } else { plain(value) }))
        };
        body.split(&format!("\r\n--{boundary}\r\n")).map(part).collect()
    }
}

/// Normalizes line endings, which differ between reading a field and sending it.
fn plain(text: &str) -> String {
    text.replace("\r\n", "\n").replace('\r', "\n")
}

/// Returns whether the sent fields are those that were read from the form.
fn is_content_of(entries: &Entries, sent: Vec<(String, String)>) -> bool {
    entries.0.len() == sent.len()
        && entries.0.iter().zip(&sent).all(|((name, value), (sent_name, sent))| {
            plain(name) == plain(sent_name)
                && match value {
                    Some(value) => plain(value) == plain(sent),
                    None => sent.parse::<i64>().is_ok(),
                }
        })
}

/// What an action on a page may send: the form that a person approved, once.
pub(crate) struct Sending {
    /// The tab and its document when the action began.
    pub(crate) document: (u32, u64),
    /// The origin of that page.
    pub(crate) page: String,
    /// The form, until it is sent.
    pub(crate) form: Option<Elsewhere>,
}

/// A form on its way to the origin that a person saw.
pub(crate) struct InFlight {
    /// The id of the request, or of the last redirect.
    pub(crate) request: String,
    pub(crate) origin: String,
}

/// The classification of a document request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Sent {
    /// The approved form, or a redirect of its receiver within the same origin.
    Agreed,
    /// A form to another origin that was not approved, from a page that a call acted on.
    Otherwise,
    /// A request that is judged like any other.
    Usual,
}

#[cfg(test)]
mod tests;
