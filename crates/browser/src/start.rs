//! Starts a browser: a fresh profile, Deputy's walls around it, and no way out but Deputy's proxy.

use crate::BrowserError;
use crate::find::{Installed, installed};
use crate::pipe::{Event, Pipe};
use deputy_protocol::Confinement;
use deputy_sandbox::{ChildLimits, ChildSpec, Input, Network, Outcome, SandboxError};
use deputy_web::{Gate, Proxy};
use std::ffi::OsString;
use std::os::fd::OwnedFd;
use std::sync::Arc;
use std::time::Duration;
use tempfile::TempDir;
use tokio::net::{TcpListener, UnixStream};
use tokio::sync::mpsc;
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

/// Chromium converses over the descriptors 3 and 4; it gets the one socket as both.
const CONVERSING: &str = r#"exec 3<&0 4<&0 </dev/null; exec "$@""#;

/// What Chromium does by itself and for itself, none of which a task asked for.
const QUIET: &[&str] = &[
    "--headless=new",
    "--remote-debugging-pipe",
    "--no-first-run",
    "--no-default-browser-check",
    "--no-pings",
    "--disable-background-networking",
    "--disable-breakpad",
    "--disable-component-extensions-with-background-pages",
    "--disable-component-update",
    "--disable-default-apps",
    "--disable-domain-reliability",
    "--disable-extensions",
    "--disable-gpu",
    "--disable-print-preview",
    "--disable-quic",
    "--disable-sync",
    "--dns-prefetch-disable",
    "--force-color-profile=srgb",
    "--hide-scrollbars",
    "--metrics-recording-only",
    "--mute-audio",
    "--password-store=basic",
    "--use-mock-keychain",
    "--disable-features=AutofillServerCommunication,CertificateTransparencyComponentUpdater,DialMediaRouteProvider,\
     HttpsUpgrades,InterestFeedContentSuggestions,MediaRouter,NetworkTimeServiceQuerying,OptimizationHints,\
     Prerender2,SpareRendererForSitePerProcess,Translate",
    "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
    "--webrtc-ip-handling-policy=disable_non_proxied_udp",
    "--proxy-bypass-list=<-loopback>",
    "--window-size=1280,900",
];

/// How long it may run at most; it is closed when its task ends.
const LONGEST_LIFE: Duration = Duration::from_secs(7 * 24 * 3600);
const MIB: u64 = 1024 * 1024;

/// A browser that runs. Dropping it ends the browser with all its processes, and removes its profile.
pub(crate) struct Running {
    pub(crate) pipe: Pipe,
    /// What it is, e.g. `Chromium`.
    pub(crate) name: &'static str,
    stop: CancellationToken,
    proxy: JoinHandle<()>,
    child: JoinHandle<Result<Outcome, SandboxError>>,
    pub(crate) profile: TempDir,
}

impl Drop for Running {
    fn drop(&mut self) {
        self.stop.cancel();
        self.proxy.abort();
        // Dropping what runs it kills what is left at once.
        self.child.abort();
    }
}

/// Starts the browser of this machine. Its requests go through a proxy that lets out what the gate admits.
pub(crate) async fn start(
    gate: Arc<dyn Gate>,
) -> Result<(Running, mpsc::UnboundedReceiver<Event>), BrowserError> {
    let Installed { name, program } = installed().ok_or(BrowserError::NotInstalled)?;
    let failed = |what: &'static str| move |error| BrowserError::starting(what, error);
    let walls = deputy_sandbox::walls();
    if !walls.can_confine(Confinement::Workspace) || walls.bubblewrap.is_none() {
        let missing = walls.describe().iter().map(|missing| missing.as_str()).collect::<Vec<_>>().join("; ");
        return Err(BrowserError::NoWalls(format!(
            "it needs bubblewrap to be kept from the network ({missing})"
        )));
    }
    let profile =
        tempfile::Builder::new().prefix("deputy-browser-").tempdir().map_err(failed("making its profile"))?;
    let network = Network::new().map_err(failed("making its network"))?;
    let listener = network.listen().map_err(failed("listening in its network"))?;
    let port = listener.local_addr().map_err(failed("listening in its network"))?.port();
    listener.set_nonblocking(true).map_err(failed("listening in its network"))?;
    let listener = TcpListener::from_std(listener).map_err(failed("listening in its network"))?;
    let (ours, its) = UnixStream::pair().map_err(failed("making its socket"))?;
    let its = its.into_std().and_then(|its| its.set_nonblocking(false).map(|()| its));
    let its = OwnedFd::from(its.map_err(failed("making its socket"))?);

    let mut argv: Vec<OsString> = ["/bin/sh", "-c", CONVERSING, "browser"].map(OsString::from).into();
    argv.push(program.clone().into());
    argv.extend(QUIET.iter().map(OsString::from));
    // Deputy's walls hold the whole browser; inside of them its own, which need more rights, cannot be put up.
    argv.push("--no-sandbox".into());
    argv.push(format!("--proxy-server=http://127.0.0.1:{port}").into());
    let mut folder = OsString::from("--user-data-dir=");
    folder.push(profile.path());
    argv.extend([folder, "about:blank".into()]);
    let spec = ChildSpec {
        stdin: Input::Socket(Arc::new(its)),
        writable: vec![profile.path().to_owned()],
        env: vec![("HOME".into(), profile.path().into()), ("XDG_RUNTIME_DIR".into(), profile.path().into())],
        network: Some(network),
        limits: ChildLimits {
            timeout: LONGEST_LIFE,
            grace: Duration::from_secs(2),
            head_bytes: 0,
            tail_bytes: 4096,
            memory_bytes: 4096 * MIB,
            processes: 1024,
            file_bytes: 1024 * MIB,
            cpu_secs: 24 * 3600,
        },
        ..ChildSpec::new(argv, profile.path().to_owned(), Confinement::Workspace)
    };
    let stop = CancellationToken::new();
    let child = tokio::spawn(deputy_sandbox::run(spec, stop.clone(), None));
    let proxy = tokio::spawn(Arc::new(Proxy::new(gate)).serve(listener));
    let (pipe, events) = Pipe::new(ours);
    let mut running = Running { pipe, name, stop, proxy, child, profile };
    let version = running.pipe.call("", "Browser.getVersion", serde_json::json!({})).await;
    if let Err(error) = version {
        return Err(running.complaint(error).await);
    }
    Ok((running, events))
}

impl Running {
    /// Why it did not come up, by what it said itself.
    async fn complaint(&mut self, error: BrowserError) -> BrowserError {
        self.stop.cancel();
        match (&mut self.child).await {
            Ok(Ok(outcome)) => {
                let said = String::from_utf8_lossy(&outcome.stderr.tail).into_owned();
                let last = said.lines().rev().find(|line| !line.trim().is_empty()).unwrap_or_default();
                BrowserError::NotStarted(format!("{:?}: {last}", outcome.ended))
            }
            Ok(Err(walls)) => BrowserError::NoWalls(walls.to_string()),
            Err(_) => error,
        }
    }
}
