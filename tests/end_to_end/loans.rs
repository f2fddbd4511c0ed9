//! Loans, with the real programs: a server for SSH and one for git over HTTP on loopback, an agent, a daemon's socket.
//! What was agreed to works, and nothing else gets at what was lent.

use crate::support::{World, agreed, shell};
use deputy_protocol::{CallStatus, Part, PartKind, PermissionRequest, Risk, ToolResult};
use deputy_testkit::{Finished, Turn};
use std::io::{BufRead, BufReader};
use std::net::TcpListener;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

/// Ends with the test.
struct Server(Child);

impl Drop for Server {
    fn drop(&mut self) {
        // It may be gone already.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn done(command: &mut Command) -> String {
    let output = command.output().unwrap();
    assert!(output.status.success(), "{command:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

fn git(folder: &Path, words: &str) -> String {
    let mut command = Command::new("git");
    let identity =
        ["-c", "user.name=Dev", "-c", "user.email=dev@example.com", "-c", "init.defaultBranch=main"];
    done(
        command
            .current_dir(folder)
            .args(identity)
            .args(words.split(' '))
            .env("GIT_CONFIG_GLOBAL", "/dev/null"),
    )
}

fn user() -> String {
    done(Command::new("id").arg("-un")).trim().to_owned()
}

fn key_pair(path: &Path) {
    done(Command::new("ssh-keygen").args(["-q", "-t", "ed25519", "-N", "", "-C", "test", "-f"]).arg(path));
}

/// A server for SSH on loopback that lets one key in.
struct Sshd {
    _server: Server,
    port: u16,
    host_key: String,
}

impl Sshd {
    fn start(folder: &Path, public: &Path) -> Self {
        std::fs::create_dir_all(folder).unwrap();
        let key = folder.join("host_key");
        key_pair(&key);
        std::fs::copy(public, folder.join("authorized")).unwrap();
        // Who runs as root has to have it.
        let _ = std::fs::create_dir_all("/run/sshd");
        let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        let config = format!(
            "ListenAddress 127.0.0.1\nPort {port}\nHostKey {}\nAuthorizedKeysFile {}\nStrictModes no\nUsePAM no\nPidFile none\nPasswordAuthentication no\nPermitRootLogin prohibit-password\n",
            key.display(),
            folder.join("authorized").display()
        );
        let path = folder.join("sshd_config");
        std::fs::write(&path, config).unwrap();
        let mut child = Command::new("/usr/sbin/sshd")
            .args(["-D", "-e", "-f"])
            .arg(&path)
            .stderr(Stdio::piped())
            .spawn()
            .expect("this test needs openssh-server, see scripts/setup_system.sh");
        let mut said = BufReader::new(child.stderr.take().unwrap());
        let mut line = String::new();
        while !line.contains("listening") {
            line.clear();
            assert!(said.read_line(&mut line).unwrap() > 0, "sshd ended");
        }
        std::thread::spawn(move || said.lines().for_each(drop));
        let host_key = std::fs::read_to_string(key.with_extension("pub")).unwrap();
        Self { _server: Server(child), port, host_key }
    }

    fn line(&self) -> String {
        format!("[127.0.0.1]:{} {}", self.port, self.host_key)
    }
}

/// A person with a key, and a workspace whose remote lies behind a server for SSH.
struct Place {
    world: World,
    server: Sshd,
    /// Another one that lets the same key in, and that no request names.
    other: Sshd,
    bare: PathBuf,
    env: Vec<(String, String)>,
}

impl Place {
    fn new(turns: impl IntoIterator<Item = Turn>) -> Self {
        let world = World::new(turns);
        let ssh = world.home.user().join(".ssh");
        std::fs::create_dir_all(&ssh).unwrap();
        key_pair(&ssh.join("id_ed25519"));
        let public = ssh.join("id_ed25519.pub");
        let server = Sshd::start(&world.home.root().join("sshd"), &public);
        let other = Sshd::start(&world.home.root().join("other"), &public);
        std::fs::write(ssh.join("known_hosts"), server.line() + &other.line()).unwrap();
        // `ssh` finds the home by the account and not by the variable.
        let config = format!(
            "Host *\n  UserKnownHostsFile {0}/known_hosts\n  IdentityFile {0}/id_ed25519\n  StrictHostKeyChecking yes\n",
            ssh.display()
        );
        std::fs::write(ssh.join("config"), config).unwrap();
        let settings = format!(
            "[user]\n\tname = Dev\n\temail = dev@example.com\n[core]\n\tsshCommand = ssh -F {}/config\n",
            ssh.display()
        );
        std::fs::write(world.home.user().join(".gitconfig"), settings).unwrap();
        let bare = world.home.root().join("bare.git");
        std::fs::create_dir(&bare).unwrap();
        git(&bare, "init -q --bare -b main");
        let workspace = world.home.workspace();
        git(&workspace, "init -q -b main");
        git(&workspace, "commit -q --allow-empty -m first");
        let url = format!("ssh://{}@127.0.0.1:{}{}", user(), server.port, bare.display());
        git(&workspace, &format!("remote add origin {url}"));
        Self { world, server, other, bare, env: Vec::new() }
    }

    fn say(&self, args: &[&str]) -> Finished {
        let mut command = self.world.home.deputy().unwrap();
        command.arg("--json").args(args).env_remove("SSH_AUTH_SOCK").envs(self.env.iter().cloned());
        Finished::of(command).unwrap()
    }

    /// Lets the model make its calls, saying yes to each; what was asked and what came of it.
    fn agreed(&self) -> (Vec<PermissionRequest>, Vec<ToolResult>) {
        agreed(|args| self.say(args))
    }

    fn head(&self) -> String {
        git(&self.world.home.workspace(), "rev-parse HEAD")
    }

    fn pushed(&self) -> String {
        git(&self.bare, "rev-parse main")
    }
}

fn loans(request: &PermissionRequest) -> Vec<&Part> {
    request.details.parts.iter().filter(|part| part.kind == PartKind::Loan).collect()
}

#[test]
fn a_push_over_ssh_gets_the_keys_for_the_server_that_was_shown() {
    let place = Place::new([shell("git push -q origin main"), Turn::text("Done.")]);
    let (asked, results) = place.agreed();
    assert_eq!(results[0].status, CallStatus::Ok, "{results:?}");
    assert_eq!(place.pushed(), place.head());
    let request = &asked[0];
    assert_eq!(request.risk, Risk::High);
    assert!(request.offered.iter().all(|offer| offer.rule.is_none()), "remembered: {request:?}");
    let [loan] = loans(request)[..] else { panic!("{request:?}") };
    assert_eq!(loan.text, format!("{}@127.0.0.1:{}", user(), place.server.port));
    assert!(loan.reason.contains("sign in to these servers as you"), "{loan:?}");
}

#[test]
fn an_agent_is_lent_through_a_door_and_nothing_else_gets_through_it() {
    const ATTACK: &str = r#"import os, socket, struct, subprocess, sys
def text(b): return struct.pack(">I", len(b)) + b
def ask(message):
    s = socket.socket(socket.AF_UNIX)
    s.connect(os.environ["SSH_AUTH_SOCK"])
    s.sendall(text(message))
    return s.makefile("rb").read(5)[4]
login = text(b"x" * 32) + b"\x32" + text(b"root") + text(b"ssh-connection") + text(b"publickey")
print("login", ask(b"\x0d" + text(b"key") + text(login) + bytes(4)))
print("signature", ask(b"\x0d" + text(b"key") + text(b"SSHSIG" + text(b"git")) + bytes(4)))
print("remove all", ask(b"\x13"))
other = subprocess.run(["ssh", "-F", sys.argv[1] + "/config", "-o", "IdentityAgent=SSH_AUTH_SOCK", "-p", sys.argv[2], "127.0.0.1", "true"],
                       stdin=subprocess.DEVNULL, capture_output=True, text=True)
print("other", other.returncode, "denied" if "Permission denied" in other.stderr else other.stderr)
keys = subprocess.run(["cat", sys.argv[1] + "/id_ed25519"], capture_output=True, text=True)
print("key", keys.returncode)
open("where", "w").write(os.environ["SSH_AUTH_SOCK"])
subprocess.Popen(["sh", "-c", "while sleep 0.1; do ssh-add -l > after 2>&1; done"], start_new_session=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
"#;
    const LATER: &str = r#"import os, socket
path = open("where").read()
print("variable", os.environ.get("SSH_AUTH_SOCK"))
try:
    socket.socket(socket.AF_UNIX).connect(path)
    print("connected")
except OSError as error:
    print("refused", type(error).__name__)
"#;
    let mut place = Place::new([]);
    let ssh = place.world.home.user().join(".ssh");
    let command = "git push -q origin main && sh attack.sh";
    let fresh = World::new([shell(command), shell("python3 later.py"), Turn::text("Done.")]);
    place.world.home.use_model(&fresh.model).unwrap();
    let script = format!("python3 attack.py \"$HOME/.s\"sh {}", place.other.port);
    std::fs::write(place.world.home.workspace().join("attack.sh"), script).unwrap();
    std::fs::write(place.world.home.workspace().join("attack.py"), ATTACK).unwrap();
    std::fs::write(place.world.home.workspace().join("later.py"), LATER).unwrap();
    // A real agent of the person's, which signs whatever it is asked to.
    let socket = place.world.home.root().join("agent");
    let agent =
        Command::new("ssh-agent").arg("-D").arg("-a").arg(&socket).stdout(Stdio::null()).spawn().unwrap();
    let _agent = Server(agent);
    while std::os::unix::net::UnixStream::connect(&socket).is_err() {
        std::thread::yield_now();
    }
    done(Command::new("ssh-add").arg("-q").arg(ssh.join("id_ed25519")).env("SSH_AUTH_SOCK", &socket));
    place.env.push(("SSH_AUTH_SOCK".to_owned(), socket.display().to_string()));

    let (asked, results) = place.agreed();
    let said = &results[0].content;
    assert_eq!(results[0].status, CallStatus::Ok, "{said}");
    assert_eq!(place.pushed(), place.head());
    for line in ["login 5", "signature 5", "remove all 5", "other 255 denied", "key 1"] {
        assert!(said.contains(line), "{line}: {said}");
    }
    assert!(
        loans(&asked[0]).iter().any(|part| part.reason.contains("Every command in this call")),
        "{asked:?}"
    );
    let later = &results[1].content;
    assert!(later.contains("variable None") && later.contains("refused"), "{later}");
    let listed = done(Command::new("ssh-add").arg("-l").env("SSH_AUTH_SOCK", &socket));
    assert!(listed.contains("ED25519"), "the agent kept its key: {listed}");
}

#[test]
fn a_repository_starts_no_program_of_its_own_with_the_loan_and_no_server_that_was_not_shown() {
    let place = Place::new([shell("git push -q origin main"), Turn::text("Done.")]);
    let workspace = place.world.home.workspace();
    let evil = workspace.join("evil.sh");
    std::fs::write(&evil, "#!/bin/sh\ntouch ran\nexec ssh \"$@\"\n").unwrap();
    std::fs::set_permissions(&evil, std::fs::Permissions::from_mode(0o755)).unwrap();
    git(&workspace, &format!("config core.sshCommand {}", evil.display()));
    git(&workspace, "config credential.helper ./evil.sh");
    // What is pushed to is another place than what the remote says.
    let elsewhere = format!("ssh://{}@127.0.0.1:{}/", user(), place.other.port);
    let shown = format!("ssh://{}@127.0.0.1:{}/", user(), place.server.port);
    git(&workspace, &format!("config url.{elsewhere}.pushInsteadOf {shown}"));
    let (asked, results) = place.agreed();
    let request = &asked[0];
    assert!(request.reasons.iter().any(|reason| reason.contains("can run a program")), "{request:?}");
    assert_eq!(loans(request)[0].text, format!("{}@127.0.0.1:{}", user(), place.other.port), "the true one");
    assert_eq!(results[0].status, CallStatus::Ok, "{results:?}");
    assert!(!workspace.join("ran").exists(), "a program of the repository ran");
}

/// git's own server program behind a login, on loopback; the first line says the port.
const HTTP: &str = r#"import base64, http.server, os, subprocess, sys
class Git(http.server.BaseHTTPRequestHandler):
    def log_message(self, *args): pass
    def do_GET(self):
        if self.headers.get("Authorization") != "Basic " + base64.b64encode(b"dev:MARK-OF-A-PASSWORD").decode():
            self.send_response(401); self.send_header("WWW-Authenticate", 'Basic realm="x"'); self.end_headers()
            return
        path, _, query = self.path.partition("?")
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        if self.headers.get("Transfer-Encoding") == "chunked":
            while size := int(self.rfile.readline(), 16):
                body += self.rfile.read(size); self.rfile.readline()
        env = dict(os.environ, GIT_PROJECT_ROOT=sys.argv[1], GIT_HTTP_EXPORT_ALL="1", PATH_INFO=path, QUERY_STRING=query, REMOTE_USER="dev",
                   REQUEST_METHOD=self.command, CONTENT_TYPE=self.headers.get("Content-Type", ""), CONTENT_LENGTH=str(len(body)),
                   HTTP_CONTENT_ENCODING=self.headers.get("Content-Encoding", ""))
        head, _, rest = subprocess.run(["git", "http-backend"], env=env, input=body, capture_output=True).stdout.partition(b"\r\n\r\n")
        lines = [line.split(": ", 1) for line in head.decode().split("\r\n")]
        self.send_response(int(dict(lines).get("Status", "200")[:3]))
        for name, value in lines: self.send_header(name, value)
        self.end_headers(); self.wfile.write(rest)
    do_POST = do_GET
server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Git)
print(server.server_port, flush=True)
server.serve_forever()
"#;

#[test]
fn a_push_over_http_gets_the_stored_login_for_the_address_that_was_shown_and_no_other() {
    // The helper that hands out passwords gives one for the address that was named, and none for any other.
    const ATTACK: &str = "import subprocess, sys\nfor host in sys.argv[1], 'else.example':\n    asked = f'protocol=http\\nhost={host}\\n\\n'\n    said = subprocess.run(['git', 'credential', 'fill'], input=asked, capture_output=True, text=True)\n    print(host, 'password=' in said.stdout)\nprint('store', subprocess.run(['cat', sys.argv[2]], capture_output=True).returncode)\n";
    let mut place = Place::new([]);
    let workspace = place.world.home.workspace();
    let folder = place.bare.parent().unwrap().to_owned();
    git(&place.bare, "config http.receivepack true");
    let mut server =
        Command::new("python3").args(["-c", HTTP]).arg(&folder).stdout(Stdio::piped()).spawn().unwrap();
    let mut port = String::new();
    BufReader::new(server.stdout.take().unwrap()).read_line(&mut port).unwrap();
    let _server = Server(server);
    let host = format!("127.0.0.1:{}", port.trim());
    git(&workspace, &format!("remote set-url origin http://{host}/bare.git"));
    let store = place.world.home.user().join(".git-credentials");
    let lines =
        format!("http://dev:MARK-OF-A-PASSWORD@{}\nhttp://a:b@else.example\n", host.replace(':', "%3a"));
    std::fs::write(&store, lines).unwrap();
    let settings = place.world.home.user().join(".gitconfig");
    let text = std::fs::read_to_string(&settings).unwrap() + "[credential]\n\thelper = store\n";
    std::fs::write(&settings, text).unwrap();
    std::fs::write(workspace.join("attack.py"), ATTACK).unwrap();
    let script = format!("python3 attack.py {host} \"$HOME/.git-cred\"entials");
    std::fs::write(workspace.join("attack.sh"), script).unwrap();
    let fresh = World::new([shell("git push -q origin main && sh attack.sh"), Turn::text("Done.")]);
    place.world.home.use_model(&fresh.model).unwrap();

    let (asked, results) = place.agreed();
    let said = &results[0].content;
    assert_eq!(results[0].status, CallStatus::Ok, "{said}");
    assert_eq!(place.pushed(), place.head());
    assert_eq!(loans(&asked[0])[0].text, format!("http://{host}"));
    for line in [format!("{host} True"), "else.example False".to_owned(), "store 1".to_owned()] {
        assert!(said.contains(&line), "{line}: {said}");
    }
    let told =
        format!("{said}{:?}", fresh.model.requests().iter().map(|r| r.body.clone()).collect::<Vec<_>>());
    assert!(!told.contains("MARK-OF-A-PASSWORD"), "{told}");
}

#[test]
fn a_daemons_socket_is_lent_to_the_call_that_names_its_client_and_to_no_other() {
    let turns = [shell("docker ps"), shell("python3 later.py"), Turn::text("Done.")];
    let mut place = Place::new([]);
    let fresh = World::new(turns);
    place.world.home.use_model(&fresh.model).unwrap();
    let root = place.world.home.root().to_owned();
    let socket = root.join("docker.sock");
    let daemon = std::os::unix::net::UnixListener::bind(&socket).unwrap();
    std::thread::spawn(move || {
        use std::io::Write;
        for mut stream in daemon.incoming().flatten() {
            let mut head = BufReader::new(stream.try_clone().unwrap());
            let mut line = String::new();
            while head.read_line(&mut line).unwrap_or(0) > 0 && !line.ends_with("\r\n\r\n") {}
            stream
                .write_all(
                    b"HTTP/1.1 200 OK\r\nContent-Length: 13\r\nConnection: close\r\n\r\n[\"a machine\"]",
                )
                .unwrap();
        }
    });
    place.env.push(("DOCKER_HOST".to_owned(), format!("unix://{}", socket.display())));
    // The client, by the daemon's own protocol.
    let bin = root.join("bin");
    std::fs::create_dir(&bin).unwrap();
    let client = bin.join("docker");
    std::fs::write(
        &client,
        "#!/bin/sh\nexec curl -s --unix-socket \"${DOCKER_HOST#unix://}\" http://d/containers/json\n",
    )
    .unwrap();
    std::fs::set_permissions(&client, std::fs::Permissions::from_mode(0o755)).unwrap();
    let path = format!("{}:/usr/local/bin:/usr/bin:/bin", bin.display());
    place.world.home.set("shell.path", path).unwrap();
    let later = format!(
        "import os, socket\nprint(os.environ.get('DOCKER_HOST'))\ntry:\n    socket.socket(socket.AF_UNIX).connect({:?})\n    print('connected')\nexcept OSError as error:\n    print('refused')\n",
        socket.display().to_string()
    );
    std::fs::write(place.world.home.workspace().join("later.py"), later).unwrap();
    let (asked, results) = place.agreed();
    assert!(results[0].content.contains("a machine"), "{results:?}");
    assert!(loans(&asked[0])[0].reason.contains("whatever root can"), "{asked:?}");
    assert!(asked[0].details.confinement < deputy_protocol::Confinement::Open, "{asked:?}");
    assert!(results[1].content.contains("None\nrefused"), "{results:?}");
}

#[test]
fn a_commit_is_signed_with_a_key_that_the_command_does_not_see() {
    let place = Place::new([shell("git commit -q --allow-empty -m signed"), Turn::text("Done.")]);
    let ssh = place.world.home.user().join(".ssh");
    let settings = place.world.home.user().join(".gitconfig");
    let signing = format!(
        "\tsigningKey = {}/id_ed25519.pub\n[commit]\n\tgpgsign = true\n[gpg]\n\tformat = ssh\n",
        ssh.display()
    );
    let text = std::fs::read_to_string(&settings).unwrap().replace("[core]", &format!("{signing}[core]"));
    std::fs::write(&settings, text).unwrap();
    let (asked, results) = place.agreed();
    assert_eq!(results[0].status, CallStatus::Ok, "{results:?}");
    assert!(loans(&asked[0])[0].reason.contains("signing key"), "{asked:?}");
    let workspace = place.world.home.workspace();
    let allowed = place.world.home.root().join("signers");
    let public = std::fs::read_to_string(ssh.join("id_ed25519.pub")).unwrap();
    std::fs::write(&allowed, format!("dev@example.com {public}")).unwrap();
    let options = format!("-c gpg.ssh.allowedSignersFile={} verify-commit HEAD", allowed.display());
    git(&workspace, &options);
}

/// A person's OpenPGP key without a passphrase, and the agent that gpg starts for it, which ends with this.
struct Gpg {
    home: PathBuf,
    fingerprint: String,
}

impl Gpg {
    fn new(home: PathBuf) -> Self {
        std::fs::create_dir_all(&home).unwrap();
        std::fs::set_permissions(&home, std::fs::Permissions::from_mode(0o700)).unwrap();
        let made = Self { home, fingerprint: String::new() };
        let key = ["--quick-gen-key", "Dev <dev@example.com>", "ed25519", "sign", "never"];
        made.gpg(&[&["--passphrase", ""], &key[..]].concat());
        let listed = made.gpg(&["--list-keys", "--with-colons"]);
        let fingerprint = listed.lines().find_map(|line| line.strip_prefix("fpr:")).unwrap();
        let fingerprint = fingerprint.trim_matches(':').to_owned();
        Self { home: made.home.clone(), fingerprint }
    }

    fn gpg(&self, words: &[&str]) -> String {
        done(Command::new("gpg").args(["--batch", "-q"]).args(words).env("GNUPGHOME", &self.home))
    }
}

impl Drop for Gpg {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = Command::new("gpgconf").args(["--kill", "all"]).env("GNUPGHOME", &self.home).output();
    }
}

#[test]
fn an_openpgp_key_signs_commits_and_tags_outside_and_nothing_else() {
    // The second call is what a hook or a build script might try with what was lent: a letter in the person's name.
    let letter = "d=$(dirname \"$(git config gpg.program)\"); git commit -q --allow-empty -m second; echo 'I owe you' | \"$d\"/gpg-for-git --status-fd=2 -bsau \"$(git config user.signingkey)\"; echo ended $?";
    let place = Place::new([
        shell("git commit -q --allow-empty -m signed && git tag -s v1 -m release"),
        shell(letter),
        Turn::text("Done."),
    ]);
    let gpg = Gpg::new(place.world.home.user().join(".gnupg"));
    let settings = place.world.home.user().join(".gitconfig");
    let signing = format!("\tsigningKey = {}\n[commit]\n\tgpgsign = true\n", gpg.fingerprint);
    let text = std::fs::read_to_string(&settings).unwrap().replace("[core]", &format!("{signing}[core]"));
    std::fs::write(&settings, text).unwrap();
    let (asked, results) = place.agreed();
    assert_eq!(results[0].status, CallStatus::Ok, "{results:?}");
    assert!(loans(&asked[0])[0].reason.contains("signing key"), "{asked:?}");
    assert!(
        results[1].content.contains("ended 1") && !results[1].content.contains("BEGIN PGP"),
        "{results:?}"
    );
    for what in ["verify-commit HEAD~1", "verify-commit HEAD", "verify-tag v1"] {
        done(
            Command::new("git")
                .args(what.split(' '))
                .current_dir(place.world.home.workspace())
                .env("GNUPGHOME", &gpg.home),
        );
    }
}
