//! The environment of a person's terminal, which this process may lack: the `PATH` of the login shell and the locations
//! of toolchains.
//!
//! The shell is asked once, when the first command is decided, in the same way as editors do: it starts as a login
//! shell, reads its startup files, and prints its environment between markers. It gets no variable of Deputy's that may
//! be a secret, and only variables that are known not to be secret are taken from its output. If it does not answer in
//! time, the environment of this process is used.

use crate::config::ShellSettings;
use crate::redact;
use deputy_protocol::Terminal;
use deputy_sandbox::{ChildLimits, ChildSpec, SYSTEM_PATH, run};
use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::OnceCell;
use tokio_util::sync::CancellationToken;

/// The timeout for the startup files.
const PATIENCE: Duration = Duration::from_secs(10);
/// The maximum size of the output, in bytes.
const MOST_BYTES: usize = 1024 * 1024;

/// Variables with the locations of tools, their settings and certificates, and with the person's language and time
/// zone.
#[rustfmt::skip]
const NAMES: &[&str] = &[
    "LANG", "LANGUAGE", "TZ", "COLORTERM", "NO_COLOR", "EDITOR", "VISUAL", "BROWSER",
    "CARGO_HOME", "RUSTUP_HOME", "RUSTUP_TOOLCHAIN", "RUSTUP_AUTO_INSTALL", "RUST_BACKTRACE", "RUSTFLAGS", "CARGO_BUILD_JOBS",
    "CARGO_INCREMENTAL", "CARGO_NET_OFFLINE", "SCCACHE_DIR", "CCACHE_DIR",
    "GOPATH", "GOROOT", "GOBIN", "GOFLAGS", "GOPROXY", "GOPRIVATE", "GONOSUMDB", "GONOPROXY", "GOSUMDB", "GOTOOLCHAIN", "GOMODCACHE", "CGO_ENABLED",
    "NVM_DIR", "NVM_BIN", "VOLTA_HOME", "FNM_DIR", "FNM_MULTISHELL_PATH", "N_PREFIX", "NODE_ENV", "NODE_OPTIONS", "NODE_PATH",
    "NODE_EXTRA_CA_CERTS", "PNPM_HOME", "BUN_INSTALL", "DENO_INSTALL", "DENO_INSTALL_ROOT", "COREPACK_HOME",
    "PYENV_ROOT", "PYENV_VERSION", "PYTHONPATH", "PYTHONUNBUFFERED", "PYTHONDONTWRITEBYTECODE", "VIRTUAL_ENV", "CONDA_PREFIX", "CONDA_DEFAULT_ENV", "CONDA_EXE",
    "PIPX_HOME", "PIPX_BIN_DIR", "PIP_INDEX_URL", "PIP_EXTRA_INDEX_URL", "PIP_FIND_LINKS", "PIP_CERT", "PIP_DEFAULT_TIMEOUT",
    "PIP_DISABLE_PIP_VERSION_CHECK", "PIP_REQUIRE_VIRTUALENV", "POETRY_HOME", "UV_PYTHON", "UV_PYTHON_DOWNLOADS", "UV_INDEX_URL", "UV_DEFAULT_INDEX",
    "JAVA_HOME", "JDK_HOME", "MAVEN_HOME", "M2_HOME", "MAVEN_OPTS", "GRADLE_HOME", "GRADLE_OPTS", "SDKMAN_DIR", "SDKMAN_CANDIDATES_DIR", "JENV_ROOT",
    "SCALA_HOME", "KOTLIN_HOME", "ANT_HOME", "ANDROID_HOME", "ANDROID_SDK_ROOT", "ANDROID_NDK_HOME", "FLUTTER_ROOT",
    "RBENV_ROOT", "GEM_HOME", "GEM_PATH", "BUNDLE_PATH", "RUBYLIB", "PERL5LIB", "PERL_LOCAL_LIB_ROOT", "COMPOSER_HOME",
    "GHCUP_INSTALL_BASE_PREFIX", "STACK_ROOT", "CABAL_DIR", "OPAMROOT", "OPAM_SWITCH_PREFIX", "CAML_LD_LIBRARY_PATH", "OCAML_TOPLEVEL_PATH",
    "ASDF_DIR", "ASDF_DATA_DIR", "MISE_DATA_DIR", "MISE_CONFIG_DIR", "DOTNET_ROOT", "DOTNET_CLI_TELEMETRY_OPTOUT", "JULIA_DEPOT_PATH", "ELAN_HOME",
    "HOMEBREW_PREFIX", "HOMEBREW_CELLAR", "HOMEBREW_REPOSITORY", "NIX_PATH", "NIX_PROFILES", "NIX_SSL_CERT_FILE", "GUIX_PROFILE",
    "CC", "CXX", "CFLAGS", "CXXFLAGS", "CPPFLAGS", "LDFLAGS", "MAKEFLAGS", "PKG_CONFIG_PATH", "CMAKE_PREFIX_PATH", "CMAKE_GENERATOR",
    "LD_LIBRARY_PATH", "LIBRARY_PATH", "CPATH", "C_INCLUDE_PATH", "CPLUS_INCLUDE_PATH", "CUDA_HOME", "CUDA_PATH", "MANPATH", "INFOPATH",
    "SSL_CERT_FILE", "SSL_CERT_DIR", "CURL_CA_BUNDLE", "REQUESTS_CA_BUNDLE", "GIT_SSL_CAINFO",
    "HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY", "http_proxy", "https_proxy", "all_proxy", "no_proxy",
    "PGHOST", "PGPORT", "PGUSER", "PGDATABASE", "PGDATA", "SOURCE_DATE_EPOCH", "PLAYWRIGHT_BROWSERS_PATH", "PUPPETEER_EXECUTABLE_PATH", "CHROME_BIN", "CHROME_PATH",
];
/// Prefixes of such variables.
const BEGINNINGS: &[&str] = &["LC_", "GIT_AUTHOR_", "GIT_COMMITTER_"];

/// The person's environment, determined once.
#[derive(Default)]
pub(crate) struct UserShell(OnceCell<Arc<Surroundings>>);

/// The environment in which approved commands start.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Surroundings {
    /// The search path for programs: absolute folders, in order.
    pub(crate) path: Vec<PathBuf>,
    pub(crate) variables: Vec<(OsString, OsString)>,
}

impl UserShell {
    /// Asks the shell, unless that was done before.
    pub(crate) async fn ready(&self, home: &Path, settings: &ShellSettings) -> Arc<Surroundings> {
        Arc::clone(self.0.get_or_init(|| async { Arc::new(ask(home, settings).await) }).await)
    }

    /// Returns the environment, if the shell was asked before.
    pub(crate) fn known(&self) -> Option<Arc<Surroundings>> {
        self.0.get().cloned()
    }
}

/// Returns an environment as a terminal changes it: its search path comes first, and its Python environment is the
/// active one. A `PATH` in the settings is stronger.
pub(crate) fn in_terminal(
    known: &Arc<Surroundings>,
    terminal: Option<&Terminal>,
    home: &Path,
    settings: &ShellSettings,
) -> Arc<Surroundings> {
    const ACTIVE: &str = "VIRTUAL_ENV";
    let Some(terminal) = terminal.filter(|_| settings.path.is_none()) else { return Arc::clone(known) };
    let mut variables = known.variables.clone();
    variables.retain(|(name, _)| name != ACTIVE);
    let active = terminal.virtual_env.as_ref().map(|path| (ACTIVE.into(), path.into()));
    variables.extend(active.filter(|(name, value): &Variable| passes(name, value, settings)));
    variables.sort();
    Arc::new(Surroundings { path: merged(folders(OsStr::new(&terminal.path), home), &known.path), variables })
}

impl Surroundings {
    /// Returns the search path as the value of `PATH`.
    pub(crate) fn path_variable(&self) -> OsString {
        // A folder with a colon in its name cannot be in a `PATH`, and these folders came from one.
        std::env::join_paths(&self.path).unwrap_or_else(|_| SYSTEM_PATH.into())
    }

    /// Returns the value of a variable.
    pub(crate) fn get(&self, name: &str) -> Option<&OsStr> {
        self.variables.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_os_str())
    }

    fn of(home: &Path, settings: &ShellSettings, own: Vec<Variable>, shells: Option<Vec<Variable>>) -> Self {
        let value = |list: &[Variable], name: &str| {
            list.iter().find(|(known, _)| known == name).map(|(_, value)| value.clone()).unwrap_or_default()
        };
        let own_path = folders(&value(&own, "PATH"), home);
        let path = match (&settings.path, &shells) {
            (Some(set), _) => folders(OsStr::new(set), home),
            (None, Some(shells)) => merged(folders(&value(shells, "PATH"), home), &own_path),
            (None, None) => own_path,
        };
        let mut variables = shells.unwrap_or(own);
        variables.retain(|(name, value)| passes(name, value, settings));
        variables.sort();
        Self { path: merged(path, &folders(OsStr::new(SYSTEM_PATH), home)), variables }
    }
}

type Variable = (OsString, OsString);

async fn ask(home: &Path, settings: &ShellSettings) -> Surroundings {
    let own: Vec<Variable> = std::env::vars_os().collect();
    let given: Vec<Variable> = own
        .iter()
        .filter(|(name, value)| {
            ["PATH", "LOGNAME", "XDG_RUNTIME_DIR"].iter().any(|known| name == known)
                || passes(name, value, settings)
        })
        .cloned()
        .collect();
    let shells = match login_shell() {
        Some(shell) => printed_by(&shell, home, given.clone()).await,
        None => None,
    };
    if shells.is_none() {
        tracing::info!("the login shell did not tell its environment; commands get Deputy's own PATH");
    }
    Surroundings::of(home, settings, given, shells)
}

/// Returns the person's shell, if it supports the required options.
fn login_shell() -> Option<PathBuf> {
    const KNOWN: &[&str] = &["bash", "zsh", "fish", "ksh", "mksh", "dash", "sh", "ash", "yash"];
    let named = std::env::var_os("SHELL").map(PathBuf::from).filter(|shell| shell.is_absolute());
    let shell = named.or_else(|| {
        let user = rustix::process::getuid().as_raw().to_string();
        let accounts = std::fs::read_to_string("/etc/passwd").ok()?;
        let fields = accounts.lines().map(|line| line.split(':').collect::<Vec<_>>());
        let mut own = fields.filter(|fields| fields.get(2) == Some(&user.as_str()));
        own.next()?.get(6).map(PathBuf::from)
    })?;
    let name = shell.file_name()?.to_str()?.to_owned();
    (KNOWN.contains(&name.as_str()) && shell.is_file()).then_some(shell)
}

/// Returns the environment of a login shell after its startup files.
async fn printed_by(shell: &Path, home: &Path, given: Vec<Variable>) -> Option<Vec<Variable>> {
    let mark = crate::ids::fresh('e');
    let text = format!("printf '%s' '{mark}'; /usr/bin/env -0; printf '%s' '{mark}'");
    let mut env = given;
    env.push(("HOME".into(), home.into()));
    env.push(("SHELL".into(), shell.into()));
    // The person's own program with their own settings, as in a terminal.
    let spec = ChildSpec {
        env,
        limits: ChildLimits {
            timeout: PATIENCE,
            head_bytes: MOST_BYTES,
            tail_bytes: MOST_BYTES,
            ..ChildLimits::default()
        },
        ..ChildSpec::new(
            vec![shell.into(), "-l".into(), "-i".into(), "-c".into(), text.into()],
            if home.is_dir() { home.into() } else { "/".into() },
            deputy_protocol::Confinement::Open,
        )
    };
    let outcome = run(spec, CancellationToken::new(), None).await.ok()?;
    between(&outcome.stdout.head, mark.as_bytes())
}

/// Parses the variables between two markers. `None` if a marker is missing.
fn between(output: &[u8], mark: &[u8]) -> Option<Vec<Variable>> {
    let find = |bytes: &[u8]| bytes.windows(mark.len()).position(|window| window == mark);
    let begin = find(output)? + mark.len();
    let inside = output.get(begin..)?;
    let inside = &inside[..find(inside)?];
    let lines = inside.split(|byte| *byte == 0).filter(|line| !line.is_empty());
    let variables = lines.filter_map(|line| {
        let at = line.iter().position(|byte| *byte == b'=')?;
        Some((OsString::from_vec(line[..at].to_vec()), OsString::from_vec(line[at + 1..].to_vec())))
    });
    Some(variables.collect())
}

/// Returns whether a variable is known not to be secret, by its name and by its value.
fn passes(name: &OsStr, value: &OsStr, settings: &ShellSettings) -> bool {
    let Some(name) = name.to_str() else { return false };
    let is_named = NAMES.contains(&name)
        || BEGINNINGS.iter().any(|beginning| name.starts_with(beginning))
        || settings.variables.iter().any(|named| named == name);
    let text = String::from_utf8_lossy(value.as_bytes());
    is_named && !has_login(&text) && redact::text(&text) == text
}

/// Returns whether an address in the text contains a user name or a password.
fn has_login(text: &str) -> bool {
    text.split("://")
        .skip(1)
        .any(|rest| rest.split(['/', '?', '#', ' ', ',', '|']).next().is_some_and(|host| host.contains('@')))
}

/// Returns the absolute folders of a `PATH`, each once. Relative folders are skipped, because their meaning depends on
/// the current folder.
fn folders(path: &OsStr, home: &Path) -> Vec<PathBuf> {
    let mut found: Vec<PathBuf> = Vec::new();
    for folder in std::env::split_paths(path) {
        let folder = match folder.strip_prefix("~") {
            Ok(rest) => home.join(rest),
            Err(_) => folder,
        };
        if folder.is_absolute() && !found.contains(&folder) {
            found.push(folder);
        }
    }
    found
}

/// Returns the folders of `first`, with those that only `second` has inserted before the folder that follows them
/// there.
fn merged(mut first: Vec<PathBuf>, second: &[PathBuf]) -> Vec<PathBuf> {
    for (at, folder) in second.iter().enumerate().rev() {
        if !first.contains(folder) {
            let next = second.get(at + 1).and_then(|next| first.iter().position(|known| known == next));
            first.insert(next.unwrap_or(first.len()), folder.clone());
        }
    }
    first
}

#[cfg(test)]
mod tests {
    use super::*;

    fn paths(text: &str) -> Vec<PathBuf> {
        folders(OsStr::new(text), Path::new("/home/u"))
    }

    fn variable(name: &str, value: &str) -> Variable {
        (name.into(), value.into())
    }

    #[test]
    fn the_shells_path_and_the_hosts_own_keep_their_orders() {
        assert_eq!(
            merged(paths("/a:/b"), &paths("/v:/a:/b")),
            paths("/v:/a:/b"),
            "started in an activated environment"
        );
        assert_eq!(merged(paths("/x:/a:/b"), &paths("/a:/b")), paths("/x:/a:/b"), "started from a menu");
        assert_eq!(merged(paths("/x:/a"), &paths("/v:/a:/z")), paths("/x:/v:/a:/z"));
        assert_eq!(paths(".:bin::/a:/a:~/bin"), paths("/a:/home/u/bin"));
    }

    #[test]
    fn a_task_finds_what_the_terminal_finds_in_which_it_was_started() {
        let host = Arc::new(Surroundings {
            path: paths("/host/bin:/usr/bin:/bin"),
            variables: vec![variable("LANG", "C"), variable("VIRTUAL_ENV", "/host")],
        });
        let home = Path::new("/home/u");
        let in_terminal =
            |terminal: Option<&Terminal>, settings| in_terminal(&host, terminal, home, &settings);
        let path = "/home/u/.virtualenvs/one/bin:bin:/usr/bin:/bin".to_owned();
        let mut terminal = Terminal { path, virtual_env: Some("/home/u/.virtualenvs/one".to_owned()) };
        let found = in_terminal(Some(&terminal), ShellSettings::default());
        assert_eq!(found.path, paths("/home/u/.virtualenvs/one/bin:/host/bin:/usr/bin:/bin"));
        assert_eq!(found.get("VIRTUAL_ENV"), Some(OsStr::new("/home/u/.virtualenvs/one")));
        assert_eq!(found.get("LANG"), Some(OsStr::new("C")));
        terminal.virtual_env = None;
        assert_eq!(in_terminal(Some(&terminal), ShellSettings::default()).get("VIRTUAL_ENV"), None);
        assert_eq!(in_terminal(None, ShellSettings::default()), host);
        let set = ShellSettings { path: Some("/set".into()), ..ShellSettings::default() };
        assert_eq!(in_terminal(Some(&terminal), set), host, "a setting is stronger");
    }

    #[test]
    fn only_what_is_known_to_be_no_secret_is_taken() {
        let settings = ShellSettings { variables: vec!["MINE".into()], ..ShellSettings::default() };
        let passes = |name: &str, value: &str| passes(OsStr::new(name), OsStr::new(value), &settings);
        assert!(passes("CARGO_HOME", "/home/u/.cargo") && passes("LC_TIME", "C") && passes("MINE", "1"));
        assert!(
            passes("HTTPS_PROXY", "http://proxy:3128") && !passes("HTTPS_PROXY", "http://u:p@proxy:3128")
        );
        assert!(!passes("GOPROXY", "https://a,https://me:pw@b/x"));
        for name in [
            "ANTHROPIC_API_KEY",
            "AWS_SECRET_ACCESS_KEY",
            "GITHUB_TOKEN",
            "DEPUTY_HOME",
            "SSH_AUTH_SOCK",
            "NPM_TOKEN",
        ] {
            assert!(!passes(name, "x"), "{name}");
        }
    }

    #[test]
    fn what_start_up_files_print_is_no_part_of_the_environment() {
        let output = b"welcome\nA=1\0markPATH=/a\0LANG=C\nD\0marklater\0";
        let found = between(output, b"mark").unwrap();
        assert_eq!(found, [variable("PATH", "/a"), variable("LANG", "C\nD")]);
        assert_eq!(between(b"mark only once", b"mark"), None);
    }

    #[test]
    fn a_setting_decides_where_programs_are_found_and_the_system_comes_last() {
        let settings = ShellSettings { path: Some("~/mine:/usr/bin".into()), ..ShellSettings::default() };
        let own = vec![variable("PATH", "/own"), variable("LANG", "C")];
        let found = Surroundings::of(Path::new("/home/u"), &settings, own, None);
        assert_eq!(found.path[0], Path::new("/home/u/mine"));
        assert!(found.path.contains(&PathBuf::from("/bin")) && !found.path.contains(&PathBuf::from("/own")));
        assert_eq!(found.get("LANG"), Some(OsStr::new("C")));
    }

    #[tokio::test]
    async fn start_up_files_are_read_and_secrets_stay_here() {
        let home = tempfile::tempdir().unwrap();
        let line = "echo noise; export PATH=$HOME/tools:$PATH JAVA_HOME=/opt/j API_TOKEN=hush\n";
        std::fs::write(home.path().join(".bash_profile"), line).unwrap();
        let given = vec![variable("PATH", "/usr/bin:/bin")];
        let found = printed_by(Path::new("/bin/bash"), home.path(), given.clone()).await.unwrap();
        let found = Surroundings::of(home.path(), &ShellSettings::default(), given, Some(found));
        assert_eq!(found.path[0], home.path().join("tools"));
        assert_eq!(found.get("JAVA_HOME"), Some(OsStr::new("/opt/j")));
        assert_eq!(found.get("API_TOKEN"), None);
    }
}
