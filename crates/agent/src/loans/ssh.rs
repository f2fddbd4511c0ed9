//! A person's SSH keys, lent through an agent: the person's own if it runs, else a temporary agent that reads the
//! person's key files and ends with the call. The key files stay hidden in both cases.

use super::error::LoanError;
use super::known_hosts::{Destination, destination};
use super::outside::Outside;
use super::serving::serve;
use super::ssh_agent::{Allowed, answer, count_keys};
use super::{Place, Prepared};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use deputy_policy::{SignatureLoan, SshLoan};
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

/// How long a temporary agent may take to start.
const START_PATIENCE: Duration = Duration::from_secs(5);
/// The maximum number of entries of `~/.ssh` that are examined.
const MOST_ENTRIES: usize = 256;

/// What one call may do with the keys.
#[derive(Default)]
pub(super) struct Agent {
    allowed: Allowed,
    /// The agent that the person's configuration names.
    named: Option<PathBuf>,
    key_files: Vec<PathBuf>,
    /// The command with which the person has git start `ssh`.
    command: Option<Vec<String>>,
}

impl Agent {
    /// Adds servers to log in to.
    pub(super) async fn sign_in(&mut self, loan: &SshLoan, outside: &Outside) -> Result<(), LoanError> {
        let command = loan.command.clone().unwrap_or_else(|| vec!["ssh".to_owned()]);
        for server in &loan.servers {
            let found = destination(server, &command, outside).await;
            let Some(Destination { known, agent, key_files }) = found else {
                let (command, host) = (command.join(" "), server.host.clone());
                return Err(LoanError::UnknownServer { command, host });
            };
            self.allowed.servers.push(known);
            self.named = self.named.take().or(agent);
            self.key_files.extend(key_files);
        }
        self.command = Some(command);
        Ok(())
    }

    /// Adds permission to sign commits and tags.
    pub(super) async fn sign(
        &mut self,
        loan: &SignatureLoan,
        outside: &Outside,
        place: &Place,
        prepared: &mut Prepared,
    ) -> Result<(), LoanError> {
        if loan.format != "ssh" {
            return Err(LoanError::SignatureKind(loan.format.clone()));
        }
        let key = loan.key.as_ref().ok_or(LoanError::NoSigningKey)?;
        // With the public key, git asks the agent to sign.
        let literal = key.strip_prefix("key::").unwrap_or(key);
        let public =
            if literal.starts_with("ssh-") || literal.starts_with("ecdsa-") || literal.starts_with("sk-") {
                literal.to_owned()
            } else {
                let file = outside.path(key);
                let half = if key.ends_with(".pub") {
                    file.clone()
                } else {
                    PathBuf::from(format!("{}.pub", file.display()))
                };
                if !key.ends_with(".pub") && file.is_file() {
                    self.key_files.push(file.clone());
                } else if let Some(other) = file.to_str().and_then(|path| path.strip_suffix(".pub")) {
                    self.key_files.extend(Some(PathBuf::from(other)).filter(|path| path.is_file()));
                }
                let text = std::fs::read_to_string(&half).unwrap_or_default();
                let is_key = ["ssh-", "ecdsa-", "sk-"].iter().any(|kind| text.starts_with(kind));
                if !is_key {
                    return Err(LoanError::NoPublicKey(half));
                }
                text
            };
        let blob = public.split_ascii_whitespace().nth(1).and_then(|word| STANDARD.decode(word).ok());
        self.allowed.signing_key = Some(blob.ok_or(LoanError::NoSigningKey)?);
        let path = place.write("signing.pub", &public).map_err(LoanError::WriteKey)?;
        prepared.lent.git.push(("user.signingKey".to_owned(), path.display().to_string()));
        prepared.lent.git.push(("gpg.ssh.program".to_owned(), "ssh-keygen".to_owned()));
        Ok(())
    }

    /// Serves the agent, if there is anything to serve.
    pub(super) async fn lend(
        self,
        outside: &Outside,
        place: &Place,
        prepared: &mut Prepared,
    ) -> Result<(), LoanError> {
        if self.allowed.servers.is_empty() && self.allowed.signing_key.is_none() {
            return Ok(());
        }
        let running = self.named.clone().or_else(|| std::env::var_os("SSH_AUTH_SOCK").map(PathBuf::from));
        let agent = match running {
            Some(agent) if count_keys(&agent).await.is_some_and(|keys| keys > 0) => agent,
            _ => self.start(outside, place, prepared).await?,
        };
        let path = place.shown.join("agent");
        let allowed = Arc::new(self.allowed);
        let serving = serve(&path, move |stream| answer(stream, agent.clone(), Arc::clone(&allowed)))?;
        prepared.lent.variables.push(("SSH_AUTH_SOCK".into(), path.clone().into()));
        if let Some(command) = &self.command {
            // These options override the settings of a repository, and an agent or a shared connection in the person's
            // own configuration, which are outside the sandbox.
            let options =
                format!("-o IdentityAgent={} -o ControlMaster=no -o ControlPath=none", path.display());
            let command: Vec<String> = command.iter().map(|word| quoted(word)).collect();
            let value = format!("{} {options}", command.join(" "));
            prepared.lent.variables.push(("GIT_SSH_COMMAND".into(), value.into()));
            let settings = settings(&outside.home, self.command.as_deref().unwrap_or_default());
            prepared.readable.extend(settings.iter().cloned());
            prepared.revealed.extend(settings);
        }
        prepared.lent.sockets.push(path);
        prepared.lent.held.push(Box::new(serving));
        Ok(())
    }

    /// Starts a temporary agent with the key files that need no passphrase.
    async fn start(
        &self,
        outside: &Outside,
        place: &Place,
        prepared: &mut Prepared,
    ) -> Result<PathBuf, LoanError> {
        if self.key_files.is_empty() {
            return Err(LoanError::NoKey);
        }
        let path = place.own.join("agent");
        let text = path.to_string_lossy().into_owned();
        let Some(guard) = outside.keep(&["ssh-agent", "-D", "-a", &text]) else {
            return Err(LoanError::NoKey);
        };
        prepared.lent.held.push(Box::new(guard));
        let started = async {
            while count_keys(&path).await.is_none() {
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
        };
        if tokio::time::timeout(START_PATIENCE, started).await.is_err() {
            return Err(LoanError::AgentNotStarted);
        }
        let adding =
            outside.with("SSH_AUTH_SOCK", path.as_os_str()).with("SSH_ASKPASS_REQUIRE", OsStr::new("never"));
        for file in &self.key_files {
            let file = file.to_string_lossy();
            // A key with a passphrase is not added; another key may work.
            let _ = adding.printed(&["ssh-add", "-q", &file], None).await;
        }
        match count_keys(&path).await {
            Some(1..) => Ok(path),
            _ => Err(LoanError::NoKey),
        }
    }
}

/// Returns the files besides keys that `ssh` reads in the home: configuration, known hosts and public keys.
fn settings(home: &Path, command: &[String]) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut left = MOST_ENTRIES;
    add_settings(&home.join(".ssh"), 2, &mut left, &mut found);
    let named = command.windows(2).filter(|words| words[0] == "-F").map(|words| PathBuf::from(&words[1]));
    found.extend(named.filter(|file| !holds_a_key(file)));
    found
}

fn add_settings(folder: &Path, depth: usize, left: &mut usize, found: &mut Vec<PathBuf>) {
    for entry in folder.read_dir().into_iter().flatten().flatten() {
        if *left == 0 || depth == 0 {
            return;
        }
        *left -= 1;
        let path = entry.path();
        match entry.file_type() {
            Ok(kind) if kind.is_dir() => add_settings(&path, depth - 1, left, found),
            Ok(kind) if kind.is_file() && !holds_a_key(&path) => found.push(path),
            _ => {}
        }
    }
}

/// Returns whether a file contains a private key, or cannot be read.
fn holds_a_key(path: &Path) -> bool {
    const MOST_BYTES: u64 = 4 * 1024 * 1024;
    let is_small = path.metadata().is_ok_and(|meta| meta.is_file() && meta.len() <= MOST_BYTES);
    let holds =
        |text: Vec<u8>| text.windows(11).any(|window| window == b"PRIVATE KEY") || text.starts_with(b"PuTTY");
    !is_small || std::fs::read(path).map_or(true, holds)
}

/// Quotes a word for a shell.
fn quoted(word: &str) -> String {
    let is_plain =
        !word.is_empty() && word.chars().all(|c| c.is_ascii_alphanumeric() || "-_./:=@%+,".contains(c));
    if is_plain { word.to_owned() } else { format!("'{}'", word.replace('\'', r"'\''")) }
}
