//! Which browser is installed.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// Where the real programs lie; what is in `PATH` is often a script around them.
const PROGRAMS: &[(&str, &str)] = &[
    ("Chromium", "/usr/lib/chromium/chromium"),
    ("Chromium", "/usr/lib/chromium-browser/chromium-browser"),
    ("Chromium", "/usr/lib64/chromium-browser/chromium-browser"),
    ("Google Chrome", "/opt/google/chrome/chrome"),
    ("Microsoft Edge", "/opt/microsoft/msedge/msedge"),
    ("Brave", "/opt/brave.com/brave/brave"),
    ("Chromium", "/usr/bin/chromium"),
    ("Chromium", "/usr/bin/chromium-browser"),
    ("Google Chrome", "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome"),
    ("Chromium", "/Applications/Chromium.app/Contents/MacOS/Chromium"),
    ("Microsoft Edge", "/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge"),
];

/// A browser that can be driven.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Installed {
    /// As people call it.
    pub name: &'static str,
    /// Its program.
    pub program: PathBuf,
}

/// The variable that names the program of another browser.
const VARIABLE: &str = "DEPUTY_BROWSER";

/// The browser that the environment names, else the first that is installed.
pub fn installed() -> Option<Installed> {
    named(std::env::var_os(VARIABLE)).or_else(found)
}

/// The program that a variable names. Whether it works is checked when it starts.
fn named(program: Option<OsString>) -> Option<Installed> {
    let program = PathBuf::from(program.filter(|program| !program.is_empty())?);
    let is_known = |(_, known): &&(&str, &str)| Path::new(known) == program;
    let name = PROGRAMS.iter().find(is_known).map_or("The browser", |(name, _)| name);
    Some(Installed { name, program })
}

fn found() -> Option<Installed> {
    let is_there = |(_, program): &&(&str, &str)| Path::new(program).is_file();
    let (name, program) = PROGRAMS.iter().find(is_there)?;
    Some(Installed { name, program: PathBuf::from(program) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_variable_comes_before_what_is_installed() {
        assert_eq!(named(None), None);
        assert_eq!(named(Some("".into())), None);
        let own = named(Some("/opt/my/browser".into())).unwrap();
        assert_eq!((own.name, own.program.to_str()), ("The browser", Some("/opt/my/browser")));
        assert_eq!(named(Some("/opt/google/chrome/chrome".into())).unwrap().name, "Google Chrome");
    }
}
