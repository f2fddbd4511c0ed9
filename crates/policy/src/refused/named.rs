//! The paths that a call touches: those that its facts change, and the existing paths that its command names.
//!
//! A command is not understood here. Every word of it that is the name of something on the disk counts, also inside
//! quotes and after `=`. What a command changes without naming it is found while it runs, by its sandbox.

use crate::Situation;
use crate::path::real_paths;
use deputy_protocol::{Access, Facts};
use globset::GlobBuilder;
use std::path::{Path, PathBuf};

/// The maximum number of words of a command that are looked up.
const MOST_WORDS: usize = 2_000;
/// The maximum number of entries that are compared with a pattern.
const MOST_ENTRIES: usize = 5_000;

/// Returns the real paths that a call would change, and those that its command names, whether or not they exist. The
/// folders of the task itself, those that contain them, and places of the system are left out.
pub fn touched(situation: &Situation, facts: &Facts) -> Vec<PathBuf> {
    let mut paths: Vec<PathBuf> = Vec::new();
    for access in &facts.accesses {
        match access {
            Access::Shell(shell) => paths.extend(named(situation, &shell.command)),
            Access::Write(write) => paths.extend(real_paths(situation, &situation.cwd, &write.path)),
            Access::Delete(delete) => paths.extend(real_paths(situation, &situation.cwd, &delete.path)),
            Access::Move(moved) => {
                paths.extend(real_paths(situation, &situation.cwd, &moved.path));
                paths.extend(real_paths(situation, &situation.cwd, &moved.dest));
            }
            Access::Copy(copied) => paths.extend(real_paths(situation, &situation.cwd, &copied.dest)),
            Access::Read(_)
            | Access::List(_)
            | Access::Own(_)
            | Access::Memory(_)
            | Access::Page(_)
            | Access::Url(_) => {}
        }
    }
    paths.sort();
    paths.dedup();
    paths
}

/// Returns the real paths that a command names.
pub(crate) fn named(situation: &Situation, command: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    // A folder that the command goes to may hold for a part of it only, so names count from both.
    let mut bases = vec![situation.cwd.clone()];
    let mut goes_to_folder = false;
    for word in words(command).into_iter().take(MOST_WORDS) {
        if word.is_command {
            goes_to_folder = word.text == "cd";
            continue;
        }
        let text = at_home(&situation.home, &word.text);
        if std::mem::take(&mut goes_to_folder) {
            bases.truncate(1);
            bases.extend(Some(bases[0].join(&text)).filter(|folder| folder.is_dir()));
        }
        let before = found.len();
        for base in &bases {
            match (word.is_pattern, word.is_target) {
                (true, _) => found.extend(matching(base, &text)),
                (false, true) => found.push(base.join(&text)),
                (false, false) => found.extend(existing(base, &text)),
            }
        }
        if found.len() > before {
            continue;
        }
        for piece in word.text.split(|c: char| !is_of_a_path(c)).filter(|piece| !piece.is_empty()) {
            let piece = at_home(&situation.home, piece);
            for base in &bases {
                match piece.contains(['*', '?']) {
                    true => found.extend(below_matching(base, &piece)),
                    false => found.extend(existing(base, &piece)),
                }
            }
        }
    }
    let named = found.iter().filter_map(|path| path.to_str());
    let mut found: Vec<PathBuf> =
        named.flat_map(|path| real_paths(situation, &situation.cwd, path)).collect();
    found.sort();
    found.dedup();
    found
}

/// Returns a name in a folder as a path, if something has it.
fn existing(base: &Path, text: &str) -> Option<PathBuf> {
    Some(base.join(text)).filter(|path| path.symlink_metadata().is_ok())
}

fn at_home(home: &Path, text: &str) -> String {
    let rest = ["~/", "$HOME/", "${HOME}/", "HOME/"].iter().find_map(|start| text.strip_prefix(start));
    rest.map_or_else(|| text.to_owned(), |rest| home.join(rest).to_string_lossy().into_owned())
}

fn is_of_a_path(c: char) -> bool {
    c.is_alphanumeric() || "._-/~+@%#*?".contains(c)
}

/// Returns the paths that the shell puts in the place of a pattern.
fn matching(base: &Path, pattern: &str) -> Vec<PathBuf> {
    let fixed = pattern.split('/').take_while(|part| !part.contains(['*', '?', '[', '{']));
    let folder: PathBuf = if pattern.starts_with('/') { "/".into() } else { PathBuf::new() };
    let folder = fixed.fold(folder, |folder, part| folder.join(part));
    let depth = pattern.split('/').count() - folder.components().count().min(pattern.split('/').count() - 1);
    matches(base, &folder, depth, |path| path.to_owned(), pattern)
}

/// Returns the paths below `base` whose name matches a quoted pattern, which a program such as `find` applies itself.
fn below_matching(base: &Path, pattern: &str) -> Vec<PathBuf> {
    let by_name = |path: &Path| path.file_name().map(PathBuf::from).unwrap_or_default();
    matches(base, Path::new(""), usize::MAX, by_name, pattern)
}

/// Compares what is below a folder with a pattern. As in the shell, a hidden entry is found only by a dot.
fn matches(
    base: &Path,
    folder: &Path,
    depth: usize,
    compared: impl Fn(&Path) -> PathBuf,
    pattern: &str,
) -> Vec<PathBuf> {
    let pattern = pattern.trim_end_matches('/');
    let Ok(glob) = GlobBuilder::new(pattern).literal_separator(true).build() else { return Vec::new() };
    let glob = glob.compile_matcher();
    let shows_hidden = pattern.split('/').any(|part| part.starts_with('.'));
    let top = base.join(folder);
    let mut found = Vec::new();
    crate::path::visit_below(&top, MOST_ENTRIES, |path| {
        let Ok(below) = path.strip_prefix(&top) else { return false };
        let is_hidden =
            path.file_name().is_some_and(|name| name.to_string_lossy().starts_with('.')) && !shows_hidden;
        let relative = folder.join(below);
        if !is_hidden && glob.is_match(compared(&relative)) {
            found.push(path.to_owned());
        }
        !is_hidden && below.components().count() < depth
    });
    found
}

/// A word of a command.
#[derive(Debug, Default, PartialEq)]
struct Word {
    text: String,
    /// Whether it has unquoted characters of a pattern.
    is_pattern: bool,
    /// Whether it is at the place of a command's name.
    is_command: bool,
    /// Whether output is redirected to it.
    is_target: bool,
}

/// Splits a command into words, without its quotes. What is inside a quoted word stays one word.
fn words(command: &str) -> Vec<Word> {
    let mut words: Vec<Word> = Vec::new();
    let mut word: Option<Word> = None;
    let (mut begins, mut is_target) = (true, false);
    let mut chars = command.chars();
    let mut quote = None;
    while let Some(c) = chars.next() {
        let is_gap = quote.is_none() && (c.is_whitespace() || ";&|()<>".contains(c));
        if is_gap {
            words.extend(word.take());
            is_target = c == '>' || is_target && c.is_whitespace();
            begins |= ";&|(\n".contains(c);
            continue;
        }
        let word = word.get_or_insert_with(|| Word {
            is_command: std::mem::take(&mut begins) && !is_target,
            is_target: std::mem::take(&mut is_target),
            ..Word::default()
        });
        match (quote, c) {
            (Some(open), c) if c == open => quote = None,
            (None, '\'' | '"') => quote = Some(c),
            (None | Some('"'), '\\') => word.text.extend(chars.next()),
            (_, c) => {
                word.is_pattern |= quote.is_none() && "*?[".contains(c);
                word.text.push(c);
            }
        }
    }
    words.extend(word);
    words
}

#[cfg(test)]
mod tests {
    use super::*;
    use deputy_protocol::{Effect, Risk, ShellAccess, WriteAccess};

    struct Ground(tempfile::TempDir);

    impl Ground {
        fn new() -> Self {
            let ground = tempfile::tempdir().unwrap();
            for file in [
                "work/build/o1",
                "work/build/o2",
                "work/a b.txt",
                "work/one.log",
                "work/deep/two.log",
                "work/.git/HEAD",
                "work/rm",
                "home/notes.txt",
            ] {
                let path = ground.path().join(file);
                std::fs::create_dir_all(path.parent().unwrap()).unwrap();
                std::fs::write(path, "x").unwrap();
            }
            Self(ground)
        }

        fn situation(&self) -> Situation {
            let folder = |name: &str| self.0.path().canonicalize().unwrap().join(name);
            Situation::new(folder("home"), folder("work"), folder("deputy"))
        }

        /// The touched paths, relative to the ground.
        fn touched(&self, access: Access) -> Vec<String> {
            let facts = Facts {
                effect: Effect::Mutating,
                accesses: vec![access],
                summary: "".into(),
                diff: None,
                plan: None,
                risk: Risk::Low,
            };
            let ground = self.0.path().canonicalize().unwrap();
            let near = |path: PathBuf| path.strip_prefix(&ground).unwrap().to_str().unwrap().to_owned();
            touched(&self.situation(), &facts).into_iter().map(near).collect()
        }

        fn command(&self, command: &str) -> Vec<String> {
            self.touched(Access::Shell(ShellAccess { command: command.into() }))
        }
    }

    #[test]
    fn a_command_touches_the_paths_that_it_names() {
        let ground = Ground::new();
        for command in [
            "rm -r build",
            "rm -r ./build/",
            "find build -delete",
            "mv build /tmp/b",
            "python3 -c \"import shutil; shutil.rmtree('build')\"",
            "tar cf /tmp/x.tar --remove-files build",
            "FOO=1 make --directory=build clean",
            "(cd / && ls); rm -r \"$PWD\" build",
        ] {
            assert_eq!(ground.command(command), ["work/build"], "{command}");
        }
        assert_eq!(ground.command("rm build/o1 build/o2"), ["work/build/o1", "work/build/o2"]);
        assert_eq!(ground.command("rm build/*"), ["work/build/o1", "work/build/o2"]);
        assert_eq!(ground.command("cd deep; rm two.log"), ["work/deep", "work/deep/two.log"]);
        assert_eq!(ground.command("rm 'a b.txt' a\\ b.txt"), ["work/a b.txt"]);
        assert_eq!(ground.command("rm *.log"), ["work/one.log"]);
        assert_eq!(ground.command("find . -name '*.log' -delete"), ["work/deep/two.log", "work/one.log"]);
        assert_eq!(ground.command("echo x > new.txt"), ["work/new.txt"]);
        assert_eq!(ground.command("rm ~/notes.txt $HOME/notes.txt"), ["home/notes.txt"]);
        let all = ground.command("rm -rf *");
        assert!(all.contains(&"work/build".into()) && !all.contains(&"work/.git".into()), "{all:?}");
    }

    #[test]
    fn folders_of_the_task_and_programs_are_not_touched() {
        let ground = Ground::new();
        for command in
            ["rm -rf .", "rm -rf ../work", "rm -rf /", "ls /usr/bin /etc", "rm --version", "cd .. && ls"]
        {
            assert_eq!(ground.command(command), [""; 0], "{command}");
        }
    }

    #[test]
    fn a_tool_touches_what_it_would_change_or_make() {
        let ground = Ground::new();
        let write = |path: &str| Access::Write(WriteAccess { path: path.into() });
        assert_eq!(ground.touched(write("build/o1")), ["work/build/o1"]);
        assert_eq!(ground.touched(write("new.txt")), ["work/new.txt"]);
    }

    #[test]
    fn a_link_is_touched_with_its_target() {
        let ground = Ground::new();
        std::os::unix::fs::symlink("build", ground.0.path().join("work/link")).unwrap();
        assert_eq!(ground.command("rm link"), ["work/build", "work/link"]);
    }
}
