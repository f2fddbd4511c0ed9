//! Effects of several commands of a text together that none of them has alone.

use super::below::holds_secrets_below;
use super::judge::Judge;
use super::words;
use super::wrappers::{SHELLS, interpreter};
use crate::shell::script::{Script, Simple};
use deputy_messages::policy as say;
use deputy_protocol::{Decision, Part, Risk};

/// Programs that fetch from the network.
const FETCHERS: &[&str] = &[
    "curl",
    "wget",
    "aria2c",
    "http",
    "https",
    "xh",
    "nc",
    "ncat",
    "fetch",
    "lwp-request",
    "ftp",
    "scp",
    "git",
];

/// Programs that send their input.
const SENDERS: &[&str] = &[
    "curl", "wget", "nc", "ncat", "netcat", "socat", "ssh", "telnet", "http", "https", "openssl", "mail",
    "sendmail", "ftp", "tftp", "websocat", "xargs", "dig", "host", "nslookup",
];

/// Programs that print the names of files in folders.
const LISTERS: &[&str] = &["find", "fd", "fdfind", "ls", "tree", "locate", "grep", "rg", "git"];

/// Programs that pass the names that they read to another command.
const HANDERS: [&str; 2] = ["xargs", "parallel"];

impl Judge<'_> {
    /// Whether a command prints file names that may include those of secrets.
    fn lists_secrets(&self, simple: &Simple, name: &str) -> bool {
        if !LISTERS.contains(&name) {
            return false;
        }
        let is_deep = |arg: &String| arg.starts_with('-') && arg.contains(['a', 'A', 'R']);
        if matches!(name, "ls" | "tree") && !simple.words.iter().any(is_deep) {
            return false;
        }
        let argv = words::argv(self.situation, simple, &self.situation.cwd, &[]);
        let args = argv.words.get(1..).unwrap_or_default();
        let is_pattern =
            |at: &usize| *at > 0 && matches!(args[at - 1].as_str(), "-name" | "-iname" | "-g" | "--glob");
        let patterns: Vec<&str> = (0..args.len()).filter(is_pattern).map(|at| args[at].as_str()).collect();
        let mut folders: Vec<&String> =
            args.iter().filter(|arg| self.situation.cwd.join(arg).is_dir()).collect();
        let here = ".".to_owned();
        if folders.is_empty() {
            folders.push(&here);
        }
        holds_secrets_below(self.situation, &self.situation.cwd, &folders, &patterns)
    }

    /// Checks combined effects: a download that is piped into an interpreter, or output that leaves the machine.
    pub(super) fn together(&mut self, script: &Script, text: &str) {
        let named: Vec<(usize, &Simple, String)> = script
            .commands
            .iter()
            .filter_map(|simple| {
                Some((simple.pipeline, simple, simple.words.first()?.rsplit('/').next()?.to_owned()))
            })
            .collect();
        let runs = |name: &str| SHELLS.contains(&name) || interpreter(name).is_some();
        let mut found = None;
        // Commands that are known to be harmless were judged with the names that they receive.
        let asks = |part: &Part| {
            part.decision != Decision::Allow && HANDERS.iter().any(|name| part.text.starts_with(name))
        };
        let takes_names =
            named.iter().any(|(_, simple, name)| simple.reads_pipe && HANDERS.contains(&name.as_str()))
                && self.judgement.parts.iter().any(asks);
        if takes_names && named.iter().any(|(_, simple, name)| self.lists_secrets(simple, name)) {
            found = Some(say::hands_names_files_command());
        }
        for (pipeline, simple, name) in &named {
            let fetched = named.iter().any(|(other, from, first)| other == pipeline && fetches(from, first));
            if simple.reads_pipe && runs(name) && fetched {
                found = Some(say::fetches_program_network_runs());
            } else if simple.reads_pipe && SENDERS.contains(&name.as_str()) && name != "xargs" {
                found = found.or(Some(say::sends_output_another_command()));
            }
        }
        let any_fetches = named.iter().any(|(_, _, name)| FETCHERS.contains(&name.as_str()) && name != "git");
        let runs_file = named.iter().any(|(_, simple, name)| {
            runs(name)
                || matches!(name.as_str(), "chmod" | "source" | ".")
                || simple.words.first().is_some_and(|first| {
                    first.contains('/') && !first.starts_with("/usr/") && !first.starts_with("/bin/")
                })
        });
        if any_fetches && runs_file {
            found = Some(say::fetches_program_network_runs());
        }
        if let Some(reason) = found {
            self.construct(&text.chars().take(200).collect::<String>(), Risk::High, reason);
        }
    }
}

/// Whether a command fetches from the network. Among git commands, only those that contact another repository do.
fn fetches(simple: &Simple, name: &str) -> bool {
    const OF_GIT: [&str; 6] = ["archive", "clone", "fetch", "ls-remote", "pull", "remote"];
    FETCHERS.contains(&name)
        && (name != "git"
            || simple.words.iter().any(|word| OF_GIT.contains(&word.as_str()) || word.contains("://")))
}
