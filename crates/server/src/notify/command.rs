//! A command of the user's own, e.g. `notify-send Deputy`: it gets the line for people as its last argument.

use super::Channel;
use async_trait::async_trait;
use deputy_protocol::{Confinement, Notice};
use deputy_sandbox::{ChildLimits, ChildSpec, Ended, run};
use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;
use tokio_util::sync::CancellationToken;

/// It has so long.
const TIMEOUT: Duration = Duration::from_secs(10);
/// Where the user's desktop is, which the command needs to show anything there.
const DESKTOP: [&str; 6] =
    ["HOME", "DISPLAY", "WAYLAND_DISPLAY", "XAUTHORITY", "DBUS_SESSION_BUS_ADDRESS", "XDG_RUNTIME_DIR"];

/// Program and arguments. The user wrote them into the configuration, so it runs as the user does.
pub(super) struct Command(pub(super) Vec<String>);

#[async_trait]
impl Channel for Command {
    fn name(&self) -> &'static str {
        "notify.command"
    }

    async fn show(&self, notice: &Notice) -> Result<(), String> {
        // A command cannot undo what it has shown.
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
