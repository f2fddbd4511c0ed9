//! Settings and variables that are passed to git for a single command.

use crate::ground::Ground;
use deputy_protocol::{Confinement, Decision, Risk};

/// Models pass git an editor that does nothing, a name or a date. That is not a risk, and git may complete its work.
#[test]
fn settings_of_git_that_start_nothing_are_no_risk() {
    let ground = Ground::ordinary();
    for text in [
        "GIT_EDITOR=true git rebase --continue",
        "git -c core.editor=true rebase --continue",
        "git -c user.name=Me -c user.email=me@example.com commit -m x",
        "GIT_AUTHOR_DATE='2026-01-01 10:00' GIT_COMMITTER_DATE=2026-01-01 git commit -m x",
    ] {
        let ruling = ground.decide(text);
        assert_eq!(
            (ruling.verdict.decision, ruling.verdict.risk),
            (Decision::Ask, Risk::Medium),
            "{text}: {:?}",
            ruling.verdict.parts
        );
        assert!(!ruling.configuring.is_empty(), "{text}");
    }
    for text in [
        "GIT_EDITOR=./evil git rebase --continue",
        "GIT_EDITOR=$E git rebase --continue",
        "git -c core.editor=./evil rebase --continue",
        "GIT_SSH_COMMAND=true git fetch",
        "git -c core.hooksPath=x commit -m x",
    ] {
        let ruling = ground.decide(text);
        let is_wide = ruling.verdict.confinement > Confinement::Workspace;
        let risk = if is_wide { Risk::High } else { Risk::Medium };
        assert_eq!((ruling.verdict.decision, ruling.verdict.risk), (Decision::Ask, risk), "{text}");
        assert!(ruling.configuring.is_empty(), "{text}");
    }
}
