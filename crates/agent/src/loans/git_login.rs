//! Stored logins for git over HTTP. git queries a socket of Deputy's with the protocol of its credential cache. The
//! person's own helper runs outside the sandbox, only for the addresses that the person was shown.

use super::error::LoanError;
use super::outside::Outside;
use super::serving::serve;
use super::{Place, Prepared};
use deputy_policy::{GitLoginLoan, Site};
use std::sync::Arc;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::UnixStream;

/// The maximum size of a credential request by git, in bytes.
const MOST_BYTES: u64 = 64 * 1024;

/// Serves git's credential requests for some addresses.
pub(super) fn lend(
    loan: &GitLoginLoan,
    outside: &Outside,
    place: &Place,
    prepared: &mut Prepared,
) -> Result<(), LoanError> {
    let path = place.shown.join("git");
    let sites: Arc<[Site]> = loan.sites.clone().into();
    let outside = Arc::new(outside.clone());
    let serving = serve(&path, move |stream| answer(stream, Arc::clone(&sites), Arc::clone(&outside)))?;
    // The order matters: this comes after the empty helper that makes git discard the helpers in its configuration
    // files.
    prepared.lent.git.push(("credential.helper".to_owned(), format!("cache --socket {}", path.display())));
    prepared.lent.sockets.push(path);
    prepared.lent.held.push(Box::new(serving));
    Ok(())
}

async fn answer(mut stream: UnixStream, sites: Arc<[Site]>, outside: Arc<Outside>) {
    let mut asked = Vec::new();
    let (reading, mut writing) = stream.split();
    if reading.take(MOST_BYTES).read_to_end(&mut asked).await.is_err() {
        return;
    }
    let Some(question) = Question::read(&asked, &sites) else { return };
    if let Some(login) = question.asked_of(&outside).await {
        let text = format!("username={}\npassword={}\n", login.user, login.password);
        // Git may have given up.
        let _ = writing.write_all(text.as_bytes()).await;
    }
}

/// A request for the login of an approved address.
#[derive(Debug, PartialEq)]
struct Question {
    site: Site,
    user: Option<String>,
    path: Option<String>,
}

struct Login {
    user: String,
    password: String,
}

impl Question {
    /// Parses a request of git. `None` if it is not a request for one of the addresses.
    fn read(asked: &[u8], sites: &[Site]) -> Option<Self> {
        let text = std::str::from_utf8(asked).ok().filter(|text| !text.contains(['\0', '\r']))?;
        let value = |name: &str| {
            let mut lines = text.lines().filter_map(|line| line.split_once('='));
            lines.find(|(key, _)| *key == name).map(|(_, value)| value.to_owned())
        };
        let site = Site { protocol: value("protocol")?, host: value("host")? };
        let is_asked = value("action")? == "get" && sites.contains(&site);
        is_asked.then(|| Self { user: value("username"), path: value("path"), site })
    }

    async fn asked_of(&self, outside: &Outside) -> Option<Login> {
        let mut text = format!("protocol={}\nhost={}\n", self.site.protocol, self.site.host);
        for (name, value) in [("username", &self.user), ("path", &self.path)] {
            if let Some(value) = value {
                text += &format!("{name}={value}\n");
            }
        }
        text.push('\n');
        let filled = outside.printed(&["git", "credential", "fill"], Some(text)).await.unwrap_or_default();
        let value = |name: &str| {
            filled
                .lines()
                .filter_map(|line| line.split_once('='))
                .find(|(key, _)| *key == name)
                .map(|(_, v)| v.to_owned())
        };
        match (value("username"), value("password")) {
            (Some(user), Some(password)) => Some(Login { user, password }),
            _ => {
                let file = tokio::fs::read_to_string(outside.home.join(".netrc")).await.ok()?;
                in_netrc(&file, &self.site, self.user.as_deref())
            }
        }
    }
}

/// Returns the login of a host from a `.netrc` file, which curl and ftp share.
fn in_netrc(text: &str, site: &Site, user: Option<&str>) -> Option<Login> {
    let name = site.host.split(':').next()?;
    let mut words = text.split_ascii_whitespace();
    let (mut is_meant, mut login, mut password) = (false, None, None);
    while let Some(word) = words.next() {
        match word {
            "machine" | "default" => {
                if is_meant && password.is_some() {
                    break;
                }
                (login, password) = (None, None);
                is_meant = word == "default" || words.next() == Some(name);
            }
            "login" => login = words.next(),
            "password" => password = words.next(),
            _ => {}
        }
    }
    let fits = is_meant && user.is_none_or(|user| login == Some(user));
    let (user, password) = (login?, password?);
    fits.then(|| Login { user: user.to_owned(), password: password.to_owned() })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn site(host: &str) -> Site {
        Site { protocol: "https".to_owned(), host: host.to_owned() }
    }

    #[test]
    fn only_questions_for_the_named_addresses_are_answered() {
        let sites = [site("one.example")];
        let read = |text: &str| Question::read(text.as_bytes(), &sites);
        let asked = "action=get\ntimeout=900\nprotocol=https\nhost=one.example\nusername=me\n\n";
        assert_eq!(
            read(asked),
            Some(Question { site: site("one.example"), user: Some("me".to_owned()), path: None })
        );
        for other in [
            asked.replace("one.example", "two.example"),
            asked.replace("https", "http"),
            asked.replace("one.example", "one.example:8443"),
            asked.replace("action=get", "action=store"),
            asked.replace("host=one.example\n", ""),
            asked.replace("one.example", "one.example\r"),
        ] {
            assert_eq!(read(&other), None, "{other}");
        }
    }

    #[test]
    fn a_login_in_a_netrc_is_that_of_its_machine() {
        let text = "machine two.example login b password y\nmachine one.example\n login a password x\ndefault login c password z\n";
        let of = |host: &str, user: Option<&str>| {
            in_netrc(text, &site(host), user).map(|login| format!("{}:{}", login.user, login.password))
        };
        assert_eq!(of("one.example:8443", None).as_deref(), Some("a:x"));
        assert_eq!(of("two.example", Some("b")).as_deref(), Some("b:y"));
        assert_eq!(of("two.example", Some("other")), None);
        assert_eq!(of("three.example", None).as_deref(), Some("c:z"));
    }
}
