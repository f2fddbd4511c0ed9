//! Finds the servers in the words of `ssh` and of programs that run over it.

use super::{Server, SshLoan};

/// Options of `ssh` that take the next word.
const SSH_VALUES: &str = "BbcDEeFIiJLlmOopQRSWw";
/// Options of `scp` and `sftp` that take the next word.
const COPY_VALUES: &str = "BbcDFiJloPRSsX";

/// Returns the loan for a program that signs in over SSH. `None` if the words name no server.
pub(super) fn named(normal: &[String]) -> Option<SshLoan> {
    let (program, words) = normal.split_first()?;
    let mut port = None;
    let mut user = None;
    let mut operands = Vec::new();
    let values = match program.as_str() {
        "ssh" => SSH_VALUES,
        "rsync" => "",
        _ => COPY_VALUES,
    };
    let mut words = words.iter();
    while let Some(word) = words.next() {
        let Some(option) = word.strip_prefix('-').filter(|rest| !rest.is_empty()) else {
            operands.push(word.as_str());
            // The words after the server are the remote command.
            if program == "ssh" {
                break;
            }
            continue;
        };
        let takes = option.char_indices().find(|(_, c)| values.contains(*c));
        let Some((at, letter)) = takes.filter(|_| !option.starts_with('-')) else { continue };
        let attached = option.get(at + letter.len_utf8()..).filter(|rest| !rest.is_empty());
        let value = attached.map(str::to_owned).or_else(|| words.next().cloned())?;
        match (program.as_str(), letter) {
            ("ssh", 'p') | ("scp" | "sftp", 'P') => port = value.parse().ok(),
            ("ssh", 'l') => user = Some(value),
            _ => {}
        }
    }
    let mut servers: Vec<Server> = Vec::new();
    for operand in operands {
        let found = match program.as_str() {
            "ssh" => one(operand),
            "sftp" => one(operand.split_once(':').map_or(operand, |(server, _)| server)),
            _ => remote(operand),
        };
        if let Some(mut server) = found {
            server.port = server.port.or(port);
            server.user = server.user.or_else(|| user.clone());
            if !servers.contains(&server) {
                servers.push(server);
            }
        }
    }
    (!servers.is_empty()).then_some(SshLoan { servers, command: None })
}

/// Parses `[user@]host` or an address.
fn one(text: &str) -> Option<Server> {
    match text.strip_prefix("ssh://").or_else(|| text.strip_prefix("sftp://")) {
        Some(rest) => address(rest),
        None => {
            let (user, host) = split_user(text);
            Server::new(host, user, None)
        }
    }
}

/// Parses `[user@]host:path` or an address. `None` for a path on this machine.
pub(super) fn remote(text: &str) -> Option<Server> {
    const SCHEMES: &[&str] = &["ssh://", "git+ssh://", "ssh+git://", "scp://", "sftp://"];
    if let Some(rest) = SCHEMES.iter().find_map(|scheme| text.strip_prefix(scheme)) {
        return address(rest);
    }
    if text.contains("://") || text.contains("::") && !text.starts_with('[') {
        return None;
    }
    let (server, _) = text.split_once(':')?;
    if server.contains('/') || server.starts_with('-') {
        return None;
    }
    let (user, host) = split_user(server);
    Server::new(host, user, None)
}

/// Parses `[user@]host[:port][/path]`.
fn address(rest: &str) -> Option<Server> {
    let authority = rest.split('/').next()?;
    let (user, place) = split_user(authority);
    let (host, port) = match place.strip_prefix('[') {
        Some(inside) => {
            let (host, behind) = inside.split_once(']')?;
            (host, behind.strip_prefix(':'))
        }
        None => place.split_once(':').map_or((place, None), |(host, port)| (host, Some(port))),
    };
    let port = match port.filter(|port| !port.is_empty()) {
        Some(port) => Some(port.parse().ok()?),
        None => None,
    };
    Server::new(host, user, port)
}

fn split_user(text: &str) -> (Option<&str>, &str) {
    text.rsplit_once('@').map_or((None, text), |(user, host)| (Some(user), host))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str) -> Option<String> {
        let words: Vec<String> = text.split(' ').map(str::to_owned).collect();
        let loan = named(&words)?;
        Some(loan.servers.iter().map(Server::shown).collect::<Vec<_>>().join(","))
    }

    #[test]
    fn servers_are_named_by_words_and_nothing_else() {
        for (text, servers) in [
            ("ssh build", Some("build")),
            ("ssh -p 2222 -l me build uptime -p 9", Some("me@build:2222")),
            ("ssh -vp2222 me@build", Some("me@build:2222")),
            ("ssh ssh://me@build:22", Some("me@build:22")),
            ("scp -P 22 -r a me@h:b", Some("me@h:22")),
            ("scp a b", None),
            ("scp ./a:b c", None),
            ("rsync -a --delete x/ me@h:y/", Some("me@h")),
            ("sftp me@h:/x", Some("me@h")),
            ("ssh -oProxyCommand=x", None),
            ("ssh", None),
            ("ssh --", None),
            ("ssh a$b", None),
        ] {
            assert_eq!(of(text).as_deref(), servers, "{text}");
        }
    }

    #[test]
    fn remotes_of_git_are_told_from_paths() {
        for (text, server) in [
            ("git@github.com:a/b.git", Some("git@github.com")),
            ("ssh://git@h:2222/a", Some("git@h:2222")),
            ("ssh://[::1]:22/a", Some("::1:22")),
            ("../a", None),
            ("/a:b", None),
            ("https://h/a", None),
            ("ext::sh -c x", None),
            ("ssh://-oProxyCommand=x/a", None),
            ("ssh://h:99999/a", None),
        ] {
            assert_eq!(remote(text).map(|found| found.shown()).as_deref(), server, "{text}");
        }
    }
}
