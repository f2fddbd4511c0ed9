//! How much of each test is done: a random part by default, all of it with `DEPUTY_SECURITY=full`.

use crate::corpus::{Case, Class, cases};
use crate::variations::Random;

/// The usual number, or the full one where everything is asked for.
pub(crate) fn of(usual: usize, full: usize) -> usize {
    let is_full = std::env::var("DEPUTY_SECURITY").is_ok_and(|size| size == "full");
    if is_full { full } else { usual }
}

/// Dangerous cases, `usual` of them by chance, or every one. Those with a second name of a secret, which once got
/// through, are always among them.
pub(crate) fn dangerous(what: &str, usual: usize) -> Vec<Case> {
    let (mut always, mut others): (Vec<_>, Vec<_>) =
        cases(Class::Dangerous).into_iter().partition(|case| !case.setup.hardlinks.is_empty());
    let count = of(usual, others.len());
    let mut random = Random::new(what);
    while others.len() > count {
        others.swap_remove(random.below(others.len()));
    }
    always.append(&mut others);
    always
}
