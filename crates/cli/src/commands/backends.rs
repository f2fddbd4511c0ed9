//! `deputy backends`: lists and checks model backends.

use super::Context;
use super::config::take_up;
use crate::args::BackendsCommand;
use crate::failure::{End, Failure};
use crate::sidecar;
use crate::view::secret;
use crate::view::{self, Screen};
use deputy_agent::config::{self, Config};
use deputy_agent::{backends, keyring, keys};
use deputy_protocol::{ErrorCode, Probe};

/// Lists the backends, checks one, or stores its key.
pub(crate) async fn execute(cx: &Context, command: BackendsCommand) -> Result<End, Failure> {
    let config = Config::load(&cx.homes.deputy)?;
    match command {
        BackendsCommand::List => {
            for name in backends::names(&cx.homes.deputy) {
                let is_default = name == config.backend;
                let problem = backends::check(&cx.homes.deputy, &config, &name).err();
                // An error in the declaration is already reported as the problem.
                let form = backends::form(&cx.homes.deputy, &name).ok().flatten();
                if cx.json {
                    view::print_json(
                        &serde_json::json!({"name": name, "default": is_default, "form": form, "problem": problem}),
                    );
                    continue;
                }
                let mark = if is_default { "*" } else { " " };
                let note = problem.map_or_else(|| "ready".to_owned(), |error| error.message.into());
                let label = form.map(|form| form.label).unwrap_or_default();
                let label = view::printable(&label);
                Screen::new().line(&format!("{mark} {name:18} {label:18} {note}"));
            }
            Ok(End::Done)
        }
        BackendsCommand::Check { name } => {
            check(cx, &config, &name.unwrap_or_else(|| config.backend.clone())).await
        }
        BackendsCommand::Key { name, remove } => {
            keep_key(cx, &config, &name.unwrap_or_else(|| config.backend.clone()), remove).await
        }
    }
}

/// Stores a key in the keyring or removes it. The key never appears in arguments, files or output.
async fn keep_key(cx: &Context, config: &Config, name: &str, remove: bool) -> Result<End, Failure> {
    backends::known(&cx.homes.deputy, name)?;
    let setting = format!("backends.{name}.{}", keys::IN_KEYRING);
    let entry = keys::entry(config, name);
    let cannot = |error: keyring::KeyringError| {
        let hint = format!(
            "Name a variable that holds the key instead: `deputy config set backends.{name}.api_key_env VARIABLE`."
        );
        Failure::new(ErrorCode::Keyring, format!("{error}."), hint)
    };
    if remove {
        keyring::remove(&entry).map_err(cannot)?;
        config::set(&cx.homes.deputy, &setting, "false")?;
        take_up(cx, &setting).await?;
        return Ok(End::Done);
    }
    let key = secret::read(&format!("Key for {entry}: "))?;
    if key.trim().is_empty() {
        return Err(Failure::usage("No key was given.", format!("Try `deputy backends key {name}` again.")));
    }
    keyring::set(&entry, key.trim()).map_err(cannot)?;
    config::set(&cx.homes.deputy, &setting, "true")?;
    take_up(cx, &setting).await?;
    if !cx.json {
        Screen::new().line(&format!("The keyring keeps the key as `{entry}`."));
    }
    Ok(End::Done)
}

async fn check(cx: &Context, config: &Config, name: &str) -> Result<End, Failure> {
    backends::check(&cx.homes.deputy, config, name)?;
    let sidecar = sidecar::make(&cx.homes, config);
    let answer = sidecar.models(config.backend(name)).await;
    let tools = match answer.is_ok() {
        true => backends::tool_trial(&cx.homes.deputy, &sidecar, config.backend(name)).await,
        false => None,
    };
    sidecar.shutdown().await;
    let models = answer
        .map_err(|error| Failure::new(ErrorCode::Backend, error.to_string(), settings_hint(cx, name)))?
        .models;
    if cx.json {
        view::print_json(&serde_json::json!({"name": name, "models": models, "tools": tools}));
        return Ok(if tools.is_some_and(|tools| !tools.ok) { End::Failed } else { End::Done });
    }
    let screen = Screen::new();
    let form = backends::form(&cx.homes.deputy, name).ok().flatten().unwrap_or_default();
    match form.probe {
        Some(Probe::Models) => screen.line(&format!("{name} answers.")),
        None => screen.line(&format!("{name} loads with its settings.")),
    }
    let wanted =
        config.backends.get(name).and_then(|settings| settings.get("model")).and_then(|model| model.as_str());
    for model in &models {
        let mark = if wanted == Some(model.as_str()) { "*" } else { " " };
        screen.line(&format!("{mark} {}", view::printable(model)));
    }
    if let Some(wanted) =
        wanted.filter(|wanted| !models.is_empty() && !models.iter().any(|model| model == wanted))
    {
        screen.line(&format!("The configured model `{wanted}` is not among them."));
        return Ok(End::Failed);
    }
    let Some(tools) = tools else { return Ok(End::Done) };
    screen.line(&view::printable(&tools.message));
    Ok(if tools.ok { End::Done } else { End::Failed })
}

/// Returns a hint that names the settings of a backend.
fn settings_hint(cx: &Context, name: &str) -> String {
    let form = backends::form(&cx.homes.deputy, name).ok().flatten().unwrap_or_default();
    let settings: Vec<&str> = form.settings.iter().map(|setting| setting.name.as_str()).collect();
    match settings.is_empty() {
        true => format!("`deputy config set backends.{name}.SETTING VALUE` changes a setting."),
        false => format!(
            "`deputy config set backends.{name}.SETTING VALUE` changes a setting; there are {}.",
            settings.join(", ")
        ),
    }
}
