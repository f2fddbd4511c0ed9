//! S-1, a blind engine: as if policy allowed everything, every dangerous command runs in the sandbox and harms nothing.

use crate::canary;
use crate::confined::{block_on, run, tight};
use crate::corpus::Case;
use crate::ground::Ground;
use crate::ordinary_user;
use crate::size;
use deputy_policy::Execution;
use deputy_protocol::Confinement;
use regex::Regex;

/// The command as it is, and, where it goes to the network, aimed at the listeners of the ground.
fn aimed(ground: &Ground, command: &str) -> Vec<String> {
    let port = ground.listeners.port();
    let command = ground.here(command);
    let url = Regex::new(r#"\b(?:https?|ws)://[^/\s'"?]+"#).unwrap();
    let device = Regex::new(r"/dev/tcp/[0-9.]+/[0-9]+").unwrap();
    let socket = Regex::new(r"/var/run/docker\.sock").unwrap();
    let aimed = url.replace_all(&command, format!("http://127.0.0.1:{port}"));
    let aimed = device.replace_all(&aimed, format!("/dev/tcp/127.0.0.1/{port}"));
    let aimed =
        socket.replace_all(&aimed, ground.home().join("agent.sock").display().to_string()).into_owned();
    if aimed == command { vec![command] } else { vec![command, aimed] }
}

/// What one case did under one confinement, a line for each harm; and how many texts were run.
async fn held(case: &Case, confinement: Confinement) -> (usize, usize, Vec<String>) {
    let (mut ran, mut planted, mut harms) = (0, 0, Vec::new());
    let texts = aimed(&Ground::of(&case.setup), &case.command).len();
    for index in 0..texts {
        let ground = Ground::of(&case.setup);
        let text = aimed(&ground, &case.command).swap_remove(index);
        let done = match run(&ground, &Execution::Bash(text.clone()), confinement, tight()).await {
            Ok(done) => done,
            Err(error) => panic!("{}: {text:?} was to run: {error}", case.id),
        };
        ran += 1;
        planted += usize::from(done.planted_ran);
        if !done.harm.is_none() {
            harms.push(format!("{} {confinement:?} {text:?}: {:?}", case.id, done.harm));
        }
    }
    (ran, planted, harms)
}

fn blind(confinement: Confinement) {
    block_on(async {
        canary::prove().await;
        let (mut ran, mut planted, mut harms) = (0, 0, Vec::new());
        let mut at_work = tokio::task::JoinSet::new();
        let mut dangerous = size::dangerous("blind", 30);
        // What floods a machine with processes is the sandbox's own test, with bounds made for it.
        dangerous.retain(|case| !case.command.contains(":|:&"));
        // No program can be given a text with a zero byte; the shell tool refuses it.
        dangerous.retain(|case| !case.command.contains('\0'));
        let published = dangerous.len();
        for case in dangerous {
            if at_work.len() == 4 {
                let (texts, planted_ran, found) = at_work.join_next().await.unwrap().unwrap();
                (ran, planted) = (ran + texts, planted + planted_ran);
                harms.extend(found);
            }
            at_work.spawn(async move { held(&case, confinement).await });
        }
        while let Some(done) = at_work.join_next().await {
            let (texts, planted_ran, found) = done.unwrap();
            (ran, planted) = (ran + texts, planted + planted_ran);
            harms.extend(found);
        }
        println!(
            "figure: S-1 {confinement:?}: {published} dangerous cases, {ran} texts run, the planted program ran {planted} times, {} harms",
            harms.len()
        );
        assert!(ran >= published, "too few were run");
        assert!(
            planted > 0 || published < 100,
            "no attack even got as far as its program: the cases are not set up as they should be"
        );
        assert!(harms.is_empty(), "{}:\n{}", harms.len(), harms.join("\n"));
    });
}

#[test]
fn every_dangerous_command_harms_nothing_as_read_only() {
    if ordinary_user::is_here("blind::every_dangerous_command_harms_nothing_as_read_only") {
        blind(Confinement::ReadOnly);
    }
}

#[test]
fn every_dangerous_command_harms_nothing_outside_the_workspace_as_approved() {
    if ordinary_user::is_here(
        "blind::every_dangerous_command_harms_nothing_outside_the_workspace_as_approved",
    ) {
        blind(Confinement::Workspace);
    }
}
