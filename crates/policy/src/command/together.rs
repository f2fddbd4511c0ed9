//! What the commands of a text do together, which none of them shows alone.

use super::hints;
use super::judge::Judge;
use super::wrappers::{SHELLS, interpreter};
use crate::shell::script::{Script, Simple};
use deputy_protocol::Risk;

impl Judge<'_> {
    /// What single commands do not show: a fetch that ends in an interpreter, output that leaves the machine.
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
        let shows_environment = named.iter().any(|(_, _, name)| {
            matches!(name.as_str(), "env" | "printenv" | "set" | "export" | "declare" | "compgen")
        });
        let takes_names = named
            .iter()
            .any(|(_, simple, name)| simple.reads_pipe && matches!(name.as_str(), "xargs" | "parallel"));
        if takes_names && hints::hint(text).is_some() {
            found = Some("Hands names to a command that may be those of secrets.");
        }
        if shows_environment
            && hints::hint(&text.to_uppercase().replace("GREP", "")).or(hints::hint(text)).is_some()
        {
            found = Some("Looks for secrets in the environment.");
        }
        for (pipeline, simple, name) in &named {
            let fetched = named
                .iter()
                .any(|(other, _, first)| other == pipeline && hints::FETCHERS.contains(&first.as_str()));
            if simple.reads_pipe && runs(name) && fetched {
                found = Some("Fetches a program from the network and runs it.");
            } else if simple.reads_pipe && hints::SENDERS.contains(&name.as_str()) && name != "xargs" {
                found = found.or(Some("Sends the output of another command to the network."));
            }
        }
        let fetches =
            named.iter().any(|(_, _, name)| hints::FETCHERS.contains(&name.as_str()) && name != "git");
        let runs_file = named.iter().any(|(_, simple, name)| {
            runs(name)
                || matches!(name.as_str(), "chmod" | "source" | ".")
                || simple.words.first().is_some_and(|first| {
                    first.contains('/') && !first.starts_with("/usr/") && !first.starts_with("/bin/")
                })
        });
        if fetches && runs_file {
            found = Some("Fetches a program from the network and runs it.");
        }
        if let Some(reason) = found {
            self.construct(&text.chars().take(200).collect::<String>(), Risk::High, reason);
        }
    }
}
