//! A task that only a model could do: one key hands it to one that is connected.

use super::{Typed, Watcher, next_line};
use crate::failure::Failure;
use crate::view::organized::Organized;
use crate::view::prompt::Prompt;
use crate::view::story::Story;
use crate::view::text::printable;
use deputy_protocol::{
    BackendChoice, Choices, ChoicesQuery, Command, CommandOutcome, Query, QueryAnswer, StartCommand,
    TaskSpec, TaskStatus,
};
use tokio::sync::mpsc;

/// The backend that is not a model.
const NO_MODEL: &str = "offline";

impl Watcher<'_> {
    /// Whether a model has taken the task over, which is then watched instead. Nobody is asked where nobody is.
    pub(super) async fn hand_over(
        &mut self,
        lines: &mut Option<mpsc::UnboundedReceiver<Typed>>,
    ) -> Result<bool, Failure> {
        let Some(spec) = self.spec.take().filter(|_| self.is_interactive) else { return Ok(false) };
        let query = Query::Choices(ChoicesQuery {});
        let QueryAnswer::Choices(answer) = self.session.client.query(query).await? else { return Ok(false) };
        let Some(model) = connected(&answer.choices) else {
            self.screen.hint("  No model is connected; `deputy backends` lists those you can connect.");
            return Ok(false);
        };
        let label = model.model.as_ref().unwrap_or(&model.name);
        self.open(Prompt::HandOver(printable(label)));
        let is_wanted = loop {
            tokio::select! {
                line = next_line(lines) => match line {
                    Some(line) if line.at < self.opened => {}
                    Some(line) => break line.key() == Some('m'),
                    None => break false,
                },
                _ = tokio::signal::ctrl_c() => break false,
            }
        };
        self.prompt = None;
        self.screen.prompt("\n");
        if !is_wanted {
            return Ok(false);
        }
        let start = self.start_command(*spec, model.name.clone());
        let CommandOutcome::Started(started) = self.session.client.command(Command::Start(start)).await?
        else {
            return Ok(false);
        };
        self.watch_instead(started.task.id);
        Ok(true)
    }

    fn start_command(&self, spec: TaskSpec, backend: String) -> StartCommand {
        StartCommand {
            goal: spec.goal,
            workspace: spec.workspace,
            profile: Some(spec.profile),
            backend: Some(backend),
            model: None,
            session: None,
            after: Some(self.task.clone()),
            scope: spec.scope,
            max_iterations: None,
            max_wall_secs: None,
            max_tokens: None,
            max_cost_cents: None,
            standing_consent: spec.standing_consent,
            terminal: spec.terminal,
        }
    }

    fn watch_instead(&mut self, task: deputy_protocol::TaskId) {
        self.session.handed_over.push(task.clone());
        self.task = task;
        self.seen = 0;
        (self.story, self.organized) = (Story::default(), Organized::default());
        (self.asked, self.in_vain) = (None, None);
        (self.status, self.is_pausing) = (TaskStatus::default(), false);
    }
}

/// The usual backend if it is a model, else the first that lacks nothing.
fn connected(choices: &Choices) -> Option<&BackendChoice> {
    let models = || choices.backends.iter().filter(|each| each.name != NO_MODEL && each.problem.is_none());
    models().find(|each| each.name == choices.backend).or_else(|| models().next())
}
