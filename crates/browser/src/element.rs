//! References: elements of pages, with the information that was known when the reference was given.

use crate::BrowserError;
use deputy_messages::browser as say;
use serde::Deserialize;
use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// An element as it was last seen.
#[derive(Clone, Debug, PartialEq)]
pub struct PageElement {
    /// The role, e.g. `button`.
    pub role: String,
    /// The accessible name.
    pub name: String,
    /// The address of the page that contains it.
    pub page: String,
    /// The information that policy and approvals depend on.
    pub info: Info,
    pub(crate) session: String,
    pub(crate) frame: String,
    pub(crate) backend: i64,
    tab: u32,
    document: u64,
}

/// What must be known about an element before anything is done to it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
pub struct Info {
    /// `password`, `card` or `file` if the element accepts that kind of secret, otherwise empty.
    #[serde(default)]
    pub secret: String,
    /// The target of its form, if that is another origin than the page's.
    #[serde(default)]
    pub elsewhere: Option<Elsewhere>,
}

/// A form that goes to another origin.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct Elsewhere {
    /// The target origin.
    pub to: String,
    /// The full target address.
    pub(crate) action: String,
    /// The HTTP method.
    pub method: String,
    /// The encoding of the content.
    pub(crate) enctype: String,
    /// The names and values of what it sends, for people. Secret values are left out.
    pub fields: Vec<(String, String)>,
    /// The full content.
    pub(crate) entries: Entries,
    /// Whether the element itself submits the form.
    pub submits: bool,
}

/// The fields of a form in order. Values may be secret, so they are compared but never shown. A value is `None` if the
/// click determines it, such as the position in an image.
#[derive(Clone, Default, PartialEq, Eq, Deserialize)]
pub(crate) struct Entries(pub(crate) Vec<(String, Option<String>)>);

impl std::fmt::Debug for Entries {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(out, "{} entries", self.0.len())
    }
}

/// Parses the number of a reference. `None` for a selector or an empty text.
pub(crate) fn number(reference: &str) -> Option<u32> {
    let number = reference.trim().trim_start_matches(['@', '[']).trim_end_matches(']');
    number.strip_prefix('e')?.parse().ok()
}

/// The references that were given. Numbers are never reused.
#[derive(Default)]
pub(crate) struct References(Mutex<Given>);

#[derive(Default)]
struct Given {
    last: u32,
    elements: HashMap<u32, PageElement>,
    numbers: HashMap<(String, i64), u32>,
}

/// Where and when an element was seen.
pub(crate) struct Seen<'a> {
    pub(crate) tab: u32,
    pub(crate) document: u64,
    pub(crate) page: &'a str,
    pub(crate) session: &'a str,
    pub(crate) frame: &'a str,
    pub(crate) backend: i64,
    pub(crate) role: &'a str,
    pub(crate) name: &'a str,
    pub(crate) info: Info,
}

impl References {
    fn given(&self) -> MutexGuard<'_, Given> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the reference of an element. It is the same each time the element is seen.
    pub(crate) fn give(&self, seen: Seen<'_>) -> u32 {
        let mut given = self.given();
        let key = (seen.session.to_owned(), seen.backend);
        let number = match given.numbers.get(&key) {
            Some(number) => *number,
            None => {
                given.last += 1;
                let number = given.last;
                given.numbers.insert(key, number);
                number
            }
        };
        let element = PageElement {
            role: seen.role.to_owned(),
            name: seen.name.to_owned(),
            page: seen.page.to_owned(),
            info: seen.info,
            session: seen.session.to_owned(),
            frame: seen.frame.to_owned(),
            backend: seen.backend,
            tab: seen.tab,
            document: seen.document,
        };
        given.elements.insert(number, element);
        number
    }

    /// Records that a tab shows a new document. References to earlier documents become invalid.
    pub(crate) fn forget_before(&self, tab: u32, document: u64) {
        let mut given = self.given();
        given.elements.retain(|_, element| element.tab != tab || element.document == document);
        let Given { elements, numbers, .. } = &mut *given;
        numbers.retain(|_, number| elements.contains_key(number));
    }

    /// Returns the element as it was last seen, if it has a reference.
    pub(crate) fn known(&self, session: &str, backend: i64) -> Option<PageElement> {
        let given = self.given();
        let number = given.numbers.get(&(session.to_owned(), backend))?;
        given.elements.get(number).cloned()
    }

    /// Returns the element of a reference, e.g. `e12`.
    pub(crate) fn get(&self, reference: &str) -> Result<PageElement, BrowserError> {
        let number = number(reference)
            .ok_or_else(|| BrowserError::Unfit(say::no_reference(format!("{reference:?}"))))?;
        let element = self.given().elements.get(&number).cloned();
        element.ok_or_else(|| BrowserError::Stale(format!("e{number}")))
    }
}
