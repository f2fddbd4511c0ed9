//! What references stand for: elements of pages, with what was seen of them when the reference was given.

use crate::BrowserError;
use deputy_messages::browser as say;
use serde::Deserialize;
use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// An element as it was seen.
#[derive(Clone, Debug, PartialEq)]
pub struct PageElement {
    /// Its role, e.g. `button`.
    pub role: String,
    /// Its name for people.
    pub name: String,
    /// The address of the page it is on.
    pub page: String,
    /// What is asked about it.
    pub info: Info,
    pub(crate) session: String,
    pub(crate) frame: String,
    pub(crate) backend: i64,
    tab: u32,
    document: u64,
}

/// What has to be known of an element before anything is done with it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
pub struct Info {
    /// `password`, `card` or `file`, where it takes one; else empty.
    #[serde(default)]
    pub secret: String,
    /// Where its form goes, if to another origin than the page's.
    #[serde(default)]
    pub elsewhere: Option<Elsewhere>,
}

/// A form that goes to another origin.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct Elsewhere {
    /// The origin.
    pub to: String,
    /// The whole address.
    pub(crate) action: String,
    /// The method.
    pub method: String,
    /// The encoding of its content.
    pub(crate) enctype: String,
    /// Names and values of what it sends, for people; secret values are left out.
    pub fields: Vec<(String, String)>,
    /// Its whole content.
    pub(crate) entries: Entries,
    /// Whether the element itself sends it.
    pub submits: bool,
}

/// The fields of a form, in order. Values may be secret, so they are compared and never shown. A value that only the
/// click decides, such as the position in a picture, is `None`.
#[derive(Clone, Default, PartialEq, Eq, Deserialize)]
pub(crate) struct Entries(pub(crate) Vec<(String, Option<String>)>);

impl std::fmt::Debug for Entries {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(out, "{} entries", self.0.len())
    }
}

/// The number of a reference; `None` for a selector or an empty text.
pub(crate) fn number(reference: &str) -> Option<u32> {
    let number = reference.trim().trim_start_matches(['@', '[']).trim_end_matches(']');
    number.strip_prefix('e')?.parse().ok()
}

/// The references that were given out. A number is never used for something else.
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

    /// The reference of an element, the same each time it is seen.
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

    /// A tab shows another document: references into earlier ones mean nothing any more.
    pub(crate) fn forget_before(&self, tab: u32, document: u64) {
        let mut given = self.given();
        given.elements.retain(|_, element| element.tab != tab || element.document == document);
        let Given { elements, numbers, .. } = &mut *given;
        numbers.retain(|_, number| elements.contains_key(number));
    }

    /// The element's name when it was last seen, if it was.
    pub(crate) fn known(&self, session: &str, backend: i64) -> Option<PageElement> {
        let given = self.given();
        let number = given.numbers.get(&(session.to_owned(), backend))?;
        given.elements.get(number).cloned()
    }

    /// What a reference points to, e.g. `e12`.
    pub(crate) fn get(&self, reference: &str) -> Result<PageElement, BrowserError> {
        let number = number(reference)
            .ok_or_else(|| BrowserError::Unfit(say::no_reference(format!("{reference:?}"))))?;
        let element = self.given().elements.get(&number).cloned();
        element.ok_or_else(|| BrowserError::Stale(format!("e{number}")))
    }
}
