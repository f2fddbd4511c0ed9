//! Loans: the user's own credentials and resources that a command requires, and that are lent to the single call to
//! which the user agreed: a login, a key, or a socket. A data file says which command needs which loan. The words
//! determine the servers with which it may be used.

mod git;
mod remotes;
mod ssh;

pub(super) use git::addresses as remote_addresses;
pub(super) use remotes::of_person as settings_of_person;

use crate::Situation;
use crate::table::said;
use deputy_messages::policy as say;
use deputy_protocol::{Decision, Part, PartKind, Phrase, Risk};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

/// A resource of the user that is lent to a single call.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "loan", rename_all = "snake_case")]
pub enum Loan {
    /// Signs in to servers over SSH.
    Ssh(SshLoan),
    /// The stored logins for addresses that git talks to over HTTP.
    GitLogin(GitLoginLoan),
    /// Signs commits and tags.
    Signature(SignatureLoan),
    /// A socket of a service.
    Socket(SocketLoan),
    /// A file that is otherwise a secret.
    File(FileLoan),
    /// The output of a program of the user.
    Token(TokenLoan),
}

/// Signs in to the given servers over SSH, and to no others.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct SshLoan {
    /// The servers, as the words and git's settings name them.
    pub servers: Vec<Server>,
    /// The words of the user's own `core.sshCommand`, if it is set.
    pub command: Option<Vec<String>>,
}

/// A server as it is passed to `ssh`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Server {
    /// A name, an address, or an alias in the user's own configuration.
    pub host: String,
    /// The user name for the login, if specified.
    pub user: Option<String>,
    /// The port, if specified.
    pub port: Option<u16>,
}

/// The stored logins for addresses.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct GitLoginLoan {
    /// The addresses.
    pub sites: Vec<Site>,
}

/// An address in the form in which git asks credential helpers about it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Site {
    /// `https` or `http`.
    pub protocol: String,
    /// The host, with the port if specified.
    pub host: String,
}

/// Signs commits and tags.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct SignatureLoan {
    /// The format of the signature: `ssh`, `openpgp` or `x509`.
    pub format: String,
    /// The key that git is configured to use, if any.
    pub key: Option<String>,
    /// The signing program in the user's own settings. A repository's setting does not count.
    pub program: Option<String>,
}

/// A socket of a service.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct SocketLoan {
    /// The possible paths of the socket. `~` is the home directory, and a leading `$NAME` is a variable of the user.
    pub at: Vec<String>,
    /// The variable that points the command to the socket.
    pub variable: String,
    /// The value of the variable. `{}` is replaced by the path.
    pub value: String,
    /// The reason in plain words.
    pub reason: Phrase,
}

/// A file that is otherwise a secret.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct FileLoan {
    /// The real path.
    pub path: PathBuf,
    /// The reason in plain words.
    pub reason: Phrase,
}

/// The output of a program of the user.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct TokenLoan {
    /// The words of the program, which runs outside the walls.
    pub run: Vec<String>,
    /// The name of the file that contains the token. If `None`, the variable points to the file itself.
    pub file: Option<String>,
    /// The content of that file. `{}` is replaced by the token.
    pub text: String,
    /// The variable that points the command to the token.
    pub variable: String,
    /// The reason in plain words.
    pub reason: Phrase,
}

/// The kind of loan, in the data.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Lends {
    /// Signs in to the servers of git's remotes.
    Remote,
    /// Signs in to the server that the words name.
    Ssh,
    /// Signs commits and tags.
    Signature,
    /// A socket.
    Socket,
    /// Files.
    File,
    /// The output of a program.
    Token,
}

/// The loan that some commands require.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Entry {
    /// The first words of the commands.
    commands: Vec<String>,
    /// The entry does not apply if one of these is the next word.
    #[serde(default)]
    unless: Vec<String>,
    /// The kind of loan.
    lends: Lends,
    /// The paths of the socket or the files. `~` is the home directory. For a socket, a leading `$NAME` is a variable
    /// of the user; for files, only paths that start with `~/` are used.
    #[serde(default)]
    at: Vec<String>,
    /// The variable that points the command to the loan.
    #[serde(default)]
    variable: String,
    /// The value of the variable. `{}` is replaced by the path.
    #[serde(default)]
    value: String,
    /// The words of the program that prints a token.
    #[serde(default)]
    run: Vec<String>,
    /// The name of the file for the token, if the variable points to the folder around it.
    #[serde(default)]
    file: Option<String>,
    /// The content of the file for the token. `{}` is replaced by the token.
    #[serde(default)]
    text: String,
    /// The reason in plain words, if it does not follow from the kind of loan: the id of a message.
    #[serde(default, deserialize_with = "said")]
    #[schemars(with = "String")]
    reason: Phrase,
}

/// The data file of loans.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(title = "What of the person's own is lent to commands that a person agreed to")]
pub(crate) struct Source {
    /// The loans.
    loan: Vec<Entry>,
}

fn entries() -> &'static [Entry] {
    static ENTRIES: LazyLock<Vec<Entry>> = LazyLock::new(|| {
        // A test parses the data. Without it nothing is lent.
        toml::from_str::<Source>(include_str!("../../../data/loans.toml"))
            .map_or_else(|_| Vec::new(), |s| s.loan)
    });
    &ENTRIES
}

/// Returns the loans for an argv in normal form that runs in a folder.
pub(crate) fn loans(situation: &Situation, normal: &[String], cwd: &Path) -> Vec<Loan> {
    let mut found = Vec::new();
    for entry in entries().iter().filter(|entry| entry.fits(normal)) {
        for loan in entry.loans(situation, normal, cwd) {
            if !found.contains(&loan) {
                found.push(loan);
            }
        }
    }
    found
}

/// Returns the reason why a stored login is not lent to a command, with the setting that causes it.
pub(crate) fn withheld(situation: &Situation, normal: &[String], cwd: &Path) -> Option<(String, Phrase)> {
    let needs = |entry: &&Entry| entry.lends == Lends::Remote && entry.fits(normal);
    entries().iter().find(needs)?;
    let key = git::login_withheld_for(situation, normal, cwd)?;
    let reason = say::repository_leads_connections(&key);
    Some((crate::unseen::escape(&key), reason))
}

impl Entry {
    fn fits(&self, normal: &[String]) -> bool {
        self.commands.iter().any(|command| {
            let words = command.split(' ');
            let count = words.clone().count();
            let begins = normal.len() >= count && words.zip(normal).all(|(word, own)| word == own);
            begins && normal.get(count).is_none_or(|next| !self.unless.contains(next))
        })
    }

    fn loans(&self, situation: &Situation, normal: &[String], cwd: &Path) -> Vec<Loan> {
        match self.lends {
            Lends::Remote => git::sign_in(situation, normal, cwd),
            Lends::Ssh => ssh::named(normal).into_iter().map(Loan::Ssh).collect(),
            Lends::Signature => {
                git::signature(situation, normal, cwd).into_iter().map(Loan::Signature).collect()
            }
            Lends::Socket => vec![Loan::Socket(SocketLoan {
                at: self.at.clone(),
                variable: self.variable.clone(),
                value: self.value.clone(),
                reason: self.reason.clone(),
            })],
            Lends::File => {
                let below = self.at.iter().filter_map(|at| at.strip_prefix("~/"));
                let real = below.filter_map(|below| situation.home.join(below).canonicalize().ok());
                let files = real.filter(|path| path.is_file());
                files.map(|path| Loan::File(FileLoan { path, reason: self.reason.clone() })).collect()
            }
            Lends::Token => vec![Loan::Token(TokenLoan {
                run: self.run.clone(),
                file: self.file.clone(),
                text: self.text.clone(),
                variable: self.variable.clone(),
                reason: self.reason.clone(),
            })],
        }
    }
}

impl Loan {
    /// Returns the part that shows the loan to the user.
    pub(crate) fn part(&self) -> Part {
        let (text, reason) = match self {
            Self::Ssh(ssh) => (list(ssh.servers.iter().map(Server::shown)), say::lends_your_ssh_keys()),
            Self::GitLogin(login) => (
                list(login.sites.iter().map(|site| format!("{}://{}", site.protocol, site.host))),
                say::lends_your_stored_login(),
            ),
            Self::Signature(signature) => (
                signature.key.clone().unwrap_or_else(|| signature.format.clone()),
                say::lends_your_signing_key(),
            ),
            Self::Socket(socket) => (
                socket.at.iter().find(|at| at.starts_with('/')).cloned().unwrap_or_default(),
                socket.reason.clone(),
            ),
            Self::File(file) => (file.path.to_string_lossy().into_owned(), file.reason.clone()),
            Self::Token(token) => (crate::shell::quote::quoted(&token.run), token.reason.clone()),
        };
        Part {
            kind: PartKind::Loan,
            text: crate::unseen::escape(&text),
            decision: Decision::Ask,
            risk: Risk::High,
            reason,
        }
    }
}

fn list(texts: impl Iterator<Item = String>) -> String {
    texts.collect::<Vec<_>>().join(", ")
}

impl Server {
    fn shown(&self) -> String {
        let user = self.user.as_ref().map(|user| format!("{user}@")).unwrap_or_default();
        let port = self.port.map(|port| format!(":{port}")).unwrap_or_default();
        format!("{user}{}{port}", self.host)
    }

    /// Creates a server, if `ssh` cannot take its names for anything else.
    fn new(host: &str, user: Option<&str>, port: Option<u16>) -> Option<Self> {
        let is_name = |text: &str| {
            !text.is_empty()
                && !text.starts_with('-')
                && text.chars().all(|c| c.is_ascii_alphanumeric() || "-._:".contains(c))
        };
        let fits = is_name(host) && user.is_none_or(is_name);
        fits.then(|| Self { host: host.to_owned(), user: user.map(str::to_owned), port })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    pub(super) fn words(text: &str) -> Vec<String> {
        text.split(' ').map(str::to_owned).collect()
    }

    #[test]
    fn the_data_is_readable() {
        let source: Source = toml::from_str(include_str!("../../../data/loans.toml")).unwrap();
        for entry in source.loan {
            let says_itself = matches!(entry.lends, Lends::Remote | Lends::Ssh | Lends::Signature);
            assert_eq!(entry.reason.as_str().is_empty(), says_itself, "{:?}", entry.commands);
            assert_eq!(entry.lends == Lends::Token, !entry.run.is_empty(), "{:?}", entry.commands);
            assert!(says_itself || entry.reason.as_str().contains("to this command"), "{}", entry.reason);
        }
    }

    #[test]
    fn a_file_is_lent_where_it_is_there_and_to_the_commands_that_need_it() {
        let home = tempfile::tempdir().unwrap();
        let situation = Situation::new(home.path(), home.path().join("w"), home.path().join("d"));
        let of = |text: &str| loans(&situation, &words(text), home.path());
        assert_eq!(of("npm publish"), []);
        std::fs::write(home.path().join(".npmrc"), "//r/:_authToken=x").unwrap();
        assert!(matches!(of("npm publish").as_slice(), [Loan::File(file)] if file.path.ends_with(".npmrc")));
        for text in ["npm test", "npm", "echo npm publish"] {
            assert_eq!(of(text), [], "{text}");
        }
        assert!(matches!(of("docker ps").as_slice(), [Loan::Socket(_)]));
        assert_eq!(of("docker --version"), []);
    }
}
