//! Recognizes credentials by the content of a file: checks the beginning of a small file whose name gives no hint.
//!
//! It recognizes only tokens that their providers made recognizable, keys with their header, and settings whose name
//! says that they contain a credential. The check can make an answer stricter, but never milder: a file that is too
//! large to be checked is judged without it.

use super::resolve::Resolved;
use super::{Operation, Refused, packed, protected};
use deputy_messages::policy as say;
use deputy_protocol::Risk;
use regex::bytes::Regex;
use std::fs::{File, Metadata};
use std::io::{Read, Seek, SeekFrom};
use std::path::Path;
use std::sync::LazyLock;

/// The size of the largest file that is checked, in bytes, unless it is packed.
const MAX_FILE: u64 = 64 * 1024;
/// The number of bytes that are checked at the beginning of a file.
const MAX_LOOK: u64 = 4 * 1024;

/// Private keys: a header at the beginning of the file, or a header followed by the text of a key.
const KEYS: &[&str] = &[
    r"\A\s*-----BEGIN (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----",
    r"-----BEGIN (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----(?:\r?\n|\\n|\\r\\n)\s*(?:[A-Za-z0-9+/=]{24,}|[A-Z][A-Za-z-]+: )",
    r"\A\s*PuTTY-User-Key-File-[0-9]:",
    r"\bAGE-SECRET-KEY-1[0-9A-Z]{40,}",
    r"(?im)^\s*PrivateKey\s*=\s*[A-Za-z0-9+/]{43}=",
    r"\botpauth://[a-z]+/[^\s]*secret=[A-Z2-7]{16,}",
];

/// Tokens whose prefix identifies their provider.
const TOKENS: &[&str] = &[
    r"\b(?:AKIA|ASIA)[0-9A-Z]{16}\b",
    r"\bgh[pousr]_[A-Za-z0-9]{30,255}\b",
    r"\bgithub_pat_[A-Za-z0-9_]{40,255}\b",
    r"\bgl(?:pat|ptt|dt|rt|cbt|oas|soat|ft)-[A-Za-z0-9_-]{20,}",
    r"\bxox[abeoprs]-[A-Za-z0-9-]{20,}",
    r"\bAIza[A-Za-z0-9_-]{35}",
    r"\bya29\.[A-Za-z0-9_-]{20,}",
    r"\bGOCSPX-[A-Za-z0-9_-]{20,}",
    r"\bsk-(?:proj|ant|or|svcacct|admin)-[A-Za-z0-9_-]{16,}",
    r"\b(?:gsk|hf|npm|dop_v1|doo_v1|dor_v1|rubygems|pscale_tkn|glsa|dckr_pat)_[A-Za-z0-9_-]{30,}",
    r"\b[rs]k_live_[A-Za-z0-9]{16,}\b",
    r"\bwhsec_[A-Za-z0-9+/=]{24,}",
    r"\bpypi-AgE[A-Za-z0-9_-]{40,}",
    r"\bSG\.[A-Za-z0-9_-]{16,}\.[A-Za-z0-9_-]{16,}",
    r"\bhv[bs]\.[A-Za-z0-9_-]{24,}",
    r"\bATATT3[A-Za-z0-9_=-]{50,}",
    r"\bshp(?:at|ca|pa|ss)_[0-9a-fA-F]{32}\b",
];

/// Fields of settings and data that contain credentials. Programs and documents are not searched for them, because
/// they mention such fields.
const FIELDS: &[&str] = &[
    r#"(?i)"(?:refresh_?token|access_?token|id_?token|auth_?token|oauth_?token|client_?secret|secret_?access_?key|private_?key|secret_?key|api_?key|bearer_?token)"\s*:\s*"([^"\s]{16,})""#,
    r#""(?:auth|identitytoken)"\s*:\s*"([A-Za-z0-9+/=]{16,})""#,
    r"(?i)\baws_secret_access_key\s*[=:]\s*([A-Za-z0-9/+]{40})",
    r#"(?i)(?:_authToken|_auth|npmAuthToken|npmAuthIdent)\s*[=:]\s*["']?([A-Za-z0-9+/=_-]{8,})"#,
    r"client-key-data:\s*([A-Za-z0-9+/=]{24,})",
    r#"(?m)^\s*(?:export\s+)?[A-Z0-9_]*(?:SECRET|TOKEN|PASSWORD|PASSWD|API_?KEY|ACCESS_?KEY|PRIVATE_?KEY)[A-Z0-9_]*=["']?([^\s'"$<{]{12,})"#,
    r"https?://[^\s:/@<>]*:([^\s/@<>]{16,})@",
];

/// A name or token in a URL in git's configuration.
const GIT_ADDRESS: &str = r"(?i)\b(?:https?|ftps?)://([^\s/@]*:[^\s/@]+|[A-Za-z0-9_-]{20,})@|\bextraheader\s*=.*(authorization)|\b(?:password|oauthtoken|token)\s*=\s*(\S{8,})";

/// Extensions of files that contain settings or data.
const DATA: &[&str] = &[
    "json",
    "yml",
    "yaml",
    "toml",
    "ini",
    "conf",
    "cfg",
    "cnf",
    "config",
    "properties",
    "env",
    "txt",
    "xml",
    "plist",
    "tfvars",
    "hcl",
    "bak",
    "old",
    "orig",
    "save",
    "rc",
    "local",
    "secret",
    "secrets",
    "token",
    "creds",
    "auth",
];

struct Shapes {
    whole: Option<Regex>,
    fields: Vec<Regex>,
    git: Option<Regex>,
}

static SHAPES: LazyLock<Shapes> = LazyLock::new(|| {
    let any = KEYS.iter().chain(TOKENS).map(|shape| format!("(?:{shape})")).collect::<Vec<_>>().join("|");
    // A test compiles each of them.
    Shapes {
        whole: Regex::new(&any).ok(),
        fields: FIELDS.iter().filter_map(|shape| Regex::new(shape).ok()).collect(),
        git: Regex::new(GIT_ADDRESS).ok(),
    }
});

/// Returns the refusal if reading a file would disclose credentials although the file's name is not that of a secret.
pub(super) fn credentials(operation: Operation, resolved: &Resolved) -> Option<Refused> {
    let metadata = resolved.metadata.as_ref()?;
    if operation != Operation::Read || !metadata.is_file() {
        return None;
    }
    if is_secret_content(&resolved.path, metadata) {
        return Some(Refused::ask(Risk::High, say::what_looks_like_credential()));
    }
    let name = resolved.path.file_name()?.to_string_lossy();
    protected::likely_secret(&name).map(|reason| Refused::ask(Risk::Medium, reason))
}

/// Whether to check the content of a file in a folder that is read as a whole: its name hints at credentials, or
/// gives no hint at all.
pub(crate) fn is_worth_a_look(path: &Path) -> bool {
    const WORDS: [&str; 9] =
        ["secret", "token", "passw", "cred", "key", "auth", "private", "wallet", "account"];
    const WITHOUT_ENDING: [&str; 6] = ["readme", "license", "makefile", "dockerfile", "changelog", "head"];
    let Some(name) = path.file_name().map(|name| name.to_string_lossy().to_lowercase()) else { return false };
    is_git_settings(path)
        || WORDS.iter().any(|word| name.contains(word))
        || !name.contains('.') && !WITHOUT_ENDING.contains(&name.as_str()) && !is_in_git(path)
        || protected::likely_secret(&name).is_some()
}

/// Whether the beginning of a small file looks like a credential.
pub(crate) fn holds_credentials(path: &Path) -> bool {
    path.symlink_metadata().is_ok_and(|metadata| metadata.is_file() && is_secret_content(path, &metadata))
}

fn is_secret_content(path: &Path, metadata: &Metadata) -> bool {
    if metadata.len() < 8 {
        return false;
    }
    let Ok(file) = File::open(path) else { return false };
    if let Some(is_secret) = packed::holds_secret_still(path, &file, is_credential) {
        return is_secret;
    }
    if metadata.len() > MAX_FILE {
        return false;
    }
    let mut head = Vec::new();
    let read = (&file).seek(SeekFrom::Start(0)).and_then(|_| file.take(MAX_LOOK).read_to_end(&mut head));
    read.is_ok() && is_credential(path, &head)
}

pub(super) fn is_credential(path: &Path, head: &[u8]) -> bool {
    let shapes = &*SHAPES;
    if shapes
        .whole
        .iter()
        .flat_map(|shape| shape.find_iter(head))
        .any(|found| !is_placeholder(found.as_bytes()))
    {
        return true;
    }
    if is_git_settings(path) {
        return shapes.git.as_ref().is_some_and(|shape| shape.is_match(head));
    }
    let ending = path.extension().map(|ending| ending.to_string_lossy().to_lowercase());
    let is_data = ending.is_none_or(|ending| DATA.contains(&ending.as_str()));
    is_data
        && shapes.fields.iter().any(|shape| {
            shape.captures_iter(head).any(|found| found.get(1).is_some_and(|it| is_random(it.as_bytes())))
        })
}

/// Whether the file is git's own configuration, including that of a submodule or of a bare repository.
fn is_git_settings(path: &Path) -> bool {
    let name = path.file_name().map(|name| name.to_string_lossy().to_lowercase()).unwrap_or_default();
    matches!(name.as_str(), ".gitmodules" | ".gitconfig")
        || matches!(name.as_str(), "config" | "config.worktree")
            && path.parent().is_some_and(|folder| folder.join("HEAD").is_file() || is_in_git(path))
}

fn is_in_git(path: &Path) -> bool {
    path.components().any(|part| part.as_os_str().eq_ignore_ascii_case(".git"))
}

/// Whether a value looks generated: it has many different characters, mixes letters and digits or is long, and
/// contains no placeholder word.
fn is_random(value: &[u8]) -> bool {
    let has = |is: fn(&u8) -> bool| value.iter().any(is);
    let mut seen = [false; 256];
    value.iter().for_each(|byte| seen[usize::from(*byte)] = true);
    has(u8::is_ascii_alphabetic)
        && (has(u8::is_ascii_digit) || value.len() >= 24)
        && seen.iter().filter(|is| **is).count() >= 8
        && !is_placeholder(value)
}

fn is_placeholder(value: &[u8]) -> bool {
    const WORDS: [&str; 12] = [
        "example",
        "xxxx",
        "your",
        "changeme",
        "placeholder",
        "dummy",
        "redacted",
        "<",
        "${",
        "{{",
        "process.env",
        "0000000000",
    ];
    let text = String::from_utf8_lossy(value).to_lowercase();
    WORDS.iter().any(|word| text.contains(word))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is(path: &str, text: &str) -> bool {
        is_credential(Path::new(path), text.as_bytes())
    }

    #[test]
    fn every_shape_compiles() {
        for shape in KEYS.iter().chain(TOKENS).chain(FIELDS).chain([&GIT_ADDRESS]) {
            Regex::new(shape).unwrap();
        }
    }

    #[test]
    fn keys_tokens_and_fields_of_settings_are_known_by_their_shape() {
        let token = format!("ghp_{}", "a1B2c3D4e5".repeat(4));
        for (path, text) in [
            ("notes", "-----BEGIN OPENSSH PRIVATE KEY-----\nabc"),
            ("src/a.ts", "const k = `-----BEGIN RSA PRIVATE KEY-----\nMIIEpAIBAAKCAQEA7bq1c2d3e4f5g6h7`"),
            ("x.ppk.txt", "PuTTY-User-Key-File-3: ssh-ed25519\n"),
            ("deploy.sh", &format!("curl -H 'Authorization: token {token}'")),
            ("data.json", "{\"refresh_token\": \"1//0gLk3jH5sPq9Zx8Wv7\"}"),
            ("conf.ini", "aws_secret_access_key = wJalrXUtnFEMI/K7MDENG/bPxRfiCYzzzzKEYqqq"),
            ("wg.txt", "[Interface]\nPrivateKey = yAnz5TF+lXXJte14tji3zlMNq+hd2rYUIgJBgB3fBmk=\n"),
            (".git/config", "[remote \"o\"]\n\turl = https://me:tok@host.test/a.git\n"),
            (".git/config", "[remote \"o\"]\n\turl = https://f3a9c1d7e5b2f3a9c1d7e5b2@host.test/a.git\n"),
            (".git/modules/a/config", "[remote \"o\"]\n\turl = https://me:tok@host.test/a.git\n"),
            ("settings", "DB_PASSWORD=h7Gk29sLq0xZ\n"),
        ] {
            assert!(is(path, text), "{path}: {text}");
        }
    }

    #[test]
    fn what_only_speaks_of_credentials_is_none() {
        for (path, text) in [
            ("src/a.rs", "assert!(text.contains(\"-----BEGIN RSA PRIVATE KEY-----\"));"),
            ("README.md", "Set `API_TOKEN=your-token-here-please` first, or AKIAIOSFODNN7EXAMPLE."),
            (".git/config", "[remote \"o\"]\n\turl = https://host.test/a.git\n\turl = git@host.test:a.git\n"),
            ("compose.yml", "DATABASE_URL: postgres://postgres:postgres@db/app\n"),
            ("a.json", "{\"access_token\": \"string\", \"token_endpoint\": \"https://a.test/oauth/token\"}"),
            ("locales/en.json", "{\"api_key\": \"Enter the key of your account here\"}"),
            ("conf.ini", "API_TOKEN=${API_TOKEN}\nSECRET_KEY=changeme-changeme-1\n"),
            ("src/a.py", "TOKEN = os.environ['TOKEN']\n"),
            ("pub.txt", "-----BEGIN PUBLIC KEY-----\nMIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8A\n"),
        ] {
            assert!(!is(path, text), "{path}: {text}");
        }
    }
}
