//! `deputy web-search`: sets up web search for tasks.

use super::Context;
use super::config::take_up;
use crate::args::WebSearchCommand;
use crate::failure::{End, Failure};
use crate::view::{self, Screen, printable, secret};
use deputy_agent::config::{self, Config};
use deputy_agent::{keyring, searching};
use deputy_protocol::{ErrorCode, KeyPlaceKind, SearchChoice};

/// Lists providers, chooses one, checks it, or stores its key.
pub(crate) async fn execute(cx: &Context, command: WebSearchCommand) -> Result<End, Failure> {
    let config = Config::load(&cx.homes.deputy)?;
    match command {
        WebSearchCommand::List => Ok(list(cx, &config)),
        WebSearchCommand::Use { name, address } => choose(cx, &config, &name, address).await,
        WebSearchCommand::Check => check(cx, &config).await,
        WebSearchCommand::Key { name, remove } => {
            let name = name.or_else(|| config.search.provider.clone());
            let name = name.ok_or_else(|| {
                Failure::usage("No search provider is set.", "Name one: `deputy web-search key NAME`.")
            })?;
            keep_key(cx, &config, &name, remove).await
        }
    }
}

fn list(cx: &Context, config: &Config) -> End {
    let shown = searching::shown(&cx.homes.deputy, config);
    for choice in &shown.providers {
        if cx.json {
            view::print_json(&serde_json::json!(choice));
            continue;
        }
        let is_used = shown.provider.as_deref() == Some(&choice.name);
        let mark = if is_used { "*" } else { " " };
        let own = shown.address.clone().filter(|_| is_used);
        let address = own.or_else(|| choice.address.clone()).unwrap_or_default();
        let line = [choice.label.as_str(), &address, &state(choice)].map(printable).join(" · ");
        Screen::new().line(&format!("{mark} {:10} {}", choice.name, line.replace(" ·  · ", " · ")));
    }
    End::Done
}

/// Returns what a provider is missing, or where its key is.
fn state(choice: &SearchChoice) -> String {
    match (&choice.problem, &choice.key) {
        (Some(problem), _) => problem.to_string(),
        (None, Some(key)) if key.kind == KeyPlaceKind::Keyring => "key in the keyring".to_owned(),
        (None, Some(key)) => format!("key in {}", key.name),
        (None, None) if choice.takes_key => "needs a key".to_owned(),
        (None, None) if choice.address.is_none() => "needs an address".to_owned(),
        (None, None) => "needs no key".to_owned(),
    }
}

async fn choose(cx: &Context, config: &Config, name: &str, address: Option<String>) -> Result<End, Failure> {
    let form = searching::known(&cx.homes.deputy, name)?;
    let is_same = config.search.provider.as_deref() == Some(name);
    // The configured address belongs to another provider.
    let address = address.or_else(|| config.search.address.clone().filter(|_| is_same));
    if let Some(address) = &address {
        searching::is_address("search.address", address)?;
    } else if form.address.is_none() {
        let hint = format!("Name it: `deputy web-search use {name} --address https://...`.");
        return Err(Failure::usage(format!("{} needs its address.", form.label), hint));
    }
    let changes = [
        ("search.provider".to_owned(), Some(name.into())),
        ("search.address".to_owned(), address.map(Into::into)),
        // The configured variable holds another provider's key.
        (
            "search.api_key_env".to_owned(),
            config.search.api_key_env.clone().filter(|_| is_same).map(Into::into),
        ),
    ];
    config::change(&cx.homes.deputy, &changes)?;
    take_up(cx, "search.provider").await?;
    let config = Config::load(&cx.homes.deputy)?;
    let missing = searching::configured(&cx.homes.deputy, &config).err();
    if !cx.json {
        Screen::new().line(&match missing {
            Some(missing) => format!("Tasks search with {} once it is complete: {missing}.", form.label),
            None => format!("Tasks search with {}. Try it: `deputy web-search check`.", form.label),
        });
    }
    Ok(End::Done)
}

async fn check(cx: &Context, config: &Config) -> Result<End, Failure> {
    let failed = |why: deputy_protocol::Phrase| {
        Failure::new(ErrorCode::WebSearch, format!("{why}."), "Check its address and its key.")
    };
    let provider = searching::configured(&cx.homes.deputy, config).map_err(failed)?;
    let results = provider.check().await.map_err(failed)?;
    if cx.json {
        view::print_json(&serde_json::json!({"provider": config.search.provider, "results": results}));
    } else {
        let label = printable(&provider.form.label);
        let pages = if results == 1 { "page" } else { "pages" };
        Screen::new().line(&format!("{label} answers and found {results} {pages}."));
    }
    Ok(End::Done)
}

/// Stores a key in the keyring or removes it. The key never appears in arguments, files or output.
async fn keep_key(cx: &Context, config: &Config, name: &str, remove: bool) -> Result<End, Failure> {
    let entry = searching::entry(&cx.homes.deputy, config, name)?;
    let cannot = |error: keyring::KeyringError| {
        let hint =
            "Name a variable that holds the key instead: `deputy config set search.api_key_env VARIABLE`.";
        Failure::new(ErrorCode::Keyring, format!("{error}."), hint)
    };
    match remove {
        true => keyring::remove(&entry).map_err(cannot)?,
        false => {
            let key = secret::read(&format!("Key for {entry}: "))?;
            if key.trim().is_empty() {
                let hint = format!("Try `deputy web-search key {name}` again.");
                return Err(Failure::usage("No key was given.", hint));
            }
            keyring::set(&entry, key.trim()).map_err(cannot)?;
        }
    }
    let setting = (searching::KEYS_IN_KEYRING.to_owned(), searching::with_key(config, name, !remove));
    config::change(&cx.homes.deputy, &[setting])?;
    take_up(cx, searching::KEYS_IN_KEYRING).await?;
    if !cx.json && !remove {
        Screen::new().line(&format!("The keyring keeps the key as `{entry}`."));
    }
    Ok(End::Done)
}
