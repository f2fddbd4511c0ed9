//! Checks whether a command contacts only servers on loopback, according to the addresses in its words.
//!
//! The result selects the network on which a command runs if its task has a private one. It is not relevant to
//! safety: only the task's own commands are on that network, whatever the words mean to the program.

/// Whether the words name an address on loopback, and no other address.
pub(crate) fn alone(argv: &[String]) -> bool {
    let mut names_loopback = false;
    for word in argv.iter().skip(1) {
        // The value of `--host=...`.
        let value = match word.split_once('=') {
            Some((name, value)) if name.starts_with('-') => value,
            _ => word,
        };
        match host_of(value) {
            Named::Loopback => names_loopback = true,
            Named::Other => return false,
            Named::None => {}
        }
    }
    names_loopback
}

enum Named {
    Loopback,
    Other,
    None,
}

/// Schemes of servers that are contacted over a network socket.
const SCHEMES: &[&str] =
    &["http", "https", "ws", "wss", "redis", "postgres", "postgresql", "mysql", "mongodb", "amqp"];

fn host_of(word: &str) -> Named {
    let (scheme, rest) = match word.split_once("://") {
        Some((scheme, rest)) => (Some(scheme.to_ascii_lowercase()), rest),
        None => (None, word),
    };
    if scheme.as_deref().is_some_and(|scheme| !SCHEMES.contains(&scheme)) {
        return Named::Other;
    }
    if ["file:", "/proc/", ".sock"].iter().any(|text| word.contains(text)) {
        return Named::Other;
    }
    let authority = rest.split(['/', '?', '#']).next().unwrap_or_default();
    let host = authority.rsplit_once('@').map_or(authority, |(_, host)| host);
    let host = match host.strip_prefix('[').and_then(|host| host.split_once(']')) {
        Some((host, _)) => host,
        None => host.split(':').next().unwrap_or_default(),
    };
    let is_loopback = host.eq_ignore_ascii_case("localhost")
        || host
            .parse::<std::net::IpAddr>()
            .is_ok_and(|address| address.is_loopback() || address.is_unspecified());
    match (is_loopback, scheme) {
        (true, _) => Named::Loopback,
        (false, Some(_)) => Named::Other,
        (false, None) => Named::None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_loopback_is_loopback() {
        let alone = |text: &str| alone(&text.split(' ').map(str::to_owned).collect::<Vec<_>>());
        for text in [
            "curl -s http://127.0.0.1:8000/",
            "curl -fsS localhost:8000/a?b=1",
            "curl -d a=b http://[::1]:8000",
            "wget -qO- http://me@localhost:1/",
            "psql -h 127.0.0.1 -p 5432",
            "http --body http://0.0.0.0:8000/x",
            "redis-cli --host=127.0.0.2",
        ] {
            assert!(alone(text), "{text}");
        }
        for text in [
            "curl -s http://example.org/",
            "curl http://127.0.0.1/ https://example.org",
            "curl http://localhost.example.org/",
            "curl http://127.0.0.1@example.org/",
            "curl file:///etc/passwd localhost",
            "curl --unix-socket /run/docker.sock http://localhost/",
            "curl gopher://127.0.0.1/",
            "npm install",
            "curl",
        ] {
            assert!(!alone(text), "{text}");
        }
    }

    /// Regression test: a development server that the task runs in the background could only be contacted over the
    /// machine's own network, at high risk, although it does not listen there.
    #[test]
    fn what_asks_the_tasks_own_server_stays_on_its_network() {
        use crate::{Situation, decide};
        use deputy_protocol::{Access, Confinement, Decision, Effect, Facts, Risk, ShellAccess};
        let folder = tempfile::tempdir().unwrap();
        let home = folder.path().canonicalize().unwrap();
        let ruled = |command: &str, own_network| {
            let situation = Situation {
                walls: true,
                own_network,
                ..Situation::new(home.clone(), home.join("w"), home.join("deputy"))
            };
            let facts = Facts {
                effect: Effect::Mutating,
                accesses: vec![Access::Shell(ShellAccess { command: command.to_owned() })],
                summary: String::new().into(),
                diff: None,
                plan: None,
                risk: Risk::Low,
            };
            let verdict = decide(&situation, &facts).verdict;
            (verdict.decision, verdict.risk, verdict.confinement)
        };
        let ask = "curl -s http://127.0.0.1:8000/";
        assert_eq!(ruled(ask, false), (Decision::Ask, Risk::High, Confinement::WorkspaceNet));
        assert_eq!(ruled(ask, true), (Decision::Ask, Risk::Medium, Confinement::Workspace));
        let out = "curl -s https://example.org/";
        assert_eq!(ruled(out, true), ruled(out, false));
        let settings = "curl -K x http://127.0.0.1:8000/";
        assert_eq!(ruled(settings, true).1, Risk::High);
    }
}
