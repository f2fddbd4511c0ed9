//! The person's `ssh` configuration of a server: the login name, the expected host keys, and the agent. The person's
//! programs run outside the sandbox, and only the server's name, user and port come from the command.

use super::outside::Outside;
use super::ssh_agent::Known;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use deputy_policy::Server;
use std::path::PathBuf;

/// The parameters of an `ssh` login to a server.
pub(super) struct Destination {
    pub(super) known: Known,
    /// The agent that the person's configuration names, if any.
    pub(super) agent: Option<PathBuf>,
    /// The key files that `ssh` would try.
    pub(super) key_files: Vec<PathBuf>,
}

/// Asks `ssh` for the configuration of a server. `None` if that fails.
pub(super) async fn destination(
    server: &Server,
    command: &[String],
    outside: &Outside,
) -> Option<Destination> {
    let port = server.port.map(|port| port.to_string());
    let mut argv: Vec<&str> = command.iter().map(String::as_str).collect();
    argv.push("-G");
    argv.extend(port.iter().flat_map(|port| ["-p", port.as_str()]));
    argv.extend(server.user.iter().flat_map(|user| ["-l", user.as_str()]));
    argv.extend(["--", server.host.as_str()]);
    let said = outside.printed(&argv, None).await?;
    let settings = Said(&said);
    let name = settings.value("hostkeyalias").map_or_else(
        || {
            let host = settings.value("hostname")?;
            let port = settings.value("port").unwrap_or("22");
            Some(if port == "22" { host.to_owned() } else { format!("[{host}]:{port}") })
        },
        |alias| Some(alias.to_owned()),
    )?;
    let files = ["userknownhostsfile", "globalknownhostsfile"];
    let files = files.iter().filter_map(|key| settings.value(key)).flat_map(str::split_ascii_whitespace);
    let (mut keys, mut others) = (Vec::new(), Vec::new());
    for file in files.map(|file| outside.path(file)).filter(|file| file.is_file()) {
        // Names may be hashed in the file, so all of its keys are considered.
        let all = tokio::fs::read_to_string(&file).await.unwrap_or_default();
        others.extend(read_keys(&all));
        let file = file.to_string_lossy().into_owned();
        let found = outside.printed(&["ssh-keygen", "-F", &name, "-f", &file], None).await;
        keys.extend(read_keys(&found.unwrap_or_default()));
    }
    let strict = settings.value("stricthostkeychecking").unwrap_or("ask");
    let agent = settings.value("identityagent").filter(|agent| !matches!(*agent, "SSH_AUTH_SOCK" | "none"));
    Some(Destination {
        known: Known {
            user: settings.value("user")?.to_owned(),
            keys,
            others,
            takes_new: matches!(strict, "no" | "false" | "off" | "accept-new"),
        },
        agent: agent.map(|agent| outside.path(agent)).filter(|agent| agent.is_absolute()),
        key_files: settings
            .values("identityfile")
            .map(|file| outside.path(file))
            .filter(|file| file.is_file())
            .collect(),
    })
}

/// The output of `ssh -G`: a name and a value on each line.
struct Said<'a>(&'a str);

impl<'a> Said<'a> {
    fn values(&self, key: &str) -> impl Iterator<Item = &'a str> {
        let lines = self.0.lines().filter_map(|line| line.split_once(' '));
        lines.filter(move |(name, _)| *name == key).map(|(_, value)| value.trim())
    }

    fn value(&self, key: &str) -> Option<&'a str> {
        self.values(key).next()
    }
}

/// Returns the keys of a known hosts file. Marked keys, which are revoked or certificate authorities, are left out.
fn read_keys(text: &str) -> Vec<Vec<u8>> {
    let lines = text.lines().filter(|line| !line.starts_with(['#', '@']));
    lines.filter_map(|line| STANDARD.decode(line.split_ascii_whitespace().nth(2)?).ok()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_read_and_marked_ones_are_not() {
        let text = "# Host h found: line 1\nh ssh-ed25519 AAAA\n@revoked h ssh-ed25519 AAAB\n@cert-authority * ssh-rsa AAAC\n|1|x|y ssh-rsa AAAD note\n";
        assert_eq!(read_keys(text), [vec![0, 0, 0], vec![0, 0, 3]]);
    }
}
