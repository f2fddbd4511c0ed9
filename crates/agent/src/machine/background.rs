//! The background commands of a task: a property of it, not calls in progress. Events alone make and end them.

use deputy_protocol::{
    AttemptKind, BackgroundEnd, BackgroundEnded, BackgroundId, BackgroundStarted, RefusedAttempt,
};

/// Refusals of the walls that the planner sees.
const MOST_REFUSED: usize = 5;

/// What the walls refused, for the planner: a program's own words seldom say that it was they.
fn refusal(refused: &RefusedAttempt) -> String {
    let what = match refused.operation {
        AttemptKind::Execute => "start",
        AttemptKind::Read => "read",
        AttemptKind::Write => "change",
    };
    format!("\nThe sandbox refused: {what} {} ({})", refused.path, refused.why)
}

/// What runs in the background, oldest first.
#[derive(Clone, Debug, Default)]
pub struct Backgrounds {
    running: Vec<BackgroundStarted>,
    started: u32,
}

impl Backgrounds {
    /// One more runs.
    pub(super) fn start(&mut self, started: &BackgroundStarted) {
        if !self.running.iter().any(|known| known.background == started.background) {
            self.running.push(started.clone());
            self.started += 1;
        }
    }

    /// One is gone. Gives what the planner is to know of it, where it does not know that by itself.
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

    /// All that run.
    pub fn running(&self) -> &[BackgroundStarted] {
        &self.running
    }

    /// One that runs.
    pub fn get(&self, id: &BackgroundId) -> Option<&BackgroundStarted> {
        self.running.iter().find(|known| known.background == *id)
    }

    /// How many were ever started.
    pub fn started(&self) -> u32 {
        self.started
    }
}
