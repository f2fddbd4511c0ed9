//! `deputy doctor`: checks this machine, and reports what is missing and how to fix it.

use super::Context;
use crate::failure::{End, Failure};
use crate::session::{Session, Tasks};
use crate::sidecar;
use crate::view::{self, Screen};
use deputy_agent::{config::Config, doctor};
use deputy_protocol::{DoctorQuery, Finding, Phrase, Query, QueryAnswer};

/// Runs all checks. Fails if something needs fixing.
pub(crate) async fn execute(cx: &Context) -> Result<End, Failure> {
    let config = Config::load(&cx.homes.deputy);
    // If the jobs cannot be read, their own check reports it.
    let _ = super::jobs::known(cx);
    let mut findings = vec![
        doctor::surroundings(&cx.homes.deputy),
        doctor::configuration(&config),
        doctor::rules(&cx.homes.deputy),
        doctor::walls(),
        doctor::browser(),
    ];
    findings.extend(home(cx).await);
    findings.push(doctor::jobs(&cx.homes.deputy, &cx.homes.user));
    if let Ok(config) = &config {
        findings.push(doctor::backend(&cx.homes.deputy, config));
        findings.push(python(cx, config).await);
    }
    let is_well = findings.iter().all(|finding| finding.ok);
    for finding in &findings {
        if cx.json {
            view::print_json(finding);
        } else {
            let mark = if finding.ok { "✓" } else { "✗" };
            Screen::new().line(&format!("{mark} {:14} {}", label(&finding.name), finding.message));
        }
    }
    Ok(if is_well { End::Done } else { End::Failed })
}

/// Returns the label of a check for people. The names in messages do not change.
fn label(name: &str) -> &str {
    match name {
        "surroundings" => "permissions",
        "walls" => "sandbox",
        "home" => "database",
        "copies" => "undo",
        name => name,
    }
}

/// Checks the database and the copies for undo, directly or through the running host.
async fn home(cx: &Context) -> Vec<Finding> {
    let well = |text: &str| doctor::well("home", format!("{}: {text}", cx.homes.deputy.display()));
    let checked = async {
        let mut session = Session::open(&cx.homes, Tasks::Leave, false).await?;
        let findings = match &session.own {
            Some(own) => {
                let store = own.host.store();
                store.check_integrity()?;
                let text = "the database is sound; Deputy isn't running in the background";
                vec![well(text), doctor::copies(store, &cx.homes.deputy)]
            }
            None => {
                let answer = session.query(Query::Doctor(DoctorQuery {})).await?;
                let QueryAnswer::Doctor(answer) = answer else { return Err(super::run::misfit()) };
                let copies = answer.findings.into_iter().filter(|finding| finding.name == "copies");
                std::iter::once(well("Deputy is running and responds")).chain(copies).collect()
            }
        };
        session.close().await;
        Ok::<_, Failure>(findings)
    };
    checked.await.unwrap_or_else(|failure| {
        // One line each, because the message may end in a command to copy.
        let lines = [failure.error.message].into_iter().chain(failure.error.hints);
        vec![doctor::ill("home", Phrase::joined("\n  ", lines))]
    })
}

async fn python(cx: &Context, config: &Config) -> Finding {
    let Some(found) = sidecar::find(config) else {
        return doctor::ill(
            "sidecar",
            "its package is not next to this executable; in a checkout run `make build`",
        );
    };
    if !found.python.exists() {
        let text =
            format!("its Python {} is missing; in a checkout run `make setup`", found.python.display());
        return doctor::ill("sidecar", text);
    }
    let sidecar = sidecar::make(&cx.homes, config);
    let started = sidecar.warm().await;
    sidecar.shutdown().await;
    match started {
        Ok(hello) => doctor::well(
            "sidecar",
            format!("version {} starts; backends: {}", hello.version, hello.backends.join(", ")),
        ),
        Err(error) => doctor::ill("sidecar", error.to_string()),
    }
}
