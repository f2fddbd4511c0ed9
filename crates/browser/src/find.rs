//! Which browser is installed.

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

/// The first browser that is installed.
pub fn installed() -> Option<Installed> {
    let is_there = |(_, program): &&(&str, &str)| Path::new(program).is_file();
    let (name, program) = PROGRAMS.iter().find(is_there)?;
    Some(Installed { name, program: PathBuf::from(program) })
}
