//! `deputy usage`: shows what models cost, by day, task, model, backend or step.

use super::Context;
use super::look::events;
use crate::args::UsageBy;
use crate::failure::{End, Failure};
use crate::session::{Session, Tasks};
use crate::view::{self, Screen, goal_words, money, number, printable};
use deputy_protocol::{Query, QueryAnswer, TaskEvent, TaskId, Usage, UsageAnswer, UsageQuery, UsageRow};
use serde_json::json;

/// The tokens and cost of one group.
#[derive(Default)]
struct Sum {
    name: String,
    plans: u64,
    usage: Usage,
    cost_micros: Option<u64>,
    /// Whether the price of some of the tokens is unknown.
    is_partly_unpriced: bool,
}

impl Sum {
    fn add(&mut self, plans: u64, usage: &Usage, cost_micros: Option<u64>) {
        self.plans += plans;
        self.usage.input_tokens = self.usage.input_tokens.saturating_add(usage.input_tokens);
        self.usage.output_tokens = self.usage.output_tokens.saturating_add(usage.output_tokens);
        self.usage.cached_tokens = self.usage.cached_tokens.saturating_add(usage.cached_tokens);
        self.usage.reasoning_tokens = self.usage.reasoning_tokens.saturating_add(usage.reasoning_tokens);
        match cost_micros {
            Some(cost) => self.cost_micros = Some(self.cost_micros.unwrap_or(0).saturating_add(cost)),
            None => self.is_partly_unpriced = true,
        }
    }
}

/// Prints the usage of the last days, or of one task step by step.
pub(crate) async fn execute(
    cx: &Context,
    task: Option<&str>,
    days: u32,
    by: UsageBy,
) -> Result<End, Failure> {
    let mut session = Session::open(&cx.homes, Tasks::Leave, false).await?;
    if let Some(task) = task {
        let id = session.find_task(task).await?;
        let steps = steps(&mut session, &id).await?;
        // A query with an empty period returns the currency.
        let answer = usage(&mut session, i64::MAX).await?;
        session.close().await;
        print(cx, "STEP", &steps, &answer.currency);
        return Ok(End::Done);
    }
    let answer = usage(&mut session, first_day_ms(days)).await?;
    session.close().await;
    let mut sums: Vec<Sum> = Vec::new();
    for row in &answer.rows {
        let name = name(row, by);
        let at = sums.iter().position(|sum| sum.name == name).unwrap_or_else(|| {
            sums.push(Sum { name, ..Sum::default() });
            sums.len() - 1
        });
        let usage = Usage {
            input_tokens: row.input_tokens,
            output_tokens: row.output_tokens,
            cached_tokens: row.cached_tokens,
            reasoning_tokens: row.reasoning_tokens,
        };
        sums[at].add(row.plans, &usage, row.cost_micros);
    }
    if by != UsageBy::Day {
        sums.sort_by_key(|sum| std::cmp::Reverse((sum.cost_micros, sum.usage.input_tokens)));
    }
    let head = match by {
        UsageBy::Day => "DAY",
        UsageBy::Task => "TASK",
        UsageBy::Model => "MODEL",
        UsageBy::Backend => "BACKEND",
    };
    print(cx, head, &sums, &answer.currency);
    if !cx.json {
        today(&answer);
    }
    Ok(End::Done)
}

/// Prints what today's tasks spent, if there is a daily limit.
fn today(answer: &UsageAnswer) {
    let today = &answer.today;
    let screen = Screen::new();
    if today.max_tokens > 0 {
        let most = number(today.max_tokens);
        screen.line(&format!("Today: {} of {most} tokens.", number(today.tokens)));
    }
    if today.max_cost_cents > 0 {
        let most = money(today.max_cost_cents.saturating_mul(10_000), Some(&answer.currency));
        screen.line(&format!("Today: {} of {most}.", money(today.cost_micros, Some(&answer.currency))));
    }
}

async fn usage(session: &mut Session, since_ms: i64) -> Result<UsageAnswer, Failure> {
    match session.query(Query::Usage(UsageQuery { since_ms })).await? {
        QueryAnswer::Usage(answer) => Ok(answer),
        _ => Err(super::run::misfit()),
    }
}

/// Returns the usage of each step of a task that asked a model.
async fn steps(session: &mut Session, task: &TaskId) -> Result<Vec<Sum>, Failure> {
    let (mut steps, mut after, mut step) = (Vec::new(), 0, 0);
    loop {
        let page = events(session, task, after).await?;
        let Some(last) = page.last() else { return Ok(steps) };
        after = last.seq;
        for record in page {
            match record.event {
                TaskEvent::IterationStarted(started) => step = started.iteration,
                TaskEvent::Planned(planned) if planned.usage != Usage::default() => {
                    let model = planned.model.unwrap_or_default();
                    let mut sum = Sum { name: format!("{step} {model}"), ..Sum::default() };
                    sum.add(1, &planned.usage, planned.cost_micros);
                    steps.push(sum);
                }
                _ => {}
            }
        }
    }
}

fn name(row: &UsageRow, by: UsageBy) -> String {
    match by {
        UsageBy::Day => view::when(row.at_ms).split(' ').next().unwrap_or_default().to_owned(),
        UsageBy::Task => {
            let goal: String =
                goal_words(row.goal.lines().next().unwrap_or_default()).chars().take(60).collect();
            format!("{} {goal}", row.task)
        }
        UsageBy::Model => row.model.clone().unwrap_or_else(|| row.backend.clone()),
        UsageBy::Backend => row.backend.clone(),
    }
}

/// Returns midnight of the first of `days` days, the last of which is today.
fn first_day_ms(days: u32) -> i64 {
    let first = jiff::Zoned::now()
        .start_of_day()
        .and_then(|today| today.checked_sub(jiff::Span::new().try_days(i64::from(days.max(1)) - 1)?));
    first.map_or(0, |day| day.timestamp().as_millisecond())
}

fn print(cx: &Context, head: &str, sums: &[Sum], currency: &str) {
    if cx.json {
        for sum in sums {
            view::print_json(&json!({
                head.to_lowercase(): sum.name,
                "plans": sum.plans,
                "input_tokens": sum.usage.input_tokens,
                "cached_tokens": sum.usage.cached_tokens,
                "output_tokens": sum.usage.output_tokens,
                "reasoning_tokens": sum.usage.reasoning_tokens,
                "cost_micros": sum.cost_micros,
                "currency": currency,
            }));
        }
        return;
    }
    let screen = Screen::new();
    if sums.is_empty() {
        screen.line("No model was used.");
        return;
    }
    let mut all = Sum::default();
    let cost = |sum: &Sum| match (sum.cost_micros, sum.is_partly_unpriced) {
        (None, _) => "no price".to_owned(),
        (Some(cost), false) => money(cost, Some(currency)),
        (Some(cost), true) => format!("{} and more without a price", money(cost, Some(currency))),
    };
    screen.line(&format!(
        "{:>8}  {:>12}  {:>12}  {:>10}  {:>10}  {:>12}  {head}",
        "PLANS", "READ", "CACHED", "WRITTEN", "THOUGHTS", "COST"
    ));
    let line = |sum: &Sum, name: &str| {
        let usage = &sum.usage;
        let [read, cached, written, thoughts] =
            [usage.input_tokens, usage.cached_tokens, usage.output_tokens, usage.reasoning_tokens]
                .map(number);
        screen.line(&format!(
            "{:>8}  {read:>12}  {cached:>12}  {written:>10}  {thoughts:>10}  {:>12}  {}",
            number(sum.plans),
            cost(sum),
            printable(name)
        ));
    };
    for sum in sums {
        line(sum, &sum.name);
        all.add(sum.plans, &sum.usage, sum.cost_micros);
    }
    if sums.len() > 1 {
        all.is_partly_unpriced = sums.iter().any(|sum| sum.is_partly_unpriced);
        line(&all, "in all");
    }
}
