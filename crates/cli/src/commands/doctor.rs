//! `deputy doctor`: what this machine has, what is missing, and what to do about it.

use super::{Context, jobs};
use crate::failure::{End, Failure};
use crate::session::{Session, Tasks};
use crate::sidecar;
use crate::view::{self, Screen};
use deputy_agent::{backends, config::Config};
use deputy_policy::Rules;
use deputy_protocol::Confinement;

/// One thing that was looked at.
#[derive(serde::Serialize)]
struct Finding {
    name: &'static str,
    ok: bool,
    message: String,
}

impl Finding {
    fn ok(name: &'static str, message: impl Into<String>) -> Self {
        Self { name, ok: true, message: message.into() }
    }

    fn bad(name: &'static str, message: impl Into<String>) -> Self {
        Self { name, ok: false, message: message.into() }
    }
}

/// Looks at everything and fails where something needs mending.
pub(crate) async fn execute(cx: &Context) -> Result<End, Failure> {
    let config = Config::load(&cx.homes.deputy);
    let mut findings = vec![configuration(&config), rules(cx), walls()];
    findings.push(home(cx).await);
    findings.push(organised(cx));
    if let Ok(config) = &config {
        findings.push(backend(cx, config));
        findings.push(python(cx, config).await);
    }
    let is_well = findings.iter().all(|finding| finding.ok);
    for finding in &findings {
        if cx.json {
            view::print_json(finding);
        } else {
            let mark = if finding.ok { "✓" } else { "✗" };
            Screen::new().line(&format!("{mark} {:14} {}", finding.name, finding.message));
        }
    }
    Ok(if is_well { End::Done } else { End::Failed })
}

fn configuration(config: &Result<Config, deputy_agent::config::ConfigError>) -> Finding {
    match config {
        Ok(_) => Finding::ok("configuration", "is valid"),
        Err(error) => Finding::bad("configuration", error.to_string()),
    }
}

fn rules(cx: &Context) -> Finding {
    let path = cx.homes.deputy.join("rules.toml");
    if !path.exists() {
        return Finding::ok("rules", "none of your own");
    }
    match Rules::load(&path) {
        Ok(_) => Finding::ok("rules", "are valid, and their examples hold"),
        Err(error) => Finding::bad("rules", format!("{error}; until it is mended everything asks")),
    }
}

fn walls() -> Finding {
    let walls = deputy_sandbox::walls();
    if walls.can_confine(Confinement::ReadOnly) {
        let notes = walls.describe();
        let kind =
            walls.landlock_abi.map_or_else(|| "bubblewrap".to_owned(), |abi| format!("Landlock ABI {abi}"));
        return Finding::ok(
            "walls",
            [vec![format!("commands are confined by {kind}")], notes].concat().join("; "),
        );
    }
    let missing = walls.describe().join("; ");
    Finding::bad("walls", format!("commands cannot be confined, so each of them asks: {missing}"))
}

/// Opens the database, as the host or through it.
async fn home(cx: &Context) -> Finding {
    let checked = async {
        let mut session = Session::open(&cx.homes, Tasks::Leave, false).await?;
        let text = match &session.own {
            Some(own) => {
                own.host.store().check_integrity()?;
                "the database is sound; no host is up".to_owned()
            }
            None => {
                session.state().await?;
                "a host is up and answers".to_owned()
            }
        };
        session.close().await;
        Ok::<_, Failure>(text)
    };
    match checked.await {
        Ok(text) => Finding::ok("home", format!("{}: {text}", cx.homes.deputy.display())),
        Err(failure) => {
            Finding::bad("home", format!("{} {}", failure.error.message, failure.error.hints.join(" ")))
        }
    }
}

/// A job that was cut off blocks its folder until somebody decides about it.
fn organised(cx: &Context) -> Finding {
    match jobs::interrupted(cx) {
        Ok(found) if found.is_empty() => Finding::ok("jobs", "none was cut off"),
        Ok(found) => Finding::bad("jobs", jobs::interrupted_lines(&found).join("; ")),
        Err(failure) => Finding::bad("jobs", failure.error.message),
    }
}

fn backend(cx: &Context, config: &Config) -> Finding {
    match backends::check(&cx.homes.deputy, config, &config.backend) {
        Ok(()) => Finding::ok("backend", format!("{} is ready to be asked", config.backend)),
        Err(error) => Finding::bad("backend", format!("{} {}", error.message, error.hints.join(" "))),
    }
}

async fn python(cx: &Context, config: &Config) -> Finding {
    let Some(found) = sidecar::find(config) else {
        return Finding::bad(
            "sidecar",
            "its package is not beside this executable; in a checkout run `make build`",
        );
    };
    if !found.python.exists() {
        let text =
            format!("its Python {} is missing; in a checkout run `make setup`", found.python.display());
        return Finding::bad("sidecar", text);
    }
    let sidecar = sidecar::make(&cx.homes, config);
    let started = sidecar.warm().await;
    sidecar.shutdown().await;
    match started {
        Ok(hello) => Finding::ok(
            "sidecar",
            format!("version {} starts; backends: {}", hello.version, hello.backends.join(", ")),
        ),
        Err(error) => Finding::bad("sidecar", error.to_string()),
    }
}
