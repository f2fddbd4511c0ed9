//! The background commands of a task. They belong to the task and are not calls in progress. Only events start and end
//! them.

use deputy_protocol::{
    AttemptKind, BackgroundEnd, BackgroundEnded, BackgroundId, BackgroundStarted, RefusedAttempt,
};

/// The maximum number of refusals by the sandbox that the planner sees.
const MOST_REFUSED: usize = 5;

/// Describes a refusal by the sandbox for the planner, because a program's own error message seldom mentions the
/// sandbox.
fn refusal(refused: &RefusedAttempt) -> String {
    let what = match refused.operation {
        AttemptKind::Execute => "start",
        AttemptKind::Read => "read",
        AttemptKind::Write => "change",
    };
    format!("\nThe sandbox refused: {what} {} ({})", refused.path, refused.why)
}

/// The background commands, oldest first.
#[derive(Clone, Debug, Default)]
pub struct Backgrounds {
    running: Vec<BackgroundStarted>,
    started: u32,
}

impl Backgrounds {
    /// Adds a running command.
    pub(super) fn start(&mut self, started: &BackgroundStarted) {
        if !self.running.iter().any(|known| known.background == started.background) {
            self.running.push(started.clone());
            self.started += 1;
        }
    }

    /// Removes a command. Returns a message for the planner, if the planner does not know of the end already.
    pub(super) fn end(&mut self, ended: &BackgroundEnded) -> Option<String> {
        let at = self.running.iter().position(|known| known.background == ended.background)?;
        let BackgroundStarted { background, command, .. } = self.running.remove(at);
        let why = match ended.why {
            BackgroundEnd::StoppedByTask | BackgroundEnd::TaskEnded => return None,
            BackgroundEnd::StoppedByUser => "the user stopped it",
            BackgroundEnd::HostRestarted => "Deputy was restarted, which ended it",
            BackgroundEnd::TimeLimit | BackgroundEnd::Exited => ended.message.as_str(),
        };
        let refused: String = ended.refused.iter().take(MOST_REFUSED).map(refusal).collect();
        Some(format!(
            "Note from Deputy, not from the user: the background command {background} (`{command}`) has ended: {why}.{refused}"
        ))
    }

    /// Returns all running commands.
    pub fn running(&self) -> &[BackgroundStarted] {
        &self.running
    }

    /// Returns a running command.
    pub fn get(&self, id: &BackgroundId) -> Option<&BackgroundStarted> {
        self.running.iter().find(|known| known.background == *id)
    }

    /// Returns how many commands were ever started.
    pub fn started(&self) -> u32 {
        self.started
    }
}
