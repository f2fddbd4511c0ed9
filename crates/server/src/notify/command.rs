//! Notices through a command of the user, e.g. `notify-send Deputy`, which gets the text as its last argument.

use super::Channel;
use async_trait::async_trait;
use deputy_protocol::{Confinement, Notice};
use deputy_sandbox::{ChildLimits, ChildSpec, Ended, run};
use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;
use tokio_util::sync::CancellationToken;

/// The timeout of the command.
const TIMEOUT: Duration = Duration::from_secs(10);
/// Variables that the command needs to show something on the user's desktop.
const DESKTOP: [&str; 6] =
    ["HOME", "DISPLAY", "WAYLAND_DISPLAY", "XAUTHORITY", "DBUS_SESSION_BUS_ADDRESS", "XDG_RUNTIME_DIR"];

/// The program and its arguments. They come from the user's configuration, so the command runs with the user's
/// permissions.
pub(super) struct Command(pub(super) Vec<String>);

#[async_trait]
impl Channel for Command {
    fn name(&self) -> &'static str {
        "notify.command"
    }

    async fn show(&self, notice: &Notice) -> Result<(), String> {
        // A command cannot withdraw a notice.
        if notice.withdrawn {
            return Ok(());
        }
        let mut argv: Vec<OsString> = self.0.iter().map(OsString::from).collect();
        argv.push(OsString::from(&notice.text));
        let env = DESKTOP.iter().filter_map(|name| Some((OsString::from(name), std::env::var_os(name)?)));
        let spec = ChildSpec {
            env: env.collect(),
            limits: ChildLimits { timeout: TIMEOUT, ..ChildLimits::default() },
            ..ChildSpec::new(argv, PathBuf::from("/"), Confinement::Open)
        };
        let outcome = run(spec, CancellationToken::new(), None).await.map_err(|error| error.to_string())?;
        match outcome.ended {
            Ended::Exited(0) => Ok(()),
            ended => Err(format!("it ended as {ended:?}")),
        }
    }
}
