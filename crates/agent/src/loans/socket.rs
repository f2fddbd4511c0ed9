//! The socket of a service, lent through a forwarding socket of Deputy's. The forwarding socket and every connection
//! through it end with the call.

use super::error::LoanError;
use super::serving::serve;
use super::{Place, Prepared};
use deputy_policy::SocketLoan;
use std::os::unix::fs::FileTypeExt;
use std::path::{Path, PathBuf};
use tokio::net::UnixStream;

/// Lends the first socket that exists.
pub(super) fn lend(
    loan: &SocketLoan,
    home: &Path,
    place: &Place,
    prepared: &mut Prepared,
) -> Result<(), LoanError> {
    let is_socket = |path: &PathBuf| path.metadata().is_ok_and(|meta| meta.file_type().is_socket());
    let found = loan.at.iter().filter_map(|at| named(at, home)).find(is_socket);
    let Some(real) = found else {
        return Err(LoanError::NoSocket(loan.at.join(", ")));
    };
    let path = place.shown.join(format!("socket{}", prepared.lent.sockets.len()));
    let serving = serve(&path, move |mut inside| {
        let real = real.clone();
        async move {
            if let Ok(mut outside) = UnixStream::connect(real).await {
                // Either side may close the connection at any time.
                let _ = tokio::io::copy_bidirectional(&mut inside, &mut outside).await;
            }
        }
    })?;
    let value = loan.value.replace("{}", &path.to_string_lossy());
    prepared.lent.variables.push((loan.variable.clone().into(), value.into()));
    prepared.lent.sockets.push(path);
    prepared.lent.held.push(Box::new(serving));
    Ok(())
}

/// Expands the path of an entry in the data.
fn named(at: &str, home: &Path) -> Option<PathBuf> {
    let path = match at.strip_prefix('$') {
        Some(rest) => {
            let (name, below) = rest.split_once('/').unwrap_or((rest, ""));
            let value = std::env::var(name).ok()?;
            let value = value.strip_prefix("unix://").unwrap_or(&value);
            if below.is_empty() { PathBuf::from(value) } else { Path::new(value).join(below) }
        }
        None => at.strip_prefix("~/").map_or_else(|| PathBuf::from(at), |rest| home.join(rest)),
    };
    path.is_absolute().then_some(path)
}
