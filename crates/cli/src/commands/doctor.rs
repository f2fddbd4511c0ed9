//! `deputy doctor`: checks this machine, and reports what is missing and how to fix it.

use super::Context;
use crate::failure::{End, Failure};
use crate::session::{Session, Tasks};
use crate::sidecar;
use crate::view::{self, Screen};
use deputy_agent::{config::Config, doctor};
use deputy_protocol::{Finding, Phrase};

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
    findings.push(home(cx).await);
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
        name => name,
    }
}

/// Opens the database, directly or through the running host.
async fn home(cx: &Context) -> Finding {
    let checked = async {
        let mut session = Session::open(&cx.homes, Tasks::Leave, false).await?;
        let text = match &session.own {
            Some(own) => {
                own.host.store().check_integrity()?;
                "the database is sound; Deputy isn't running in the background".to_owned()
            }
            None => {
                session.state().await?;
                "Deputy is running and responds".to_owned()
            }
        };
        session.close().await;
        Ok::<_, Failure>(text)
    };
    match checked.await {
        Ok(text) => doctor::well("home", format!("{}: {text}", cx.homes.deputy.display())),
        Err(failure) => {
            // One line each, because the message may end in a command to copy.
            doctor::ill(
                "home",
                Phrase::joined("\n  ", [failure.error.message].into_iter().chain(failure.error.hints)),
            )
        }
    }
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
