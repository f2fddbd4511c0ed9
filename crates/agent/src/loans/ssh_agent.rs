//! A filter for the person's SSH agent: it lists the keys, and allows signatures only for the servers that the person
//! was shown.
//!
//! Before it requests a signature, a client reports its connection (`session-bind@openssh.com`, OpenSSH 8.9 and later):
//! the key of the server, the session id, and the session id signed by the server. A signature is therefore only valid
//! for a connection to a server with a key that the person's `ssh` knows for the approved name. Any other request is
//! refused. Forwarded connections are refused too.

use super::verify::is_signed_by;
use super::wire::{MOST_BYTES, Reader};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::UnixStream;

/// The message types of the protocol.
const FAILURE: u8 = 5;
const SUCCESS: u8 = 6;
const REQUEST_IDENTITIES: u8 = 11;
const IDENTITIES_ANSWER: u8 = 12;
const SIGN_REQUEST: u8 = 13;
const EXTENSION: u8 = 27;
/// The type of the message that a client signs to log in.
const USERAUTH_REQUEST: u8 = 50;
/// The prefix of a signed text that is not a message of the SSH protocol.
const SIGNATURE_MARK: &[u8] = b"SSHSIG";

/// What may be signed.
#[derive(Clone, Debug, Default)]
pub(super) struct Allowed {
    pub(super) servers: Vec<Known>,
    /// The key for signing git commits and tags, if that is allowed.
    pub(super) signing_key: Option<Vec<u8>>,
}

/// A server as the person's `ssh` knows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Known {
    /// The login name.
    pub(super) user: String,
    /// The keys of the server.
    pub(super) keys: Vec<Vec<u8>>,
    /// Whether the person's `ssh` accepts any key of an unknown server.
    pub(super) takes_new: bool,
    /// Keys of other servers in `known_hosts`. A server with one of these keys is not the new server.
    pub(super) others: Vec<Vec<u8>>,
}

impl Known {
    /// Returns whether a key belongs to this server, or may belong to it.
    fn has(&self, key: &[u8]) -> bool {
        let is = |known: &Vec<u8>| known == key;
        self.keys.iter().any(is) || self.keys.is_empty() && self.takes_new && !self.others.iter().any(is)
    }
}

/// Serves one connection, with the agent at `agent`.
pub(super) async fn answer(mut client: UnixStream, agent: PathBuf, allowed: Arc<Allowed>) {
    let mut door = Door { allowed, bound: Bound::Not, agent: None };
    while let Some(message) = receive(&mut client).await {
        let reply = door.reply(&message, &agent).await;
        if send(&mut client, &reply).await.is_none() {
            return;
        }
    }
}

/// Returns the number of keys of an agent. `None` if it does not answer.
pub(super) async fn count_keys(agent: &Path) -> Option<u32> {
    let mut stream = UnixStream::connect(agent).await.ok()?;
    send(&mut stream, &[REQUEST_IDENTITIES]).await?;
    let answer = receive(&mut stream).await?;
    let mut answer = Reader(&answer);
    (answer.byte()? == IDENTITIES_ANSWER).then(|| answer.number())?
}

struct Door {
    allowed: Arc<Allowed>,
    bound: Bound,
    agent: Option<UnixStream>,
}

/// The connection that signatures are for.
#[derive(Debug, PartialEq, Eq)]
enum Bound {
    Not,
    To {
        connection: Vec<u8>,
        key: Vec<u8>,
    },
    /// The binding was invalid, or was sent twice.
    Refused,
}

impl Door {
    async fn reply(&mut self, message: &[u8], agent: &Path) -> Vec<u8> {
        let is_passed_on = match message.first() {
            Some(&REQUEST_IDENTITIES) => true,
            Some(&SIGN_REQUEST) => self.may_sign(message).is_some(),
            Some(&EXTENSION) => {
                let said = binding(message);
                self.bound = match (said, &self.bound) {
                    (Some((connection, key)), Bound::Not) => Bound::To { connection, key },
                    _ => Bound::Refused,
                };
                if matches!(self.bound, Bound::To { .. }) {
                    // Keys may be restricted to servers in the agent itself, so the binding is forwarded. An agent that
                    // does not support it returns a failure, which is harmless.
                    let _ = self.ask(message, agent).await;
                    return vec![SUCCESS];
                }
                false
            }
            _ => false,
        };
        let answer = if is_passed_on { self.ask(message, agent).await } else { None };
        answer.unwrap_or_else(|| vec![FAILURE])
    }

    async fn ask(&mut self, message: &[u8], agent: &Path) -> Option<Vec<u8>> {
        if self.agent.is_none() {
            self.agent = UnixStream::connect(agent).await.ok();
        }
        let stream = self.agent.as_mut()?;
        send(stream, message).await?;
        receive(stream).await
    }

    /// Returns whether the text to sign is approved.
    fn may_sign(&self, message: &[u8]) -> Option<()> {
        let mut message = Reader(message.get(1..)?);
        let (with, signed) = (message.string()?, message.string()?);
        if let Some(rest) = signed.strip_prefix(SIGNATURE_MARK) {
            let is_shown = self.allowed.signing_key.as_deref() == Some(with);
            return (is_shown && Reader(rest).text()? == "git").then_some(());
        }
        let Bound::To { connection, key } = &self.bound else { return None };
        let mut signed = Reader(signed);
        let is_for_it = signed.string()? == connection && signed.byte()? == USERAUTH_REQUEST;
        let user = signed.text()?;
        let is_login = signed.text()? == "ssh-connection" && signed.text()?.starts_with("publickey");
        let is_shown = self.allowed.servers.iter().any(|server| server.user == user && server.has(key));
        (is_for_it && is_login && is_shown).then_some(())
    }
}

/// Returns the session id that a client reports and the key of the server, if the server signed the id.
fn binding(message: &[u8]) -> Option<(Vec<u8>, Vec<u8>)> {
    let mut message = Reader(message.get(1..)?);
    if message.text()? != "session-bind@openssh.com" {
        return None;
    }
    let (key, connection, signature) = (message.string()?, message.string()?, message.string()?);
    let is_passed_on = message.byte()? != 0;
    let is_so = !is_passed_on && message.is_empty() && is_signed_by(key, signature, connection);
    is_so.then(|| (connection.to_vec(), key.to_vec()))
}

async fn receive(stream: &mut UnixStream) -> Option<Vec<u8>> {
    let length = stream.read_u32().await.ok()? as usize;
    if length == 0 || length > MOST_BYTES {
        return None;
    }
    let mut message = vec![0; length];
    stream.read_exact(&mut message).await.ok()?;
    Some(message)
}

async fn send(stream: &mut UnixStream, message: &[u8]) -> Option<()> {
    let length = u32::try_from(message.len()).ok()?;
    stream.write_all(&length.to_be_bytes()).await.ok()?;
    stream.write_all(message).await.ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::loans::wire::string;
    use ring::signature::{Ed25519KeyPair, KeyPair};

    /// A server with its own key.
    struct Server {
        pair: Ed25519KeyPair,
    }

    impl Server {
        fn new(seed: u8) -> Self {
            Self { pair: Ed25519KeyPair::from_seed_unchecked(&[seed; 32]).unwrap() }
        }

        fn key(&self) -> Vec<u8> {
            [string(b"ssh-ed25519"), string(self.pair.public_key().as_ref())].concat()
        }

        /// Returns the binding message of a client, for a connection that the server signed.
        fn binding(&self, connection: &[u8], said: &[u8], passed_on: u8) -> Vec<u8> {
            let signature = [string(b"ssh-ed25519"), string(self.pair.sign(connection).as_ref())].concat();
            let name = string(b"session-bind@openssh.com");
            [vec![EXTENSION], name, string(&self.key()), string(said), string(&signature), vec![passed_on]]
                .concat()
        }
    }

    fn login(connection: &[u8], user: &str) -> Vec<u8> {
        let signed = [
            string(connection),
            vec![USERAUTH_REQUEST],
            string(user.as_bytes()),
            string(b"ssh-connection"),
            string(b"publickey"),
            vec![1],
        ];
        [vec![SIGN_REQUEST], string(b"key"), string(&signed.concat()), vec![0; 4]].concat()
    }

    fn text(namespace: &str) -> Vec<u8> {
        text_with(b"key", namespace)
    }

    fn text_with(key: &[u8], namespace: &str) -> Vec<u8> {
        let signed =
            [SIGNATURE_MARK.to_vec(), string(namespace.as_bytes()), string(b""), string(b"sha512")].concat();
        [vec![SIGN_REQUEST], string(key), string(&signed), vec![0; 4]].concat()
    }

    /// Sends messages through the filter to an agent that signs everything. Returns which of them got a signature.
    async fn through(allowed: &Allowed, messages: &[Vec<u8>]) -> Vec<bool> {
        const SIGNED: u8 = 14;
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("agent");
        let listener = tokio::net::UnixListener::bind(&path).unwrap();
        let agent = tokio::spawn(async move {
            while let Ok((mut stream, _)) = listener.accept().await {
                while receive(&mut stream).await.is_some() {
                    send(&mut stream, &[SIGNED]).await.unwrap();
                }
            }
        });
        let (mut client, behind) = UnixStream::pair().unwrap();
        let door = tokio::spawn(answer(behind, path, Arc::new(allowed.clone())));
        let mut signed = Vec::new();
        for message in messages {
            send(&mut client, message).await.unwrap();
            signed.push(receive(&mut client).await.unwrap() == [SIGNED]);
        }
        drop(client);
        door.await.unwrap();
        agent.abort();
        signed
    }

    fn shown(server: &Server) -> Allowed {
        let known =
            Known { user: "git".to_owned(), keys: vec![server.key()], takes_new: false, others: vec![] };
        Allowed { servers: vec![known], signing_key: None }
    }

    #[tokio::test]
    async fn a_signature_is_for_a_connection_with_a_server_that_was_shown() {
        let (server, other) = (Server::new(1), Server::new(2));
        let allowed = shown(&server);
        let bind = |server: &Server| server.binding(b"c1", b"c1", 0);
        let cases = [
            ("as shown", vec![bind(&server), login(b"c1", "git")], true),
            ("not bound", vec![login(b"c1", "git")], false),
            ("another connection", vec![bind(&server), login(b"c2", "git")], false),
            ("another user", vec![bind(&server), login(b"c1", "root")], false),
            ("another server", vec![bind(&other), login(b"c1", "git")], false),
            ("not signed by the server", vec![server.binding(b"c1", b"c2", 0), login(b"c2", "git")], false),
            ("passed on", vec![server.binding(b"c1", b"c1", 1), login(b"c1", "git")], false),
            ("bound twice", vec![bind(&server), server.binding(b"c2", b"c2", 0), login(b"c2", "git")], false),
            ("bound twice, the first", vec![bind(&server), bind(&other), login(b"c1", "git")], false),
            ("a text", vec![bind(&server), text("git")], false),
            ("a key to be added", vec![vec![17, 0, 0]], false),
            ("nothing but a kind", vec![vec![SIGN_REQUEST]], false),
        ];
        for (name, messages, expected) in cases {
            assert_eq!(through(&allowed, &messages).await.last(), Some(&expected), "{name}");
        }
    }

    #[tokio::test]
    async fn commits_are_signed_and_no_other_texts_and_no_logins() {
        let server = Server::new(1);
        let signs = Allowed { servers: Vec::new(), signing_key: Some(b"key".to_vec()) };
        let login = [server.binding(b"c", b"c", 0), login(b"c", "git")];
        assert_eq!(through(&signs, &[text("git")]).await, [true]);
        assert_eq!(through(&signs, &[text("file")]).await, [false]);
        let other = text_with(b"another", "git");
        assert_eq!(through(&signs, &[other]).await, [false], "a key that was not shown");
        assert_eq!(through(&signs, &login).await.last(), Some(&false));
    }

    #[tokio::test]
    async fn a_new_server_is_taken_only_where_the_person_takes_new_ones() {
        let server = Server::new(1);
        let messages = [server.binding(b"c", b"c", 0), login(b"c", "git")];
        for (takes_new, keys) in [(true, vec![]), (false, vec![]), (true, vec![Server::new(2).key()])] {
            let expected = takes_new && keys.is_empty();
            let known = Known { user: "git".to_owned(), keys, takes_new, others: vec![] };
            let allowed = Allowed { servers: vec![known.clone()], signing_key: None };
            assert_eq!(through(&allowed, &messages).await.last(), Some(&expected));
            // A key that is known for another server would log in there, and the person was not shown that server's
            // name.
            let others = vec![Server::new(3).key(), server.key()];
            let allowed = Allowed { servers: vec![Known { others, ..known }], signing_key: None };
            assert_eq!(through(&allowed, &messages).await.last(), Some(&false));
        }
    }
}
