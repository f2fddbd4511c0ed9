//! A person's OpenPGP key, lent to git. Instead of `gpg`, git starts this program under another name, which sends the
//! text to a socket of Deputy's. The person's own `gpg` signs it outside the sandbox if it is a commit or a tag.
//!
//! The command therefore has no access to keys and agent, and only commits and tags are signed.

use super::error::LoanError;
use super::outside::Outside;
use super::serving::serve;
use super::{Place, Prepared};
use deputy_policy::SignatureLoan;
use std::ffi::{OsStr, OsString};
use std::io::{Read, Write};
use std::net::Shutdown;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::UnixStream;

/// The name of the program that git starts. It finds its socket in the folder from which it was started.
const PROGRAM: &str = "gpg-for-git";
const SOCKET: &str = "gpg";
/// The maximum size of a text that is signed, in bytes. The message of a commit may be long.
const MOST_BYTES: u64 = 4 * 1024 * 1024;

/// What may be signed, and how.
struct Signer {
    outside: Outside,
    program: String,
    /// The key that the person was shown. `None` allows any key that git names.
    key: Option<String>,
}

/// Makes git start the substitute instead of `gpg`.
pub(super) fn lend(
    loan: &SignatureLoan,
    outside: &Outside,
    place: &Place,
    prepared: &mut Prepared,
) -> Result<(), LoanError> {
    let failed = |what: &'static str| move |source| LoanError::SigningDoor { what, source };
    let own = std::env::current_exe().and_then(|path| path.canonicalize());
    let own = own.map_err(failed("Deputy does not find its own program"))?;
    let program = place.shown.join(PROGRAM);
    std::os::unix::fs::symlink(&own, &program).map_err(failed("making a link"))?;
    let signer = Arc::new(Signer {
        outside: outside.clone(),
        program: loan.program.clone().unwrap_or_else(|| "gpg".to_owned()),
        key: loan.key.clone(),
    });
    let path = place.shown.join(SOCKET);
    let serving = serve(&path, move |stream| answer(stream, Arc::clone(&signer)))?;
    // The last setting of a name wins, and this one comes after git's configuration files.
    prepared.lent.git.push(("gpg.program".to_owned(), program.display().to_string()));
    prepared.readable.push(own);
    prepared.lent.sockets.push(path);
    prepared.lent.held.push(Box::new(serving));
    Ok(())
}

/// Handles one signature request: the name of the key, a NUL, and the text. The answer is the signature, or empty.
async fn answer(mut stream: UnixStream, signer: Arc<Signer>) {
    let mut asked = Vec::new();
    let (reading, mut writing) = stream.split();
    if reading.take(MOST_BYTES).read_to_end(&mut asked).await.is_err() {
        return;
    }
    if let Some((key, text)) = signer.may_sign(&asked)
        && let Some(signature) =
            signer.outside.printed(&[&signer.program, "-bsau", key], Some(text.to_owned())).await
    {
        // Git may have given up.
        let _ = writing.write_all(signature.as_bytes()).await;
    }
}

impl Signer {
    fn may_sign<'a>(&self, asked: &'a [u8]) -> Option<(&'a str, &'a str)> {
        let (key, text) = std::str::from_utf8(asked).ok()?.split_once('\0')?;
        let is_shown = self.key.as_deref().is_none_or(|shown| shown == key);
        (is_shown && !key.is_empty() && is_object(text)).then_some((key, text))
    }
}

/// Returns whether a text is a commit or a tag in the form that git signs.
fn is_object(text: &str) -> bool {
    let Some((head, _message)) = text.split_once("\n\n") else { return false };
    let lines: Vec<(&str, &str)> =
        head.split('\n').map(|line| line.split_once(' ').unwrap_or((line, ""))).collect();
    let is_id = |id: &str| matches!(id.len(), 40 | 64) && id.bytes().all(|byte| byte.is_ascii_hexdigit());
    match lines.as_slice() {
        [("tree", tree), rest @ ..] if is_id(tree) => {
            let mut rest = rest.iter().skip_while(|(key, value)| *key == "parent" && is_id(value));
            matches!((rest.next(), rest.next()), (Some(("author", _)), Some(("committer", _))))
        }
        [("object", id), ("type", kind), ("tag", _), ("tagger", _)] => {
            is_id(id) && matches!(*kind, "commit" | "tree" | "blob" | "tag")
        }
        _ => false,
    }
}

/// Acts as git's `gpg` if this process was started as such. `None` in every other process. Must be called before
/// anything else in the program.
pub fn answer_git() -> Option<ExitCode> {
    let mut words = std::env::args_os();
    let own = words.next()?;
    let own = Path::new(&own);
    if own.file_name() != Some(OsStr::new(PROGRAM)) {
        return None;
    }
    let words: Vec<OsString> = words.collect();
    let done = own.parent().ok_or("it was started without its folder".to_owned());
    let done = done.and_then(|folder| sign(&folder.join(SOCKET), &words));
    Some(match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            eprintln!("signing failed: {why}");
            ExitCode::FAILURE
        }
    })
}

fn sign(socket: &Path, words: &[OsString]) -> Result<(), String> {
    let [status, "-bsau", key] =
        words.iter().map(|word| word.to_str().unwrap_or_default()).collect::<Vec<_>>()[..]
    else {
        return Err("the key is lent for signing alone".to_owned());
    };
    if status != "--status-fd=2" {
        return Err("git asks in a way that is not known here".to_owned());
    }
    let failed = |error: std::io::Error| format!("asking Deputy for a signature failed ({error})");
    let mut text = OsString::from(key).as_bytes().to_vec();
    text.push(0);
    std::io::stdin().read_to_end(&mut text).map_err(failed)?;
    let mut stream = std::os::unix::net::UnixStream::connect(socket).map_err(failed)?;
    stream.write_all(&text).and_then(|()| stream.shutdown(Shutdown::Write)).map_err(failed)?;
    let mut signature = Vec::new();
    stream.read_to_end(&mut signature).map_err(failed)?;
    if signature.is_empty() {
        return Err(format!(
            "there is no signature by {key}: the key is not there, it was not unlocked, or what git asked for is no commit or tag"
        ));
    }
    std::io::stdout().write_all(&signature).map_err(failed)?;
    // This line tells git that a signature was created.
    eprintln!("\n[GNUPG:] SIG_CREATED ");
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::is_object;

    const ID: &str = "4b825dc642cb6eb9a060e54bf8d69288fbee4904";

    #[test]
    fn commits_and_tags_are_signed() {
        let who = "Dev <dev@example.com> 1767225600 +0000";
        for text in [
            format!("tree {ID}\nauthor {who}\ncommitter {who}\n\nfirst\n"),
            format!(
                "tree {ID}\nparent {ID}\nparent {ID}\nauthor {who}\ncommitter {who}\nencoding UTF-8\n\nmerge\n\nmore\n"
            ),
            format!("object {ID}\ntype commit\ntag v1\ntagger {who}\n\nrelease\n"),
        ] {
            assert!(is_object(&text), "{text}");
        }
    }

    #[test]
    fn nothing_else_is_signed() {
        for text in [
            String::new(),
            "I owe you 100 dollars.\n\nMe\n".to_owned(),
            format!("tree {ID}\n\nI owe you 100 dollars.\n"),
            format!("tree {ID}\nauthor a\n\nI owe you\n"),
            "tree x\nauthor a\ncommitter b\n\nfirst\n".to_owned(),
            format!("certificate version 0.1\npusher k\n\n{ID} {ID} refs/heads/main\n"),
            format!("object {ID}\ntype letter\ntag v1\ntagger a\n\nx\n"),
        ] {
            assert!(!is_object(&text), "{text}");
        }
    }
}
