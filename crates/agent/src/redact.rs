//! Takes what looks like a secret out of what tools return, before it is journalled and told to the model.
//!
//! Policy keeps secrets out of reach where it knows their places; this is for the ones that lie elsewhere: a token in a
//! log, a password in an address. It knows shapes, so it finds the ones whose shape is known, and no others.
//!
//! A model that was shown a file without its secrets must not write it back so: a call that carries the mark and may
//! change something is not run.

use deputy_protocol::{Effect, ToolResult};
use regex::{Captures, Regex};
use serde_json::Value;
use std::borrow::Cow;
use std::sync::LazyLock;

/// What stands where a secret stood; no text that people write.
const REDACTED: &str = "[redacted by Deputy]";

/// Shapes that are secrets as a whole: the providers made their beginnings to be recognised.
const WHOLE: &[&str] = &[
    r"\b(?:AKIA|ASIA|ABIA|ACCA)[0-9A-Z]{16}\b",
    r"\bgh[pousr]_[A-Za-z0-9]{30,255}\b",
    r"\bgithub_pat_[A-Za-z0-9_]{40,255}\b",
    r"\bgl(?:pat|ptt|dt|rt|cbt|oas|soat|ft)-[A-Za-z0-9_-]{20,}",
    r"\bxox[abeoprs]-[A-Za-z0-9-]{10,}",
    r"\bxapp-[0-9]-[A-Za-z0-9-]{10,}",
    r"https://hooks\.slack\.com/(?:services|workflows)/[A-Za-z0-9/_-]{20,}",
    r"https://(?:[a-z]+\.)?discord(?:app)?\.com/api/webhooks/[0-9]+/[A-Za-z0-9_-]{20,}",
    r"\bAIza[A-Za-z0-9_-]{35}",
    r"\bya29\.[A-Za-z0-9_-]{20,}",
    r"\bGOCSPX-[A-Za-z0-9_-]{20,}",
    r"\bsk-(?:proj|ant|or|svcacct|admin)-[A-Za-z0-9_-]{16,}",
    r"\bsk-[A-Za-z0-9]{32,}\b",
    r"\b(?:gsk|hf|r8|npm|rnd)_[A-Za-z0-9]{30,}\b",
    r"\b(?:xai|pplx)-[A-Za-z0-9]{30,}\b",
    r"\b[prs]k_(?:live|test)_[A-Za-z0-9]{16,}\b",
    r"\bwhsec_[A-Za-z0-9+/=]{24,}",
    r"\bpypi-AgE[A-Za-z0-9_-]{40,}",
    r"\bSG\.[A-Za-z0-9_-]{16,}\.[A-Za-z0-9_-]{16,}",
    r"\bkey-[0-9a-f]{32}\b",
    r"\bSK[0-9a-f]{32}\b",
    r"\bdo[opr]_v1_[0-9a-f]{64}\b",
    r"\bdapi[0-9a-f]{32}\b",
    r"\bdp\.(?:pt|st|ct|sa)\.[A-Za-z0-9._-]{30,}",
    r"\blin_(?:api|oauth)_[A-Za-z0-9]{30,}\b",
    r"\b(?:ntn|secret)_[A-Za-z0-9]{40,}\b",
    r"\bshp(?:at|ca|pa|ss)_[0-9a-fA-F]{32}\b",
    r"\bsq0[a-z]{3}-[A-Za-z0-9_-]{22,}",
    r"\b[0-9]{8,10}:AA[A-Za-z0-9_-]{33}",
    r"\b[MNO][A-Za-z0-9_-]{23,25}\.[A-Za-z0-9_-]{6}\.[A-Za-z0-9_-]{27,}",
    r"\bAGE-SECRET-KEY-1[0-9A-Z]{58}\b",
    r"\bhv[bs]\.[A-Za-z0-9_-]{24,}",
    r"\bATATT3[A-Za-z0-9_=-]{50,}",
    r"\bdckr_pat_[A-Za-z0-9_-]{20,}",
    r"\bgl(?:sa|c)_[A-Za-z0-9_+/=]{32,}",
    r"\brubygems_[0-9a-f]{48}\b",
    r"\bcio[A-Za-z0-9]{32}\b",
    r"\bpscale_(?:tkn|pw|oauth)_[A-Za-z0-9._-]{32,}",
    r"\beyJ[A-Za-z0-9_-]{8,}\.eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}",
];

/// A private key from its first line to its last, or, where the end was cut off, as far as its text goes. Before each
/// line a tool may have put a file's name and the line's number, and the lines may stand in one with `\n` between.
const PRIVATE_KEY: &str = concat!(
    r"-----BEGIN (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----",
    r"(?:(?:\r?\n|\\n)(?:[^\s:\\]{1,200}[:-])?[ \t]*(?:[0-9]+[ \t:|-]+){0,2}",
    r"(?:[A-Z][A-Za-z-]+: [^\n]*|[A-Za-z0-9+/=]{20,}|[A-Za-z0-9+/=]*\r?(?:(?m:$)|\\n)))*",
    r"(?:(?:\r?\n|\\n)?(?:[^\s:\\]{1,200}[:-])?[ \t]*(?:[0-9]+[ \t:|-]+){0,2}-----END [A-Z0-9 ]+-----)?",
);

/// Shapes where a part between others is the secret: `before`, `secret`, and what follows stays.
const INSIDE: &[&str] = &[
    // The password of an address.
    r#"(?<before>\b[a-z][a-z0-9+.-]{1,20}://[^\s:/@"'<>]*:)(?<secret>[^\s/@"'<>]{3,})(?<after>@)"#,
    r"(?<before>(?i:\bauthorization\s*[:=]\s*(?:bearer|basic|token)\s+))(?<secret>[A-Za-z0-9._~+/=-]{8,})(?<after>)",
    r"(?<before>(?i:\bbearer\s+))(?<secret>[A-Za-z0-9._~+/=-]{20,})(?<after>)",
    r"(?<before>\blogin\s+\S+\s+password\s+)(?<secret>\S+)(?<after>)",
    r"(?<before>\b(?:AccountKey|SharedAccessKey)=)(?<secret>[A-Za-z0-9+/=]{20,})(?<after>)",
];

/// An assignment to a name that says what it holds: in quotes, or as environment files have it.
const ASSIGNED: &[&str] = &[
    r#"(?<before>(?i:\b[\w.-]*(?:passw(?:or)?d|secret|token|api[_-]?key|access[_-]?key|private[_-]?key)[\w-]*["']?\s*[:=]>?\s*["']))(?<secret>[^"'\s]{8,})(?<after>["'])"#,
    r"(?<before>(?m:^|[\s:|;&])(?:export\s+)?[A-Z0-9_]*(?:PASSWORD|PASSWD|SECRET|TOKEN|API_?KEY|ACCESS_?KEY|PRIVATE_?KEY)[A-Z0-9_]*=)(?<secret>[^\s'\x22]{6,})(?<after>)",
    r"(?<before>(?m:^|[\s:|;&])(?i:[a-z0-9_.:/-]*(?:password|secret_access_key|client_secret|auth_?token|session_token))\s*[=:]\s*)(?<secret>[^\s'\x22]{8,})(?<after>)",
];

static SHAPES: LazyLock<Shapes> = LazyLock::new(Shapes::new);

struct Shapes {
    whole: Option<Regex>,
    inside: Vec<Regex>,
    assigned: Vec<Regex>,
}

impl Shapes {
    fn new() -> Self {
        let whole = WHOLE.iter().chain([&PRIVATE_KEY]).map(|shape| format!("(?:{shape})"));
        // A test compiles each of them.
        let compile = |shapes: &[&str]| shapes.iter().filter_map(|shape| Regex::new(shape).ok()).collect();
        Self {
            whole: Regex::new(&whole.collect::<Vec<_>>().join("|")).ok(),
            inside: compile(INSIDE),
            assigned: compile(ASSIGNED),
        }
    }
}

/// The text without the secrets that can be told by their shape.
pub(crate) fn text(text: &str) -> Cow<'_, str> {
    let mut text = Cow::Borrowed(text);
    let shapes = &*SHAPES;
    if let Some(whole) = &shapes.whole {
        replace(&mut text, whole, |_| REDACTED.to_owned());
    }
    for shape in &shapes.inside {
        replace(&mut text, shape, |found| {
            let shown = if is_placeholder(&found["secret"]) { &found["secret"] } else { REDACTED };
            format!("{}{shown}{}", &found["before"], &found["after"])
        });
    }
    for shape in &shapes.assigned {
        replace(&mut text, shape, |found| {
            let is_secret = is_secret_value(&found["secret"]) && !names_something_else(&found["before"]);
            let shown = if is_secret { REDACTED } else { &found["secret"] };
            format!("{}{shown}{}", &found["before"], &found["after"])
        });
    }
    text
}

/// A result as it is to be journalled and told.
pub(crate) fn result(mut result: ToolResult) -> ToolResult {
    for field in [&mut result.content, &mut result.summary] {
        if let Cow::Owned(redacted) = text(field) {
            *field = redacted;
        }
    }
    result
}

/// A difference without the secrets that the file held before. What the call itself brings stays: the person who is
/// asked about it sees what would be written.
pub(crate) fn difference(diff: &str) -> String {
    let before = |diff: &str| {
        let lines: Vec<&str> = diff.lines().filter_map(|line| line.strip_prefix([' ', '-'])).collect();
        lines.join("\n")
    };
    let mut told = diff.to_owned();
    for secret in taken_out(&before(diff)) {
        told = told.replace(&secret, REDACTED);
    }
    // Should one be left, nothing of the file is shown.
    if text(&before(&told)) != before(&told) {
        let lines = told.lines().map(|line| match line.chars().next() {
            Some(sign @ (' ' | '-')) => format!("{sign}{REDACTED}\n"),
            _ => format!("{line}\n"),
        });
        told = lines.collect();
    }
    told
}

/// The secrets of a text, those of several lines line by line, the longest first.
fn taken_out(before: &str) -> Vec<String> {
    // Shorter lines of a secret tell nothing, and stand in many a text.
    const SHORTEST_LINE: usize = 6;
    let redacted = text(before);
    let Some((first, others)) = redacted.split_once(REDACTED) else { return Vec::new() };
    let (others, last) = others.rsplit_once(REDACTED).unwrap_or(("", others));
    let inside = before.strip_prefix(first).and_then(|rest| rest.strip_suffix(last));
    let mut rest = inside.unwrap_or(before);
    let mut found = Vec::new();
    // Blanks between two secrets may stand within one as well: both are taken as one.
    for kept in others.split(REDACTED).filter(|kept| !kept.trim().is_empty()) {
        if let Some((secret, behind)) = rest.split_once(kept) {
            found.push(secret);
            rest = behind;
        }
    }
    found.push(rest);
    let lines = found.into_iter().flat_map(str::lines).filter(|line| line.len() >= SHORTEST_LINE);
    let mut lines: Vec<String> = lines.map(str::to_owned).collect();
    lines.sort_by_key(|secret| std::cmp::Reverse(secret.len()));
    lines.dedup();
    lines
}

/// Why a call is not run: it would put the mark where a secret stands.
pub(crate) fn would_write_mark(parameters: &Value, effect: Effect) -> Option<String> {
    (effect != Effect::ReadOnly && holds_mark(parameters)).then(|| {
        format!(
            "Nothing was changed: the arguments hold `{REDACTED}`, which stands where a secret was taken out of what you \
             were shown, and writing it would destroy the secret. Change the lines around it with `patch`, or ask the user."
        )
    })
}

fn holds_mark(value: &Value) -> bool {
    match value {
        Value::String(text) => text.contains(REDACTED),
        Value::Array(values) => values.iter().any(holds_mark),
        Value::Object(fields) => fields.values().any(holds_mark),
        Value::Null | Value::Bool(_) | Value::Number(_) => false,
    }
}

fn replace(text: &mut Cow<'_, str>, shape: &Regex, with: impl Fn(&Captures<'_>) -> String) {
    if let Cow::Owned(replaced) = shape.replace_all(text, with) {
        *text = Cow::Owned(replaced);
    }
}

/// Whether what is assigned is a value rather than code, a placeholder or the name of a variable.
fn is_secret_value(value: &str) -> bool {
    let is_place = value.contains("://") || ["./", "../", "~/"].iter().any(|start| value.starts_with(start));
    let is_code = value.contains(['(', ')', '{', '}', '[', ']', ';']);
    let has_digit = value.chars().any(|c| c.is_ascii_digit());
    let has_mark = value.chars().any(|c| "!@#$%^&*+/=~?".contains(c));
    let has_letter = value.chars().any(char::is_alphabetic);
    !is_placeholder(value) && !is_place && !is_code && has_letter && (has_digit || has_mark)
}

/// Whether it stands for a value that comes from elsewhere.
fn is_placeholder(value: &str) -> bool {
    ["$", "<", "{", "%", "[redacted", "...", "***", "xxx", "&", "*"]
        .iter()
        .any(|start| value.starts_with(start))
}

/// Whether a name only speaks of a secret: where it is, what it is called, or of the tokens of a text.
fn names_something_else(before: &str) -> bool {
    const ENDINGS: &[&str] = &["url", "uri", "endpoint", "path", "file", "name", "type", "env", "header"];
    let name = before.trim_end_matches(|c: char| !c.is_alphanumeric()).to_ascii_lowercase();
    name.contains("tokeniz") || ENDINGS.iter().any(|ending| name.ends_with(ending))
}

#[cfg(test)]
#[path = "redact_tests.rs"]
mod tests;
