//! Reads the declaration of a backend from the head of its file, without running the file.
//!
//! The declaration is TOML in comments between `# /// deputy` and `# ///`, the format of Python's inline script
//! metadata. Lists, checks and the settings page therefore need no Python, and reading a user's file does not run it.

use deputy_messages::agent as say;
use deputy_protocol::{BackendForm, BackendSetting, Phrase, SettingKind};
use std::path::Path;
use std::sync::LazyLock;
use toml_edit::Value;

const OPENING: &str = "# /// deputy";
const CLOSING: &str = "# ///";
/// The maximum size of the part of a file that is searched for a declaration.
const LONGEST_BYTES: u64 = 64 * 1024;

/// The files that come with Deputy, in the order of lists and in the order in which they are offered a local server.
const SOURCES: &[(&str, &str)] = &[
    ("offline", include_str!("../../../../sidecar/deputy_sidecar/backends/offline.py")),
    ("anthropic", include_str!("../../../../sidecar/deputy_sidecar/backends/anthropic.py")),
    ("gemini", include_str!("../../../../sidecar/deputy_sidecar/backends/gemini.py")),
    ("local_gguf", include_str!("../../../../sidecar/deputy_sidecar/backends/local_gguf.py")),
    ("ollama", include_str!("../../../../sidecar/deputy_sidecar/backends/ollama.py")),
    ("openai", include_str!("../../../../sidecar/deputy_sidecar/backends/openai.py")),
    ("openai_compatible", include_str!("../../../../sidecar/deputy_sidecar/backends/openai_compatible.py")),
];

/// The backends that come with Deputy, with their declarations.
pub(super) static SHIPPED: LazyLock<Vec<(&'static str, BackendForm)>> = LazyLock::new(|| {
    let form = |name: &str, text: &str| worded(name, parse(text).ok().flatten().unwrap_or_default());
    SOURCES.iter().map(|(name, text)| (*name, form(name, text))).collect()
});

/// Replaces the texts of a form by messages, if the catalogue has them.
fn worded(backend: &str, mut form: BackendForm) -> BackendForm {
    let message = |words: &mut Phrase, id: &str| {
        let known = deputy_messages::fixed(&id.replace('_', "-"));
        if let Some(known) = known.filter(|known| **known == **words) {
            *words = known;
        }
    };
    message(&mut form.label, &format!("backends-label-of-{backend}"));
    message(&mut form.summary, &format!("backends-summary-of-{backend}"));
    for BackendSetting { name, label, hint, .. } in &mut form.settings {
        message(label, &format!("backends-setting-{name}"));
        message(hint, &format!("backends-hint-{backend}-{name}"));
    }
    form
}

/// The reason why a declaration cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum FormError {
    /// The file cannot be read.
    Io {
        /// The file.
        path: String,
        /// The cause.
        source: std::io::Error,
    },
    /// The declaration is not valid.
    Invalid(Phrase),
}

impl FormError {
    /// Returns the message for this error.
    pub fn phrase(&self) -> Phrase {
        match self {
            Self::Io { path, source } => say::backend_file_unreadable(path, source),
            Self::Invalid(why) => say::declaration_not_valid(why.clone()),
        }
    }
}

/// Reads the declaration of a user's file. `None` if the file has no declaration.
pub(super) fn read(path: &Path) -> Result<Option<BackendForm>, FormError> {
    use std::io::Read as _;
    let io = |source| FormError::Io { path: path.display().to_string(), source };
    let mut head = Vec::new();
    std::fs::File::open(path).map_err(io)?.take(LONGEST_BYTES).read_to_end(&mut head).map_err(io)?;
    parse(&String::from_utf8_lossy(&head))
}

fn parse(text: &str) -> Result<Option<BackendForm>, FormError> {
    let mut lines = text.lines().skip_while(|line| line.trim_end() != OPENING).skip(1);
    let mut declared = String::new();
    let mut is_declared = false;
    loop {
        match lines.next() {
            Some(line) if line.trim_end() == CLOSING => break,
            Some(line) => {
                is_declared = true;
                let line =
                    line.strip_prefix('#').ok_or_else(|| FormError::Invalid(say::line_no_comment()))?;
                declared.push_str(line.strip_prefix(' ').unwrap_or(line));
                declared.push('\n');
            }
            None if is_declared => return Err(FormError::Invalid(say::end_is_missing())),
            None => return Ok(None),
        }
    }
    toml::from_str(&declared).map(Some).map_err(|error| FormError::Invalid(error.to_string().into()))
}

/// The reason why a setting cannot have a value.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
pub(crate) enum Unfit {
    /// No setting has this name.
    Unknown(Phrase),
    /// The setting takes another kind of value.
    Kind(Phrase),
}

impl Unfit {
    /// Returns the message for this error.
    pub(crate) fn phrase(&self) -> Phrase {
        match self {
            Self::Unknown(why) | Self::Kind(why) => why.clone(),
        }
    }
}

deputy_messages::said_by_phrase!(FormError, Unfit);

/// Returns the setting with a name.
pub(crate) fn setting<'a>(form: &'a BackendForm, name: &str) -> Result<&'a BackendSetting, Unfit> {
    form.settings.iter().find(|setting| setting.name == name).ok_or_else(|| {
        let names: Vec<&str> = form.settings.iter().map(|setting| setting.name.as_str()).collect();
        Unfit::Unknown(if names.is_empty() {
            say::backend_has_no_settings()
        } else {
            say::backend_has_no_such_setting(names.join(", "))
        })
    })
}

/// Checks that a value fits a setting.
pub(crate) fn fits(setting: &BackendSetting, value: &Value) -> Result<(), Unfit> {
    let kind = |what: Phrase| Err(Unfit::Kind(what));
    match setting.kind {
        // The name of a model may look like a number.
        SettingKind::Text | SettingKind::Model if value.is_inline_table() || value.is_array() => {
            kind(say::takes_one_line())
        }
        SettingKind::Text | SettingKind::Model => Ok(()),
        SettingKind::Address if value.as_str().is_some_and(is_address) => Ok(()),
        SettingKind::Address => kind(say::takes_address()),
        SettingKind::Number if value.is_integer() || value.is_float() => Ok(()),
        SettingKind::Number => kind(say::takes_number()),
        SettingKind::Switch if value.is_bool() => Ok(()),
        SettingKind::Switch => kind(say::takes_switch()),
        SettingKind::Choice => {
            let text =
                value.as_str().map(str::to_owned).unwrap_or_else(|| value.to_string().trim().to_owned());
            if setting.choices.contains(&text) {
                Ok(())
            } else {
                kind(say::takes_one_of(setting.choices.join(", ")))
            }
        }
        SettingKind::Table if value.is_inline_table() => Ok(()),
        SettingKind::Table => kind(say::takes_table()),
    }
}

/// Returns whether a text is the address of a server, without a user, a query or anything else that could obscure the
/// target.
fn is_address(address: &str) -> bool {
    let rest = address.strip_prefix("https://").or_else(|| address.strip_prefix("http://"));
    let host = rest.map(|rest| rest.split('/').next().unwrap_or_default()).unwrap_or_default();
    !host.is_empty() && !address.contains(['?', '#', '\\']) && !address.chars().any(char::is_whitespace)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_comes_with_deputy_declares_itself_and_nothing_is_left_out() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../sidecar/deputy_sidecar/backends");
        let mut planning = 0;
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.extension().is_some_and(|end| end == "py")
                && let Some(form) = read(&path).unwrap()
            {
                planning += 1;
                let name = path.file_stem().unwrap().to_str().unwrap();
                let (_, listed) = SHIPPED.iter().find(|(other, _)| *other == name).expect(name);
                assert_eq!(listed, &worded(name, form.clone()));
                assert!(!form.label.is_empty() && !form.summary.is_empty(), "{name}");
                // The texts of the settings page can be translated, because messages with exactly these texts exist.
                let shown = listed.settings.iter().filter(|setting| !setting.advanced);
                let words = shown.flat_map(|setting| [&setting.label, &setting.hint]);
                for words in words.chain([&listed.label, &listed.summary]).filter(|words| !words.is_empty()) {
                    assert!(words.id().is_some(), "{name}: {words}");
                }
                for setting in &form.settings {
                    let default =
                        setting.default.as_ref().map(|default| default.to_string().parse::<Value>().unwrap());
                    let fits = default.map_or(Ok(()), |default| fits(setting, &default));
                    assert_eq!(fits, Ok(()), "{name}.{}", setting.name);
                }
            }
        }
        assert_eq!(planning, SOURCES.len());
    }

    #[test]
    fn a_broken_declaration_is_an_error_and_none_is_none() {
        assert_eq!(parse("class Echo: pass\n").unwrap(), None);
        let form = parse("'''Doc.'''\n\n# /// deputy\n# label = \"Echo\"\n#\n# ///\n").unwrap().unwrap();
        assert_eq!(form.label, "Echo");
        for broken in [
            "# /// deputy\n# label = \"x\"\n",
            "# /// deputy\n# label = 3\n# ///\n",
            "# /// deputy\nlabel = 1\n# ///\n",
        ] {
            assert!(parse(broken).is_err(), "{broken}");
        }
    }

    #[test]
    fn values_fit_by_kind() {
        let form = parse(
            "# /// deputy\n# label = \"x\"\n# settings = [\n\
             #   { name = \"url\", label = \"u\", kind = \"address\" },\n\
             #   { name = \"n\", label = \"n\", kind = \"number\" },\n\
             #   { name = \"model\", label = \"m\", kind = \"model\" },\n\
             #   { name = \"c\", label = \"c\", kind = \"choice\", choices = [\"auto\", \"true\"] },\n\
             #   { name = \"s\", label = \"s\", kind = \"switch\" },\n\
             #   { name = \"t\", label = \"t\", kind = \"table\" },\n# ]\n# ///\n",
        )
        .unwrap()
        .unwrap();
        let fits = |name: &str, value: &str| {
            let value = value.parse::<Value>().unwrap();
            setting(&form, name).and_then(|setting| fits(setting, &value)).is_ok()
        };
        for (name, value) in [
            ("url", "\"https://a.example/v1\""),
            ("n", "1.5"),
            ("model", "7"),
            ("c", "true"),
            ("c", "\"auto\""),
            ("s", "false"),
            ("t", "{ a = \"b\" }"),
        ] {
            assert!(fits(name, value), "{name} {value}");
        }
        for (name, value) in [
            ("url", "\"ftp://a\""),
            ("url", "1"),
            ("n", "\"many\""),
            ("c", "\"x\""),
            ("s", "\"yes\""),
            ("t", "1"),
            ("nothing", "1"),
        ] {
            assert!(!fits(name, value), "{name} {value}");
        }
    }
}
