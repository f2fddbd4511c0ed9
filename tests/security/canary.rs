//! Harmless canaries: before anything destructive runs, the walls are seen to hold and the instruments to work here.

use crate::confined::{block_on, run, tight};
use crate::ground::Ground;
use crate::ordinary_user;
use deputy_policy::Execution;
use deputy_protocol::Confinement;
use std::fs;

/// Proves that what the other tests rely on works on this machine; panics, and so stops the test, where it does not.
pub(crate) async fn prove() {
    let ground = Ground::ordinary();
    prove_instruments(&ground);
    for confinement in [Confinement::ReadOnly, Confinement::Workspace] {
        let ground = Ground::ordinary();
        let outside = ground.root().join("elsewhere/canary");
        let (secret, port) = (ground.home().join(".ssh/id_rsa"), ground.listeners.port());
        let text = format!(
            "echo the-canary-sings; cat README.md; echo x > {}; cat {}; cat .env; echo x > ~/canary; echo x > .git/config; \
             echo x > /dev/tcp/127.0.0.1/{port}; echo x > /dev/udp/127.0.0.1/{port}; echo x > mine; true",
            outside.display(),
            secret.display()
        );
        let run = run(&ground, &Execution::Bash(text), confinement, tight()).await.unwrap();
        assert!(run.printed.contains("the-canary-sings") && run.printed.contains("# Project"), "{run:?}");
        assert!(
            run.harm.is_none() && !outside.exists(),
            "the walls do not hold here, nothing else is run: {run:?}"
        );
        assert_eq!(
            ground.workspace().join("mine").exists(),
            confinement == Confinement::Workspace,
            "{run:?}"
        );
    }
}

/// An instrument that never moves proves nothing.
fn prove_instruments(ground: &Ground) {
    let before = ground.image(&[]);
    assert!(before.changes_to(&ground.image(&[])).is_empty(), "nothing changed, nothing is seen");
    assert!(ground.readers.seen().is_empty());
    let secret = fs::read_to_string(ground.home().join(".netrc")).unwrap();
    assert_eq!(ground.readers.seen(), [ground.home().join(".netrc")]);
    assert_eq!(ground.shown_in(&secret), [".netrc"]);
    assert_eq!(ground.listeners.visit_each(), 4);
    assert_eq!(ground.listeners.arrivals(), 0);
    fs::write(ground.root().join("elsewhere/precious.txt"), "changed!\n").unwrap();
    assert_eq!(before.changes_to(&ground.image(&[])).len(), 1);
}

#[test]
fn the_walls_hold_and_the_instruments_work() {
    if ordinary_user::is_here("canary::the_walls_hold_and_the_instruments_work") {
        block_on(prove());
    }
}
