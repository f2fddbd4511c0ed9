//! Commands that leave a process running after they end.

use crate::Execution;
use crate::shell::parse::parse;
use deputy_messages::policy as say;

/// Programs whose purpose is to let another program outlive its caller.
const DETACHING: [&str; 3] = ["setsid", "daemonize", "start-stop-daemon"];

/// Whether a command starts something in the background without waiting for it. Background processes end with the
/// command, so the command's result mentions this.
pub fn leaves_running(execution: &Execution) -> bool {
    let detaches = |words: &[String]| words.first().is_some_and(|word| DETACHING.contains(&word.as_str()));
    match execution {
        Execution::Argv(argv) => detaches(argv),
        Execution::Bash(text) => {
            let script = parse(text);
            let waits = |words: &[String]| words.first().is_some_and(|word| word == "wait");
            let in_background = say::leaves_command_running_background();
            let is_left = script.constructs.iter().any(|construct| construct.reason == in_background)
                || script.commands.iter().any(|simple| detaches(&simple.words));
            is_left && !script.commands.iter().any(|simple| waits(&simple.words))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_left_running_is_known() {
        let bash = |text: &str| leaves_running(&Execution::Bash(text.to_owned()));
        for text in ["npm start &", "nohup ./serve > log 2>&1 &", "(sleep 9 &)", "setsid ./serve", "a & b"] {
            assert!(bash(text), "{text}");
        }
        for text in ["make && ./x", "a & b & wait", "echo 'a &'", "ls 2>&1", "cat <<'E'\na &\nE"] {
            assert!(!bash(text), "{text}");
        }
        assert!(leaves_running(&Execution::Argv(vec!["setsid".into(), "./serve".into()])));
    }
}
