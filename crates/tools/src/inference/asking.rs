//! Runs the texts of a call: a few at a time, with one retry for each answer that is unusable.

use super::answer::{Form, marked};
use super::input::{self, Given};
use super::rows::{Row, Table};
use super::{Asking, InferenceCall, Unanswered, Whom};
use crate::tool::CallContext;
use deputy_messages::Phrase;
use deputy_messages::inference as say;
use deputy_protocol::{JobId, JobProgress};
use std::sync::Arc;
use tokio::task::JoinSet;

/// The number of texts to ask a remote model about concurrently. A model on this machine gets one at a time.
const AT_ONCE: usize = 4;
/// The maximum number of texts in one request for embeddings, and the maximum characters of each. Embedders read far
/// fewer.
const EMBEDDED_AT_ONCE: usize = 16;
const EMBEDDED_CHARS: usize = 8_000;
/// The maximum number of progress reports of a call.
pub(super) const MOST_TOLD: usize = 100;

/// What to do with each text.
struct Work {
    form: Form,
    system: String,
    asking: Arc<dyn Asking>,
    cx: CallContext,
}

/// Asks about each text.
pub(super) async fn each(
    call: &InferenceCall,
    cx: &CallContext,
    given: Vec<Given>,
    whom: &Whom,
    asking: Arc<dyn Asking>,
) -> Result<Table, Phrase> {
    let form = Form::of(call)?;
    let mut table = Table::new(&given, form.columns());
    let system = form.system(&call.prompt);
    let work = Arc::new(Work { form, system, asking, cx: cx.clone() });
    let at_once = if whom.is_elsewhere() { AT_ONCE } else { 1 };
    let mut running = JoinSet::new();
    let mut tell = telling(cx, given.len());
    let mut left = given.into_iter().enumerate();
    let mut done = 0;
    loop {
        while running.len() < at_once && table.ended.is_none() {
            let Some((at, one)) = left.next() else { break };
            let work = work.clone();
            running.spawn(async move { (at, work.one(&one).await) });
        }
        let ended = tokio::select! {
            ended = running.join_next() => ended,
            () = cx.cancel.cancelled() => {
                // Cancel the requests that are still running.
                running.abort_all();
                table.ended = Some(say::stopped());
                break;
            }
        };
        match ended {
            None => break,
            Some(Ok((at, Ok((cells, is_cut))))) => table.rows[at].filled(cells, is_cut),
            Some(Ok((at, Err(Unanswered::ThisOne(why))))) => table.rows[at].row = Row::Problem(why),
            Some(Ok((_, Err(Unanswered::All(why))))) => drop(table.ended.get_or_insert(why)),
            Some(Err(error)) => drop(table.ended.get_or_insert(say::broke_off(error))),
        }
        done += 1;
        tell(done);
    }
    Ok(table)
}

impl Work {
    /// Returns the cells of one text, and whether the end of the text was cut off.
    async fn one(&self, given: &Given) -> Result<(Vec<String>, bool), Unanswered> {
        let text = input::text(given, &self.cx).await.map_err(Unanswered::ThisOne)?;
        let accepts = |answer: &str| self.form.read(answer).is_ok();
        let mut prompt = marked(&text.text);
        let first = self.asking.complete(&self.system, &prompt, &accepts).await?;
        let problem = match self.form.read(&first) {
            Ok(cells) => return Ok((cells, text.is_cut)),
            Err(problem) => problem,
        };
        prompt += &format!("\n\nYour last answer could not be used: {problem}. Answer again.");
        let second = self.asking.complete(&self.system, &prompt, &accepts).await?;
        let cells = self.form.read(&second).map_err(Unanswered::ThisOne)?;
        Ok((cells, text.is_cut))
    }
}

/// Computes the similarity of each text to the instruction, and sorts the most similar first.
pub(super) async fn likeness(
    call: &InferenceCall,
    cx: &CallContext,
    given: Vec<Given>,
    asking: &dyn Asking,
) -> Table {
    let mut table = Table::new(&given, vec!["likeness".to_owned()]);
    let mut tell = telling(cx, given.len());
    let work = async {
        let wanted = asking.embed(vec![call.prompt.clone()]).await?;
        let wanted = wanted.into_iter().next().unwrap_or_default();
        for (batch, some) in given.chunks(EMBEDDED_AT_ONCE).enumerate() {
            let first = batch * EMBEDDED_AT_ONCE;
            let (mut places, mut texts) = (Vec::new(), Vec::new());
            for (at, one) in some.iter().enumerate() {
                match input::text(one, cx).await {
                    Ok(text) => {
                        places.push((first + at, text.is_cut));
                        texts.push(text.text.chars().take(EMBEDDED_CHARS).collect());
                    }
                    Err(why) => table.rows[first + at].row = Row::Problem(why),
                }
            }
            let vectors = if texts.is_empty() { Vec::new() } else { asking.embed(texts).await? };
            for ((at, is_cut), vector) in places.into_iter().zip(vectors) {
                table.rows[at].filled(vec![format!("{:.3}", cosine(&wanted, &vector))], is_cut);
            }
            tell((first + some.len()).min(given.len()));
        }
        Ok::<(), Unanswered>(())
    };
    let ended = tokio::select! {
        ended = work => ended.err(),
        () = cx.cancel.cancelled() => Some(Unanswered::All(say::stopped())),
    };
    table.ended = ended.map(|(Unanswered::ThisOne(why) | Unanswered::All(why))| why);
    table.likest_first();
    table
}

fn cosine(one: &[f32], other: &[f32]) -> f64 {
    let dot =
        |a: &[f32], b: &[f32]| -> f64 { a.iter().zip(b).map(|(a, b)| f64::from(*a) * f64::from(*b)).sum() };
    let size = (dot(one, one) * dot(other, other)).sqrt();
    if size > 0.0 { dot(one, other) / size } else { 0.0 }
}

/// Returns a function that reports progress: once at the start and then at most a hundred times.
fn telling(cx: &CallContext, all: usize) -> impl FnMut(usize) + use<> {
    let (progress, job) = (cx.progress.clone(), cx.job.clone());
    let id = JobId::new(cx.call.as_str());
    let tell = move |done: usize| {
        let (job_id, undoes) = (id.clone(), None);
        job(JobProgress { job: job_id, undoes, call: None, done: done as u64, steps: all as u64 });
    };
    tell(0);
    let mut last = 0;
    move |done| {
        let part = done * MOST_TOLD / all.max(1);
        if part > last || done == all {
            last = part;
            tell(done);
            progress(&format!("{done} of {all}\n"));
        }
    }
}
