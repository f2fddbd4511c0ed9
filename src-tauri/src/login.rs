//! Starting at login: a file in the desktop's autostart folder. Off unless the user turned it on.

use std::io;
use std::path::{Path, PathBuf};

const FILE: &str = "deputy.desktop";

/// Returns the path of the autostart file.
fn file() -> Option<PathBuf> {
    let configured = std::env::var_os("XDG_CONFIG_HOME").map(PathBuf::from).filter(|path| path.is_absolute());
    let folder = configured.or_else(|| Some(std::env::home_dir()?.join(".config")))?;
    Some(folder.join("autostart").join(FILE))
}

/// Returns whether Deputy starts at login. Desktops have their own switch, which they write into the same file.
pub(crate) fn is_on() -> bool {
    let text = file().and_then(|file| std::fs::read_to_string(file).ok());
    let is_off = |line: &str| ["Hidden=true", "X-GNOME-Autostart-enabled=false"].contains(&line.trim());
    text.is_some_and(|text| !text.lines().any(is_off))
}

/// Turns starting at login on or off.
pub(crate) fn set(on: bool) -> io::Result<()> {
    let missing = || io::Error::new(io::ErrorKind::NotFound, "HOME is not set");
    let file = file().ok_or_else(missing)?;
    if on {
        let folder = file.parent().ok_or_else(missing)?;
        std::fs::create_dir_all(folder)?;
        return std::fs::write(&file, entry(&std::env::current_exe()?));
    }
    match std::fs::remove_file(&file) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}

/// Returns the content of the autostart file. The path is quoted twice, as the desktop entry specification requires.
fn entry(program: &Path) -> String {
    let mut quoted = String::new();
    for letter in program.to_string_lossy().chars() {
        match letter {
            '"' | '`' | '$' => quoted.extend(['\\', '\\', letter]),
            '\\' => quoted.push_str(r"\\\\"),
            '%' => quoted.push_str("%%"),
            other => quoted.push(other),
        }
    }
    format!("[Desktop Entry]\nType=Application\nName=Deputy\nExec=\"{quoted}\" --hidden\nTerminal=false\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_program_is_quoted_whatever_its_name() {
        let line = |path: &str| entry(Path::new(path)).lines().nth(3).unwrap().to_owned();
        assert_eq!(line("/usr/bin/deputy-desktop"), "Exec=\"/usr/bin/deputy-desktop\" --hidden");
        assert_eq!(line("/a b/$x\"%f"), r#"Exec="/a b/\\$x\\"%%f" --hidden"#);
    }
}
