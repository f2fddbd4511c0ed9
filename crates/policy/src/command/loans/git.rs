//! Loans to git: to sign in to the servers of its remotes, and to sign commits and tags.

use super::remotes::Settings;
use super::{GitLoginLoan, Loan, SignatureLoan, Site, SshLoan, ssh};
use crate::Situation;
use crate::command::git_config;
use std::path::Path;

/// Options of git's commands that take the next word.
#[rustfmt::skip]
const VALUES: &[&str] = &[
    "-b", "--branch", "-c", "--config", "--depth", "--deepen", "--filter", "-j", "--jobs", "--negotiation-tip", "-o", "--origin",
    "--push-option", "--receive-pack", "--exec", "--reference", "--reference-if-able", "--refmap", "--repo", "--separate-git-dir", "--server-option",
    "--shallow-since", "--shallow-exclude", "-s", "--strategy", "-X", "--template", "--upload-pack", "--bundle-uri", "--name", "--sort",
];

/// Returns the credentials with which git signs in to the servers that a command talks to.
pub(super) fn sign_in(situation: &Situation, normal: &[String], cwd: &Path) -> Vec<Loan> {
    let Some(settings) = Settings::read(&situation.home, cwd) else { return Vec::new() };
    let mut ssh = SshLoan { servers: Vec::new(), command: own_command(&settings, &situation.home) };
    let mut login = GitLoginLoan::default();
    for address in of_words(&settings, normal, cwd) {
        if let Some(server) = ssh::remote(&address) {
            if !ssh.servers.contains(&server) {
                ssh.servers.push(server);
            }
        } else if let Some(site) = site(&address)
            && !login.sites.contains(&site)
            && has_login(situation, &settings, &site)
        {
            login.sites.push(site);
        }
    }
    let ssh = (!ssh.servers.is_empty()).then_some(Loan::Ssh(ssh));
    // A server that the repository inserts could read the login. SSH verifies the server's key.
    let is_lent = !login.sites.is_empty() && settings.leading_connections().is_none();
    let login = is_lent.then_some(Loan::GitLogin(login));
    ssh.into_iter().chain(login).collect()
}

/// Returns the key of the repository's setting that keeps a stored login from being lent to a command.
pub(super) fn login_withheld_for(situation: &Situation, normal: &[String], cwd: &Path) -> Option<String> {
    let settings = Settings::read(&situation.home, cwd)?;
    let leading = settings.leading_connections()?;
    let needs_login = of_words(&settings, normal, cwd)
        .iter()
        .filter_map(|address| site(address))
        .any(|site| has_login(situation, &settings, &site));
    needs_login.then(|| leading.key.clone())
}

/// Returns the addresses that a git command in normal form talks to.
pub(in crate::command) fn addresses(situation: &Situation, normal: &[String], cwd: &Path) -> Vec<String> {
    let settings = Settings::read(&situation.home, cwd);
    settings.map(|settings| of_words(&settings, normal, cwd)).unwrap_or_default()
}

fn of_words(settings: &Settings, normal: &[String], cwd: &Path) -> Vec<String> {
    let [_, verb, rest @ ..] = normal else { return Vec::new() };
    // In another repository, or with temporary settings, other addresses may be meant.
    let elsewhere = |word: &String| {
        ["-C", "--git-dir", "--config-env"]
            .iter()
            .any(|known| word == known || word.starts_with("--git-dir="))
    };
    if verb != "clone" && rest.iter().any(|word| elsewhere(word) || word == "-c") {
        return Vec::new();
    }
    let mut operands = operands(rest);
    if matches!(verb.as_str(), "remote" | "submodule") && !operands.is_empty() {
        operands.remove(0);
    }
    let is_push = verb == "push";
    let has = |flags: &[&str]| rest.iter().any(|word| flags.contains(&word.as_str()));
    let of = |remote: &str| settings.addresses(remote, is_push);
    let named = operands.first().copied();
    match verb.as_str() {
        "submodule" => {
            let mut all = settings.submodules();
            all.extend(written_submodules(cwd));
            all.extend(named.map(str::to_owned));
            all.iter().flat_map(|url| settings.addresses(url, false)).collect()
        }
        "archive" => {
            let remote = rest.iter().find_map(|word| word.strip_prefix("--remote="));
            remote.map(of).unwrap_or_default()
        }
        "fetch" | "pull" if has(&["--all"]) => settings.remotes().iter().flat_map(|name| of(name)).collect(),
        "fetch" if has(&["--multiple"]) => operands.iter().flat_map(|name| of(name)).collect(),
        "remote" if named.is_none() => settings.remotes().iter().flat_map(|name| of(name)).collect(),
        "clone" => named.map(of).unwrap_or_default(),
        _ => match named {
            Some(named) => of(named),
            None => of(&settings.default_remote(is_push)),
        },
    }
}

/// Returns the words that are neither options nor values of options.
fn operands(words: &[String]) -> Vec<&str> {
    let mut found = Vec::new();
    let mut words = words.iter();
    while let Some(word) = words.next() {
        if VALUES.contains(&word.as_str()) {
            words.next();
        } else if !word.starts_with('-') {
            found.push(word.as_str());
        }
    }
    found
}

/// Returns the addresses in `.gitmodules` that git has not adopted yet.
fn written_submodules(cwd: &Path) -> Vec<String> {
    let file = cwd.ancestors().map(|folder| folder.join(".gitmodules")).find(|file| file.is_file());
    let text = file.and_then(|file| std::fs::read_to_string(file).ok()).unwrap_or_default();
    let settings = git_config::settings(&text, false).unwrap_or_default();
    settings
        .into_iter()
        .filter(|setting| setting.key.ends_with(".url"))
        .filter_map(|setting| setting.value)
        .collect()
}

/// Returns the user's own command to start `ssh`. A repository's setting does not count.
fn own_command(settings: &Settings, home: &Path) -> Option<Vec<String>> {
    let set = settings.of_person.iter().rev().find(|setting| setting.key == "core.sshcommand")?;
    // Git passes the setting to a shell, which expands the home directory.
    let text = set.value.as_deref()?.replace(" ~/", &format!(" {}/", home.display()));
    crate::words(&text)
}

/// Returns an HTTP address in the form in which git asks for its login.
fn site(address: &str) -> Option<Site> {
    let (protocol, rest) = address.split_once("://")?;
    let protocol = protocol.to_ascii_lowercase();
    let authority = rest.split(['/', '?', '#']).next()?;
    let host = authority.rsplit_once('@').map_or(authority, |(_, host)| host);
    let is_host = !host.is_empty() && host.chars().all(|c| c.is_ascii_alphanumeric() || "-._:[]".contains(c));
    let fits = matches!(protocol.as_str(), "http" | "https") && is_host;
    fits.then(|| Site { protocol, host: host.to_owned() })
}

/// Whether the user may have a login for an address: a credential helper of theirs is configured for it, or a file
/// contains it.
fn has_login(situation: &Situation, settings: &Settings, site: &Site) -> bool {
    let address = format!("{}://{}", site.protocol, site.host);
    let is_for = |key: &str| {
        key == "credential.helper"
            || key
                .strip_prefix("credential.")
                .and_then(|rest| rest.strip_suffix(".helper"))
                .is_some_and(|url| url.starts_with(&address))
    };
    let helper = settings.of_person.iter().rev().find(|setting| is_for(&setting.key));
    let name = site.host.split(':').next().unwrap_or(&site.host);
    let in_file = || {
        let text = std::fs::read_to_string(situation.home.join(".netrc")).unwrap_or_default();
        text.split_ascii_whitespace().any(|word| word == name)
    };
    helper.is_some_and(|helper| helper.value.as_deref() != Some("")) || in_file()
}

/// Returns the signing key and program if git is configured to sign, or if the words request it.
pub(super) fn signature(situation: &Situation, normal: &[String], cwd: &Path) -> Option<SignatureLoan> {
    let settings = Settings::read(&situation.home, cwd)?;
    let verb = normal.get(1)?.as_str();
    let rest = normal.get(2..).unwrap_or_default();
    let starts = |flags: &[&str]| rest.iter().any(|word| flags.iter().any(|flag| word.starts_with(flag)));
    let is_asked = match verb {
        "tag" => {
            starts(&["-s", "--sign", "-u", "--local-user"])
                || settings.is_on("tag.gpgsign")
                    && !starts(&["-l", "--list", "-d", "--delete", "-n", "--no-sign"])
                || settings.is_on("tag.forcesignannotated") && starts(&["-a", "-m", "--annotate"])
        }
        _ => {
            (settings.is_on("commit.gpgsign") || starts(&["-S", "--gpg-sign"])) && !starts(&["--no-gpg-sign"])
        }
    };
    let format = settings.last("gpg.format").unwrap_or("openpgp").to_owned();
    let key = settings.last("user.signingkey").map(str::to_owned);
    let named = |setting: &&git_config::Setting| {
        matches!(setting.key.as_str(), "gpg.program" | "gpg.openpgp.program")
    };
    let program = settings.of_person.iter().rev().find(named).and_then(|setting| setting.value.clone());
    is_asked.then_some(SignatureLoan { format, key, program })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::command::loans::tests::words;

    struct Place {
        folder: tempfile::TempDir,
    }

    impl Place {
        fn new(repository: &str, person: &str) -> Self {
            let folder = tempfile::tempdir().unwrap();
            std::fs::create_dir_all(folder.path().join("w/.git")).unwrap();
            std::fs::create_dir_all(folder.path().join("home")).unwrap();
            std::fs::write(folder.path().join("w/.git/config"), repository).unwrap();
            std::fs::write(folder.path().join("w/.git/HEAD"), "ref: refs/heads/main\n").unwrap();
            std::fs::write(folder.path().join("home/.gitconfig"), person).unwrap();
            Self { folder }
        }

        fn situation(&self) -> Situation {
            let at = |name: &str| self.folder.path().join(name);
            Situation::new(at("home"), at("w"), at("d"))
        }

        fn of(&self, text: &str) -> Vec<String> {
            let loans = sign_in(&self.situation(), &words(text), &self.folder.path().join("w"));
            loans.iter().map(|loan| loan.part().text).collect()
        }
    }

    const TWO: &str = "[remote \"origin\"]\n\turl = git@one.example:a.git\n[remote \"other\"]\n\turl = https://two.example/a.git\n";
    const STORE: &str = "[credential]\n\thelper = store\n";

    #[test]
    fn the_server_is_that_of_the_remote_that_git_takes() {
        let place = Place::new(TWO, STORE);
        for (text, shown) in [
            ("git push", &["git@one.example"] as &[&str]),
            ("git push -u origin main", &["git@one.example"]),
            ("git push other main", &["https://two.example"]),
            ("git fetch --all", &["git@one.example", "https://two.example"]),
            ("git fetch other", &["https://two.example"]),
            ("git clone ssh://git@h:22/x y", &["git@h:22"]),
            ("git clone https://h:8443/x", &["https://h:8443"]),
            ("git clone ../x", &[]),
            ("git pull --depth 1 other", &["https://two.example"]),
            ("git push -C /elsewhere", &[]),
            ("git push -c url.x.insteadOf=y", &[]),
        ] {
            assert_eq!(place.of(text), shown, "{text}");
        }
    }

    #[test]
    fn the_branch_and_the_push_default_choose_the_remote() {
        let place = Place::new(&format!("{TWO}[branch \"main\"]\n\tremote = other\n"), STORE);
        assert_eq!(place.of("git push"), ["https://two.example"]);
        let place = Place::new(&format!("{TWO}[remote]\n\tpushDefault = other\n"), STORE);
        assert_eq!(place.of("git push"), ["https://two.example"]);
        assert_eq!(place.of("git fetch"), ["git@one.example"]);
    }

    #[test]
    fn a_rewritten_address_is_the_one_that_is_shown() {
        let rewritten =
            format!("{TWO}[url \"ssh://git@evil.example/\"]\n\tpushInsteadOf = git@one.example:\n");
        let place = Place::new(&rewritten, STORE);
        assert_eq!(place.of("git push"), ["git@evil.example"]);
        assert_eq!(place.of("git fetch"), ["git@one.example"]);
        let place = Place::new(&format!("{TWO}\tpushurl = ssh://there.example/a\n"), STORE);
        assert_eq!(place.of("git push other"), ["there.example"]);
        let person = format!("{STORE}[url \"git@two.example:\"]\n\tinsteadOf = https://two.example/\n");
        assert_eq!(Place::new(TWO, &person).of("git push other"), ["git@two.example"]);
    }

    #[test]
    fn a_login_is_lent_only_where_the_person_may_have_one_and_only_theirs_count() {
        assert!(Place::new(TWO, "").of("git push other").is_empty());
        let planted = format!("{TWO}[credential]\n\thelper = ./evil\n");
        assert!(Place::new(&planted, "").of("git push other").is_empty());
        let other = "[credential \"https://else.example\"]\n\thelper = store\n";
        assert!(Place::new(TWO, other).of("git push other").is_empty());
        let this = "[credential \"https://two.example\"]\n\thelper = store\n";
        assert_eq!(Place::new(TWO, this).of("git push other"), ["https://two.example"]);
        let place = Place::new(TWO, "");
        std::fs::write(place.folder.path().join("home/.netrc"), "machine two.example login a password b")
            .unwrap();
        assert_eq!(place.of("git push other"), ["https://two.example"]);
    }

    #[test]
    fn no_login_is_lent_where_the_repository_says_how_git_connects() {
        for planted in [
            "[http]\n\tproxy = http://evil.example:8080\n\tsslVerify = false\n",
            "[http \"https://two.example\"]\n\tsslVerify = false\n",
            "[http]\n\tcurloptResolve = two.example:443:192.0.2.1\n",
            "[http]\n\tsslCAInfo = ./ca.pem\n",
            "[remote \"other\"]\n\tproxy = http://evil.example\n",
            "[include]\n\tpath = ../more\n",
        ] {
            let place = Place::new(&format!("{TWO}{planted}"), STORE);
            assert!(place.of("git push other").is_empty(), "{planted}");
            assert_eq!(place.of("git push"), ["git@one.example"], "{planted}");
            let cwd = place.folder.path().join("w");
            let withheld = |text: &str| login_withheld_for(&place.situation(), &words(text), &cwd);
            assert!(withheld("git push other").is_some(), "{planted}");
            assert_eq!(withheld("git push"), None, "{planted}");
        }
        for harmless in ["[http]\n\tpostBuffer = 524288000\n", "[http]\n\tsslVerify = true\n"] {
            let place = Place::new(&format!("{TWO}{harmless}"), STORE);
            assert_eq!(place.of("git push other"), ["https://two.example"], "{harmless}");
        }
        let person = format!("{STORE}[http]\n\tproxy = http://proxy.work.example\n");
        assert_eq!(Place::new(TWO, &person).of("git push other"), ["https://two.example"]);
    }

    #[test]
    fn a_repository_does_not_choose_how_ssh_starts() {
        let planted = format!("{TWO}[core]\n\tsshCommand = ./evil\n");
        let place = Place::new(&planted, "[core]\n\tsshCommand = ssh -F /x\n");
        let loans = sign_in(&place.situation(), &words("git push"), &place.folder.path().join("w"));
        let [Loan::Ssh(loan)] = loans.as_slice() else { panic!("{loans:?}") };
        assert_eq!(loan.command.as_deref(), Some(words("ssh -F /x").as_slice()));
    }

    #[test]
    fn a_signing_key_is_lent_where_git_signs() {
        let person =
            "[commit]\n\tgpgsign = true\n[gpg]\n\tformat = ssh\n[user]\n\tsigningkey = ~/.ssh/id.pub\n";
        let place = Place::new(TWO, person);
        let of = |place: &Place, text: &str| {
            signature(&place.situation(), &words(text), &place.folder.path().join("w"))
        };
        let loan = of(&place, "git commit -m x").unwrap();
        assert_eq!((loan.format.as_str(), loan.key.as_deref()), ("ssh", Some("~/.ssh/id.pub")));
        assert_eq!(of(&place, "git commit --no-gpg-sign -m x"), None);
        assert_eq!(of(&place, "git tag v1"), None);
        assert!(of(&place, "git tag -s v1").is_some());
        let unsigned = Place::new(TWO, "");
        assert_eq!(of(&unsigned, "git commit -m x"), None);
        assert!(of(&unsigned, "git commit -S -m x").is_some());
    }
}
