//! `deputy diff`: shows everything that a task changed, by Deputy's own record.

use super::Context;
use crate::failure::{End, Failure};
use crate::session::{Session, Tasks};
use crate::view::{self, Screen};
use deputy_protocol::{DifferenceQuery, Query, QueryAnswer, TaskQuery};

/// Prints each file with its difference, then what programs made, and the commits and branches.
pub(crate) async fn show(cx: &Context, task: &str) -> Result<End, Failure> {
    let mut session = Session::open(&cx.homes, Tasks::Leave, false).await?;
    let task = session.find_task(task).await?;
    let QueryAnswer::Difference(difference) =
        session.query(Query::Difference(DifferenceQuery { task: task.clone() })).await?
    else {
        return Err(super::run::misfit());
    };
    let QueryAnswer::Task(answer) = session.query(Query::Task(TaskQuery { task })).await? else {
        return Err(super::run::misfit());
    };
    session.close().await;
    if cx.json {
        view::print_json(&difference);
    } else {
        view::show_difference(&Screen::new(), &answer.task.workspace, &difference);
    }
    Ok(End::Done)
}
