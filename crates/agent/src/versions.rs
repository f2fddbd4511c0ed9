//! The versions of the toolchains that a folder needs, as the person's terminal finds them. Each is asked once inside the
//! sandbox, in `/`, where a folder can change nothing about the answer, and kept until the host ends.

use crate::core::Core;
use crate::toolbox;
use crate::user_shell::Surroundings;
use deputy_policy::{Situation, path};
use deputy_protocol::{Confinement, TaskSpec};
use deputy_sandbox::{ChildLimits, ChildSpec, Environment, PersonEnvironment, resolve_program, run};
use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;
use tokio_util::sync::CancellationToken;

/// The time for all toolchains of a task, and for what the person's shell says about its search path.
const PATIENCE: Duration = Duration::from_secs(1);
/// The maximum length of a version, in characters.
const MOST_CHARS: usize = 60;
/// Files at the top of a folder, and the question for the toolchain that they need.
const TOOLCHAINS: &[(&[&str], &str)] = &[
    (&["Cargo.toml"], "cargo --version"),
    (&["package.json"], "node --version"),
    (&["pyproject.toml", "setup.py", "requirements.txt", "setup.cfg"], "python3 --version"),
    (&["go.mod"], "go version"),
    (&["pom.xml", "build.gradle", "build.gradle.kts"], "java -version"),
    (&["Gemfile"], "ruby --version"),
];

/// A search path and a question.
type Asked = (Vec<PathBuf>, &'static str);

/// The answers so far.
#[derive(Default)]
pub(crate) struct Versions(Mutex<HashMap<Asked, Option<String>>>);

impl Versions {
    /// Returns the versions for a folder with these entries, such as `cargo 1.90.0`. What does not answer in time is left
    /// out.
    pub(crate) async fn of(&self, core: &Core, spec: &TaskSpec, names: &[String]) -> Vec<String> {
        let needs =
            |(files, _): &&(&[&str], &str)| files.iter().any(|file| names.iter().any(|name| name == file));
        let questions: Vec<&'static str> =
            TOOLCHAINS.iter().filter(needs).map(|(_, question)| *question).collect();
        if questions.is_empty() {
            return Vec::new();
        }
        let answers = async {
            let surroundings = core.surroundings(spec).await;
            let mut found = Vec::new();
            for question in questions {
                found.extend(self.answer(core, spec, &surroundings, question).await);
            }
            found
        };
        tokio::time::timeout(PATIENCE, answers).await.unwrap_or_default()
    }

    async fn answer(
        &self,
        core: &Core,
        spec: &TaskSpec,
        surroundings: &Surroundings,
        question: &'static str,
    ) -> Option<String> {
        let asked = (surroundings.path.clone(), question);
        let known = || self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(answer) = known().get(&asked) {
            return answer.clone();
        }
        let situation = core.situation(core.place_of(spec).workspace, Vec::new());
        let answer = ask(situation, surroundings, question).await;
        known().insert(asked, answer.clone());
        answer
    }
}

/// Asks a program for its version. `None` if it is not installed or does not answer.
///
/// The search path can contain a folder of the project, so the program is not trusted: it sees no secrets, and whatever
/// looks like one is redacted in its answer.
async fn ask(situation: Situation, surroundings: &Surroundings, question: &str) -> Option<String> {
    let bash = resolve_program("bash")?;
    let program = question.split(' ').next().unwrap_or(question);
    let script = format!("command -v {program} > /dev/null && {question} 2>&1");
    let environment = Environment::Person(PersonEnvironment {
        path: surroundings.path_variable(),
        variables: surroundings.variables.clone(),
        ..PersonEnvironment::default()
    });
    let folders = toolbox::folders(&situation.home, surroundings);
    let secrets = move || [path::hidden_in_home(&situation), path::secrets(&situation)].concat();
    let spec = ChildSpec {
        readable: folders,
        hidden: tokio::task::spawn_blocking(secrets).await.ok()?,
        environment,
        limits: ChildLimits { timeout: PATIENCE, head_bytes: 4_096, tail_bytes: 0, ..ChildLimits::default() },
        ..ChildSpec::new(
            vec![bash.into(), "-c".into(), script.into()],
            PathBuf::from("/"),
            Confinement::ReadOnly,
        )
    };
    let outcome = run(spec, CancellationToken::new(), None).await.ok()?;
    if outcome.ended != deputy_sandbox::Ended::Exited(0) {
        return None;
    }
    let said = String::from_utf8_lossy(&outcome.stdout.head).into_owned();
    let said = crate::redact::text(&said);
    let line: String = deputy_policy::visible(said.lines().next()?.trim()).chars().take(MOST_CHARS).collect();
    let is_bare = line.starts_with(|first: char| first == 'v' || first.is_ascii_digit());
    Some(if is_bare { format!("{program} {line}") } else { line }).filter(|line| !line.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::PermissionsExt;
    use std::path::Path;

    /// Writes a program into a folder.
    fn program(folder: &Path, name: &str, script: &str) {
        let path = folder.join(name);
        std::fs::write(&path, format!("#!/bin/sh\n{script}\n")).unwrap();
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
    }

    #[tokio::test]
    async fn a_program_answers_with_its_first_line_and_neither_changes_nor_reveals_anything() {
        let home = tempfile::tempdir().unwrap();
        let bin = home.path().join("bin");
        std::fs::create_dir(&bin).unwrap();
        let trace = home.path().join("trace");
        program(
            &bin,
            "node",
            &format!("{{ echo x > {}; }} 2> /dev/null; echo v9.9.9; echo more", trace.display()),
        );
        program(&bin, "go", "printf 'go version go1.99\\033[31m <<end>>\\n'");
        program(&bin, "ruby", "exit 3");
        let cargo = home.path().join(".cargo");
        std::fs::create_dir(&cargo).unwrap();
        std::fs::write(cargo.join("credentials.toml"), "words of nobody else\n").unwrap();
        let credentials = cargo.join("credentials.toml");
        program(&bin, "cargo", &format!("/bin/cat {} || echo nothing", credentials.display()));
        let surroundings = Surroundings { path: vec![bin], variables: Vec::new() };
        let asked = async |question| {
            let workspace = home.path().join("project");
            let situation = Situation::new(home.path().to_owned(), workspace, home.path().join("deputy"));
            ask(situation, &surroundings, question).await
        };
        assert_eq!(asked("node --version").await.as_deref(), Some("node v9.9.9"));
        assert!(asked("go version").await.unwrap().starts_with("go version go1.99\\u{1b}"));
        assert_eq!(asked("ruby --version").await, None);
        assert_eq!(asked("deputy-has-no-such-program --version").await, None);
        assert!(!trace.exists());
        let said = asked("cargo --version").await.unwrap_or_default();
        assert!(!said.contains("words of"), "{said}");
    }
}
