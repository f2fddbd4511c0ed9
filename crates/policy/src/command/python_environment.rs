//! `pip` changes the environment of the Python that runs it. It is often the user's active one, outside of the workspace.

use super::programs;
use crate::Situation;
use std::borrow::Cow;
use std::path::{Path, PathBuf};

/// Returns an argv in normal form with `python -m pip` as `pip`. Only for judging the effects of a command that asks:
/// the module can be a file of the folder, so what is known of `pip` itself does not hold for it.
pub(super) fn without_module(normal: &[String]) -> Cow<'_, [String]> {
    match normal {
        [python, option, module, rest @ ..] if is_python(python) && option == "-m" && module == "pip" => {
            std::iter::once(module).chain(rest).cloned().collect()
        }
        _ => Cow::Borrowed(normal),
    }
}

/// Returns the environment that a command installs into or removes from, if it is one of the user's own.
pub(super) fn changed(situation: &Situation, cwd: &Path, argv: &[String]) -> Option<PathBuf> {
    let normal = super::effects::normal(argv);
    let words = without_module(&normal);
    let [pip, deed, ..] = &*words else { return None };
    let is_pip = pip.strip_prefix("pip").is_some_and(is_version);
    if !is_pip || !["install", "uninstall"].contains(&deed.as_str()) {
        return None;
    }
    let program = match argv.first()? {
        path if path.contains('/') => cwd.join(path),
        name => programs::own(situation, name)?.path,
    };
    let folder = program.parent()?.parent()?.canonicalize().ok()?;
    is_environment(&folder).then_some(folder)
}

/// Returns whether a folder is a Python environment. <https://docs.python.org/3/library/venv.html>, and conda's own.
pub fn is_environment(folder: &Path) -> bool {
    folder.join("pyvenv.cfg").is_file() || folder.join("conda-meta").is_dir()
}

fn is_python(name: &str) -> bool {
    name.strip_prefix("python").is_some_and(is_version)
}

fn is_version(text: &str) -> bool {
    text.chars().all(|c| c.is_ascii_digit() || c == '.')
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;
    use std::os::unix::fs::PermissionsExt;

    #[test]
    fn pip_changes_the_environment_of_the_python_that_the_path_finds() {
        let place = tempfile::tempdir().unwrap();
        let home = place.path().canonicalize().unwrap();
        let (environment, work) = (home.join(".virtualenvs/one"), home.join("work"));
        for folder in [environment.join("bin"), work.join(".venv/bin"), home.join("bin")] {
            fs::create_dir_all(&folder).unwrap();
            for name in ["pip", "python3"] {
                fs::write(folder.join(name), "#!/bin/sh\n").unwrap();
                fs::set_permissions(folder.join(name), fs::Permissions::from_mode(0o755)).unwrap();
            }
        }
        fs::write(environment.join("pyvenv.cfg"), "").unwrap();
        fs::write(work.join(".venv/pyvenv.cfg"), "").unwrap();
        let mut situation = Situation::new(&home, &work, home.join("deputy"));
        let changed = |situation: &Situation, text: &str| {
            let argv: Vec<String> = text.split(' ').map(str::to_owned).collect();
            super::changed(situation, &work, &argv)
        };
        situation.path = vec![home.join("bin"), environment.join("bin")];
        assert_eq!(changed(&situation, "pip install six"), None, "a pip of no environment");
        situation.path.reverse();
        for command in ["pip install six", "python3 -m pip install -q six", "pip uninstall -y six"] {
            assert_eq!(changed(&situation, command).as_ref(), Some(&environment), "{command}");
        }
        for command in ["pip list", "python3 -m pip --version", "python3 -m venv install", "pipx install six"]
        {
            assert_eq!(changed(&situation, command), None, "{command}");
        }
        assert_eq!(changed(&situation, ".venv/bin/pip install six"), Some(work.join(".venv")));
    }
}
