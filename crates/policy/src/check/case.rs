//! A case as it is written. Its fields are at the top level or, as in the published cases, in `setup`.

use crate::Situation;
use crate::path::{PatternError, SecretPattern, real_folder};
use serde_json::value::RawValue;
use serde_json::{Map, Value};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// The fields that the setup of a case about a remembered answer may have: the folders to which it applies, and the
/// run in which it is tried.
const UNDERSTOOD: [&str; 14] = [
    "files",
    "dirs",
    "symlinks",
    "hardlinks",
    "git_config",
    "cwd",
    "env",
    "roots",
    "home",
    "workspace",
    "session",
    "task",
    "run",
    "redirects",
];

/// The reason why a line is not a case that can be judged.
#[derive(Debug, thiserror::Error)]
pub(super) enum Malformed {
    #[error("the case is not JSON: {0}")]
    Json(serde_json::Error),
    #[error("the case is not a JSON object")]
    NotAnObject,
    #[error("the case has no `{field}`, or it is not {expected}")]
    Field { field: &'static str, expected: &'static str },
    #[error("the case names an unknown {what}: {value}")]
    Unknown { what: &'static str, value: String },
}

/// A case.
pub(super) struct Case {
    fields: Map<String, Value>,
}

impl Case {
    pub(super) fn parse(line: &str) -> Result<Self, Malformed> {
        match serde_json::from_str(line).map_err(Malformed::Json)? {
            Value::Object(fields) => Ok(Self { fields }),
            _ => Err(Malformed::NotAnObject),
        }
    }

    /// Returns the id of a line that cannot be parsed as a whole, such as a line with half a surrogate pair in a
    /// text.
    pub(super) fn id_of_malformed(line: &str) -> Value {
        let fields: Result<BTreeMap<String, Box<RawValue>>, _> = serde_json::from_str(line);
        let id = fields.ok().and_then(|fields| serde_json::from_str(fields.get("id")?.get()).ok());
        id.unwrap_or(Value::Null)
    }

    pub(super) fn id(&self) -> Value {
        self.fields.get("id").cloned().unwrap_or(Value::Null)
    }

    pub(super) fn tool(&self) -> Result<&str, Malformed> {
        // If a case names no tool, it is determined by the operation or by the presence of a remembered answer.
        match self.get("tool").or_else(|| self.get("op")) {
            Some(Value::String(tool)) => Ok(tool),
            None if self.get("remembered").is_some() => Ok("grant"),
            _ => Err(Malformed::Field { field: "tool", expected: "a text" }),
        }
    }

    /// Returns a field of the case's setup or of the case itself.
    pub(super) fn get(&self, field: &str) -> Option<&Value> {
        let setup = self.fields.get("setup").and_then(|setup| setup.get(field));
        setup.or_else(|| self.fields.get(field)).filter(|value| !value.is_null())
    }

    /// Refuses a setup with a field that is not judged: an answer must not depend on ignored fields.
    pub(super) fn understood(&self) -> Result<(), Malformed> {
        let setup = self.fields.get("setup").and_then(Value::as_object);
        let unknown =
            setup.and_then(|setup| setup.keys().find(|field| !UNDERSTOOD.contains(&field.as_str())));
        unknown.map_or(Ok(()), |field| {
            Err(Malformed::Unknown { what: "field of the setup", value: field.clone() })
        })
    }

    /// Whether the attempt is made in the run in which the answer was given: the same session, task and kind of run
    /// (`terminal`, `background`). A field that neither side names counts as the same.
    pub(super) fn is_same_run(&self) -> bool {
        ["session", "task", "run"].iter().all(|field| {
            let given = self.get("remembered").and_then(|remembered| remembered.get(*field));
            let tried = self.get(field);
            tried.is_none() && given.is_none() || tried == given
        })
    }

    pub(super) fn text(&self, field: &'static str) -> Result<&str, Malformed> {
        self.get(field).and_then(Value::as_str).ok_or(Malformed::Field { field, expected: "a text" })
    }

    pub(super) fn list(&self, field: &'static str) -> Result<&[Value], Malformed> {
        match self.get(field) {
            Some(Value::Array(values)) => Ok(values),
            _ => Err(Malformed::Field { field, expected: "a list" }),
        }
    }

    /// Returns a list of texts. Empty if the field is absent.
    pub(super) fn texts(&self, field: &'static str) -> Result<Vec<String>, Malformed> {
        if self.get(field).is_none() {
            return Ok(Vec::new());
        }
        self.list(field)?
            .iter()
            .map(|value| {
                value
                    .as_str()
                    .map(str::to_owned)
                    .ok_or(Malformed::Field { field, expected: "a list of texts" })
            })
            .collect()
    }

    /// Returns the situation that the case describes, without remembered answers.
    pub(super) fn situation(&self) -> Result<Situation, Malformed> {
        let workspace = self.folder("workspace")?;
        let cwd = match self.get("cwd") {
            Some(_) => workspace.join(self.text("cwd")?),
            None => workspace.clone(),
        };
        let home = self.folder("home")?;
        Ok(Situation {
            deputy_home: home.join(".local/share/deputy"),
            cwd,
            home,
            roots: self.texts("roots")?.into_iter().map(|root| workspace.join(root)).collect(),
            env: self.environment()?,
            workspace,
            ..self.placeless()?
        })
    }

    /// Returns the situation of a case in which folders do not matter.
    pub(super) fn placeless(&self) -> Result<Situation, Malformed> {
        let allow_hosts = if self.get("allow_hosts").is_some() { "allow_hosts" } else { "allowlist" };
        Ok(Situation {
            cwd: PathBuf::from("/"),
            secrets: self.secrets()?,
            allow_hosts: self.texts(allow_hosts)?,
            walls: true,
            ..Situation::new("/nonexistent", "/nonexistent", "/nonexistent")
        })
    }

    fn secrets(&self) -> Result<Vec<SecretPattern>, Malformed> {
        let unknown = |error: PatternError| Malformed::Unknown { what: "secret", value: error.to_string() };
        self.texts("secrets")?.iter().map(|text| SecretPattern::parse(text).map_err(unknown)).collect()
    }

    fn folder(&self, field: &'static str) -> Result<PathBuf, Malformed> {
        let path = Path::new(self.text(field)?);
        if path.is_absolute() {
            Ok(path.to_owned())
        } else {
            Err(Malformed::Field { field, expected: "an absolute path" })
        }
    }

    fn environment(&self) -> Result<BTreeMap<String, String>, Malformed> {
        let malformed = || Malformed::Field { field: "env", expected: "an object of texts" };
        match self.get("env") {
            None => Ok(BTreeMap::new()),
            Some(Value::Object(variables)) => variables
                .iter()
                .map(|(name, value)| Ok((name.clone(), value.as_str().ok_or_else(malformed)?.to_owned())))
                .collect(),
            Some(_) => Err(malformed()),
        }
    }
}

/// Returns the situation with its readable folders made writable, because cases name a single set of roots for both.
pub(super) fn with_writable_roots(mut situation: Situation) -> Situation {
    if !situation.roots.is_empty() {
        let roots = situation.roots.iter().chain([&situation.workspace]);
        situation.scope.write = roots.map(|root| real_folder(root).to_string_lossy().into_owned()).collect();
    }
    situation
}
