//! Web search on the settings page: the provider, its key in the keyring, and a test search.

use super::HostError;
use super::settings::{SettingsFile, failed, keep_key};
use crate::config::{self, Config};
use crate::searching;
use deputy_messages::Phrase;
use deputy_messages::agent as say;
use deputy_protocol::{
    Answers, CheckSearchQuery, CommandId, DoneOutcome, ErrorBody, ErrorCode, Performs, SearchCheck,
    SetSearchKeyCommand,
};
use std::time::Instant;

impl SettingsFile {
    /// Checks a change of `search.provider` or `search.address`.
    pub(super) fn checked_for_search(
        &self,
        config: &Config,
        key: &str,
        text: Option<&str>,
    ) -> Result<(), ErrorBody> {
        let refused =
            |message: Phrase, hint: Phrase| Err(ErrorBody::new(ErrorCode::BadSetting, message, hint));
        let search = &config.search;
        let now = if key == "search.provider" { &search.provider } else { &search.address };
        // A variable's key was meant for the previous provider and must not be sent to another.
        if search.api_key_env.is_some() && now.as_deref() != text {
            return refused(say::key_of_search_comes_from_variable(), say::change_both_with_deputy_config());
        }
        match text {
            Some(name) if key == "search.provider" => {
                searching::known(&self.core.home, name)?;
            }
            Some(address) => searching::is_address(key, address)?,
            None => {}
        }
        Ok(())
    }
}

impl Performs<SetSearchKeyCommand> for SettingsFile {
    async fn perform(&self, _: &CommandId, set: SetSearchKeyCommand) -> Result<DoneOutcome, ErrorBody> {
        let _changing = self.core.changing.lock().await;
        let SetSearchKeyCommand { provider, key } = set;
        let config = self.core.config();
        let entry = searching::entry(&self.core.home, &config, &provider)?;
        let is_kept = keep_key(entry, key, say::name_variable_that_holds_search_key).await?;
        let setting =
            (searching::KEYS_IN_KEYRING.to_owned(), searching::with_key(&config, &provider, is_kept));
        config::change(&self.core.home, &[setting]).map_err(HostError::from)?;
        self.take_up_settings().await?;
        Ok(DoneOutcome {})
    }
}

impl Answers<CheckSearchQuery> for SettingsFile {
    async fn answer(&self, _: CheckSearchQuery) -> Result<SearchCheck, ErrorBody> {
        let (home, config) = (self.core.home.clone(), self.core.config());
        let begun = Instant::now();
        let provider = config.search.provider.clone().unwrap_or_default();
        let found = tokio::task::spawn_blocking(move || searching::configured(&home, &config));
        let checked = match found.await.map_err(failed)? {
            Ok(provider) => provider.check().await,
            Err(missing) => Err(missing),
        };
        let took_ms = u64::try_from(begun.elapsed().as_millis()).unwrap_or(u64::MAX);
        let (results, problem) = match checked {
            Ok(results) => (u32::try_from(results).unwrap_or(u32::MAX), None),
            Err(why) => {
                let problem = ErrorBody::new(ErrorCode::WebSearch, why, say::check_search_settings());
                (0, Some(problem))
            }
        };
        Ok(SearchCheck { provider, problem, results, took_ms })
    }
}
