//! Starts a browser with a profile, in Deputy's sandbox, with Deputy's proxy as the only way to the network.

use crate::find::{Installed, installed};
use crate::pipe::{Event, Pipe};
use crate::profile::Profile;
use crate::{BrowserError, Display};
use deputy_messages::Phrase;
use deputy_messages::browser as say;
use deputy_protocol::Confinement;
use deputy_sandbox::{ChildLimits, ChildSpec, Ended, Input, Network, Outcome, SandboxError, SharedMemory};
use deputy_web::{Gate, Proxy};
use std::ffi::OsString;
use std::os::fd::OwnedFd;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use std::time::Duration;
use tokio::net::{TcpListener, UnixStream};
use tokio::sync::mpsc;
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

/// Chromium uses descriptors 3 and 4 for the protocol. Both get the same socket.
const CONVERSING: &str = r#"exec 3<&0 4<&0 </dev/null; exec "$@""#;

/// Flags that disable Chromium's own background activity, which no task requested.
const QUIET: &[&str] = &[
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
    "--metrics-recording-only",
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
/// Flags for a browser without a window.
const UNSEEN: &[&str] = &["--headless=new", "--hide-scrollbars", "--mute-audio"];
/// Flags for a browser that a person uses. It keeps running when its window closes, so that Deputy can still read the
/// session cookies, and it shows no warning about its own sandbox, which Deputy's replaces.
const SEEN: &[&str] = &["--keep-alive-for-test", "--test-type"];
/// Chromium's lock files. They name a host and a process of an earlier sandbox, so they are removed.
const IN_USE: &[&str] = &["SingletonLock", "SingletonSocket", "SingletonCookie"];

/// How long to wait for the browser to report its version.
const STARTING: Duration = Duration::from_secs(20);
/// The oldest supported version, which is the first whose headless mode behaves like its windows.
const OLDEST: u32 = 112;
/// The maximum lifetime. The browser is closed when its task ends.
const LONGEST_LIFE: Duration = Duration::from_secs(7 * 24 * 3600);
const MIB: u64 = 1024 * 1024;
/// The memory limit for the browser with all its pages; never more than half of the machine's memory.
const MOST_MEMORY: u64 = 2 * 1024 * MIB;

/// The memory limit of a browser in bytes.
pub(crate) fn most_memory() -> u64 {
    let system = rustix::system::sysinfo();
    (system.totalram * u64::from(system.mem_unit) / 2).min(MOST_MEMORY)
}

/// A running browser. Dropping it ends the browser with all its processes, and removes a temporary profile.
pub(crate) struct Running {
    pub(crate) pipe: Pipe,
    /// The name of the browser, e.g. `Chromium`.
    pub(crate) name: &'static str,
    /// The number of its processes that were killed because the browser exceeded its memory limit.
    pub(crate) overgrown: Arc<AtomicU64>,
    stop: CancellationToken,
    proxy: JoinHandle<()>,
    /// The task that forwards its window to the desktop.
    passing_on: Option<JoinHandle<()>>,
    child: tokio::sync::Mutex<JoinHandle<Result<Outcome, SandboxError>>>,
    pub(crate) profile: Arc<Profile>,
}

impl Drop for Running {
    fn drop(&mut self) {
        self.stop.cancel();
        self.proxy.abort();
        self.passing_on.iter().for_each(JoinHandle::abort);
        // Dropping the task that runs the browser kills all remaining processes at once.
        self.child.get_mut().abort();
    }
}

/// Listens in the browser's network.
fn listen(network: &Network) -> Result<(TcpListener, u16), BrowserError> {
    let listening = || {
        let listener = network.listen()?;
        listener.set_nonblocking(true)?;
        let port = listener.local_addr()?.port();
        Ok((TcpListener::from_std(listener)?, port))
    };
    listening().map_err(|error| BrowserError::starting(say::not_listening, error))
}

/// Starts the browser of this machine with a profile, headless or in a window. Its requests go through a proxy that
/// forwards what the gate allows.
pub(crate) async fn start(
    gate: Arc<dyn Gate>,
    profile: Arc<Profile>,
    window: Option<&Display>,
) -> Result<(Running, mpsc::UnboundedReceiver<Event>), BrowserError> {
    start_program(installed(), gate, profile, window, STARTING).await
}

async fn start_program(
    program: Option<Installed>,
    gate: Arc<dyn Gate>,
    profile: Arc<Profile>,
    window: Option<&Display>,
    patience: Duration,
) -> Result<(Running, mpsc::UnboundedReceiver<Event>), BrowserError> {
    let Installed { name, program } = program.ok_or(BrowserError::NotInstalled)?;
    let failed = |words: fn(std::io::Error) -> Phrase| move |error| BrowserError::starting(words, error);
    let walls = deputy_sandbox::walls();
    if !walls.can_confine(Confinement::Workspace) || walls.bubblewrap.is_none() {
        let missing = deputy_messages::series(walls.describe());
        return Err(BrowserError::NoWalls(say::needs_bubblewrap(missing)));
    }
    for mark in IN_USE {
        let _ = std::fs::remove_file(profile.path().join(mark));
    }
    let network = Network::new().map_err(failed(say::no_network))?;
    let (listener, port) = listen(&network)?;
    let (ours, its) = UnixStream::pair().map_err(failed(say::no_socket))?;
    let its = its.into_std().and_then(|its| its.set_nonblocking(false).map(|()| its));
    let its = OwnedFd::from(its.map_err(failed(say::no_socket))?);

    let mut argv: Vec<OsString> = ["/bin/sh", "-c", CONVERSING, "browser"].map(OsString::from).into();
    argv.push(program.clone().into());
    let looks = if window.is_some() { SEEN } else { UNSEEN };
    argv.extend(QUIET.iter().chain(looks).map(OsString::from));
    let mut env =
        vec![("HOME".into(), profile.path().into()), ("XDG_RUNTIME_DIR".into(), profile.path().into())];
    let mut passing_on = None;
    if let Some(display) = window {
        let (listener, port) = listen(&network)?;
        env.extend(display.environment(port, profile.path()).map_err(failed(say::no_display_key))?);
        argv.push("--ozone-platform=x11".into());
        passing_on = Some(tokio::spawn(display.clone().pass_on(listener)));
    }
    // Deputy's sandbox contains the whole browser. The browser's own sandbox needs more rights and cannot be set up
    // inside.
    argv.push("--no-sandbox".into());
    argv.push(format!("--proxy-server=http://127.0.0.1:{port}").into());
    let mut folder = OsString::from("--user-data-dir=");
    folder.push(profile.path());
    argv.extend([folder, "about:blank".into()]);
    let overgrown = Arc::<AtomicU64>::default();
    let spec = ChildSpec {
        stdin: Input::Socket(Arc::new(its)),
        writable: vec![profile.path().to_owned()],
        env,
        network: Some(network),
        limits: ChildLimits {
            timeout: LONGEST_LIFE,
            grace: Duration::from_secs(2),
            head_bytes: 0,
            tail_bytes: 4096,
            memory_bytes: 4096 * MIB,
            counts_memory_in_use: false,
            shared_memory: Some(SharedMemory { most_bytes: most_memory(), ended: Arc::clone(&overgrown) }),
            processes: 1024,
            file_bytes: 1024 * MIB,
            temporary_bytes: 4096 * MIB,
            cpu_secs: 24 * 3600,
        },
        ..ChildSpec::new(argv, profile.path().to_owned(), Confinement::Workspace)
    };
    let stop = CancellationToken::new();
    let child = tokio::sync::Mutex::new(tokio::spawn(deputy_sandbox::run(spec, stop.clone(), None)));
    let proxy = tokio::spawn(Arc::new(Proxy::new(gate)).serve(listener));
    let (pipe, events) = Pipe::new(ours);
    let mut running = Running { pipe, name, overgrown, stop, proxy, passing_on, child, profile };
    let asked = running.pipe.call_within(patience, "", "Browser.getVersion", serde_json::json!({})).await;
    let version = match asked {
        Ok(answer) => answer["product"].as_str().unwrap_or_default().to_owned(),
        Err(error) => return Err(running.complaint(error).await),
    };
    let number = version.split(['/', '.']).nth(1).and_then(|number| number.parse::<u32>().ok());
    if number.is_none_or(|number| number < OLDEST) {
        running.end(Duration::ZERO).await;
        let version = crate::words::cut(&version, 50);
        return Err(BrowserError::NotStarted(say::too_old(name, OLDEST, version)));
    }
    Ok((running, events))
}

impl Running {
    /// Waits until the browser has exited, or ends it after `patience`.
    pub(crate) async fn end(&self, patience: Duration) {
        let mut child = self.child.lock().await;
        if tokio::time::timeout(patience, &mut *child).await.is_err() {
            self.stop.cancel();
            let _ = (&mut *child).await;
        }
        // A second caller finds a task that has ended.
        *child = tokio::spawn(std::future::pending());
        child.abort();
    }

    /// Returns why the browser did not start, using its own output.
    async fn complaint(&mut self, error: BrowserError) -> BrowserError {
        self.stop.cancel();
        match (self.child.get_mut()).await {
            Ok(Ok(outcome)) => {
                let said = String::from_utf8_lossy(&outcome.stderr.tail).into_owned();
                let last = said.lines().rev().find(|line| !line.trim().is_empty()).unwrap_or_default();
                let how = match (error, outcome.ended) {
                    (BrowserError::Silent(limit), _) => say::said_nothing(limit.as_secs()),
                    (_, Ended::Exited(code)) => say::ended_with_code(code),
                    (_, ended) => say::ended(format!("{ended:?}")),
                };
                let last = crate::words::cut(last, 300);
                BrowserError::NotStarted(if last.is_empty() { how } else { say::last_words(how, last) })
            }
            Ok(Err(walls)) => BrowserError::NoWalls(walls.into()),
            Err(_) => error,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::PermissionsExt;

    /// A gate that allows nothing.
    struct Shut;

    impl Gate for Shut {
        fn admits(&self, _: &str) -> Result<(), Phrase> {
            Err("nothing is let out".into())
        }

        fn admits_part(&self, _: &str, url: &str) -> Result<(), Phrase> {
            self.admits(url)
        }

        fn connects(&self, url: &str, _: std::net::IpAddr) -> Result<(), Phrase> {
            self.admits(url)
        }

        fn by_hand(&self) -> Arc<dyn Gate> {
            Arc::new(Self)
        }
    }

    /// Runs a script in place of a browser. Returns the error, and checks that none of its processes is left.
    async fn error_of(script: &str) -> String {
        let profile = Profile::fresh().unwrap();
        // Nothing else is readable inside the sandbox.
        let program = profile.path().join("program");
        std::fs::write(&program, format!("#!/bin/sh\n{script}\n")).unwrap();
        std::fs::set_permissions(&program, std::fs::Permissions::from_mode(0o755)).unwrap();
        let installed = Installed { name: "Chromium", program: program.clone() };
        let patience = Duration::from_secs(2);
        let started = start_program(Some(installed), Arc::new(Shut), profile, None, patience).await;
        let error = started.err().unwrap().to_string();
        let runs = |entry: std::io::Result<std::fs::DirEntry>| {
            let command = std::fs::read(entry.unwrap().path().join("cmdline")).unwrap_or_default();
            String::from_utf8_lossy(&command).contains(program.to_str().unwrap())
        };
        assert!(!std::fs::read_dir("/proc").unwrap().any(runs), "{script} still runs");
        error
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn a_browser_that_is_missing_old_broken_or_hangs_is_a_clear_error_and_nothing_stays() {
        let none = start_program(None, Arc::new(Shut), Profile::fresh().unwrap(), None, STARTING).await;
        let none = none.err().unwrap().to_string();
        assert!(none.contains("no browser is installed") && none.contains("apt install chromium"), "{none}");
        let old = r#"printf '{"id":1,"result":{"product":"Chrome/90.0.4430.93"}}\0' >&4; exec sleep 86408"#;
        for (script, says) in [
            (old, "Chromium is too old (Chrome/90.0.4430.93); install version 112 or newer"),
            ("echo 'no such display' >&2; exit 3", "it ended with code 3: no such display"),
            ("exec sleep 86409", "it said nothing within 2 s"),
            ("echo nonsense >&4; exec sleep 86410", "it said nothing within 2 s"),
        ] {
            let error = error_of(script).await;
            assert!(error.contains(says), "{script}: {error}");
        }
    }
}
