//! Finds the installed browser.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// The supported operating systems.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum System {
    Linux,
    MacOs,
    Windows,
}

impl System {
    /// The system that this program is built for.
    const THIS: Self = if cfg!(target_os = "macos") {
        Self::MacOs
    } else if cfg!(windows) {
        Self::Windows
    } else {
        Self::Linux
    };
}

/// The actual programs on Linux. The entries in `PATH` are often wrapper scripts.
const ON_LINUX: &[(&str, &str)] = &[
    ("Chromium", "/usr/lib/chromium/chromium"),
    ("Chromium", "/usr/lib/chromium-browser/chromium-browser"),
    ("Chromium", "/usr/lib64/chromium-browser/chromium-browser"),
    ("Google Chrome", "/opt/google/chrome/chrome"),
    ("Microsoft Edge", "/opt/microsoft/msedge/msedge"),
    ("Brave", "/opt/brave.com/brave/brave"),
    ("Chromium", "/usr/bin/chromium"),
    ("Chromium", "/usr/bin/chromium-browser"),
];
/// macOS applications, in the shared or the user's application folder.
const ON_MACOS: &[(&str, &str)] = &[
    ("Google Chrome", "Google Chrome.app/Contents/MacOS/Google Chrome"),
    ("Chromium", "Chromium.app/Contents/MacOS/Chromium"),
    ("Microsoft Edge", "Microsoft Edge.app/Contents/MacOS/Microsoft Edge"),
    ("Brave", "Brave Browser.app/Contents/MacOS/Brave Browser"),
];
/// Windows programs, in the folders for 64-bit or 32-bit programs or in the user's own. Edge is always installed.
const ON_WINDOWS: &[(&str, &str)] = &[
    ("Google Chrome", r"Google\Chrome\Application\chrome.exe"),
    ("Chromium", r"Chromium\Application\chrome.exe"),
    ("Brave", r"BraveSoftware\Brave-Browser\Application\brave.exe"),
    ("Microsoft Edge", r"Microsoft\Edge\Application\msedge.exe"),
];

/// Returns where to look for browsers on a system, in order of preference. `variable` reads the environment.
fn places(system: System, variable: impl Fn(&str) -> Option<String>) -> Vec<(&'static str, PathBuf)> {
    let below = |folders: Vec<String>, mark: char, programs: &'static [(&'static str, &'static str)]| {
        let each = |&(name, program): &(&'static str, &'static str)| {
            let join = move |folder: &String| (name, PathBuf::from(format!("{folder}{mark}{program}")));
            folders.iter().map(join).collect::<Vec<_>>()
        };
        programs.iter().flat_map(each).collect()
    };
    match system {
        System::Linux => ON_LINUX.iter().map(|(name, program)| (*name, PathBuf::from(program))).collect(),
        System::MacOs => {
            let own = variable("HOME").map(|home| format!("{home}/Applications"));
            below(["/Applications".to_owned()].into_iter().chain(own).collect(), '/', ON_MACOS)
        }
        System::Windows => {
            let folders = ["ProgramFiles", "ProgramFiles(x86)", "LocalAppData"];
            below(folders.into_iter().filter_map(variable).collect(), '\\', ON_WINDOWS)
        }
    }
}

fn of_this_system() -> Vec<(&'static str, PathBuf)> {
    places(System::THIS, |name| std::env::var(name).ok().filter(|value| !value.is_empty()))
}

/// An installed browser that is supported.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Installed {
    /// The name for people.
    pub name: &'static str,
    /// The path of the program.
    pub program: PathBuf,
}

/// The environment variable with the program of another browser.
const VARIABLE: &str = "DEPUTY_BROWSER";

/// Returns the browser that the environment names, or else the first one that is installed.
pub fn installed() -> Option<Installed> {
    named(std::env::var_os(VARIABLE)).or_else(found)
}

/// Returns the browser that the variable names. It is only checked when it starts.
fn named(program: Option<OsString>) -> Option<Installed> {
    let program = PathBuf::from(program.filter(|program| !program.is_empty())?);
    let known = of_this_system().into_iter().find(|(_, known)| *known == program);
    Some(Installed { name: known.map_or("The browser", |(name, _)| name), program })
}

fn found() -> Option<Installed> {
    let (name, program) = of_this_system().into_iter().find(|(_, program)| Path::is_file(program))?;
    Some(Installed { name, program })
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

    #[test]
    fn each_system_has_places_of_its_own() {
        let set = |name: &str| match name {
            "HOME" => Some("/Users/ada".to_owned()),
            "ProgramFiles" => Some(r"C:\Program Files".to_owned()),
            "ProgramFiles(x86)" => Some(r"C:\Program Files (x86)".to_owned()),
            "LocalAppData" => Some(r"C:\Users\ada\AppData\Local".to_owned()),
            _ => None,
        };
        let on = |system| -> Vec<String> {
            let all = places(system, set).into_iter();
            all.map(|(name, program)| format!("{name}: {}", program.display())).collect()
        };
        assert_eq!(on(System::Linux)[0], "Chromium: /usr/lib/chromium/chromium");
        assert_eq!(
            on(System::MacOs)[..4],
            [
                "Google Chrome: /Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
                "Google Chrome: /Users/ada/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
                "Chromium: /Applications/Chromium.app/Contents/MacOS/Chromium",
                "Chromium: /Users/ada/Applications/Chromium.app/Contents/MacOS/Chromium",
            ]
        );
        let windows = on(System::Windows);
        assert_eq!(windows[0], r"Google Chrome: C:\Program Files\Google\Chrome\Application\chrome.exe");
        assert_eq!(
            windows[2],
            r"Google Chrome: C:\Users\ada\AppData\Local\Google\Chrome\Application\chrome.exe"
        );
        let edge = r"Microsoft Edge: C:\Program Files (x86)\Microsoft\Edge\Application\msedge.exe".to_owned();
        assert!(windows.contains(&edge), "{windows:?}");
        assert!(places(System::Windows, |_| None).is_empty());
        assert_eq!(places(System::MacOs, |_| None).len(), ON_MACOS.len());
    }
}
