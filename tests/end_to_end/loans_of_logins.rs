//! Logins that are lent: what a request says of them, that the one call has them, and that nothing else does. `npm` is the real
//! one, against a registry on loopback.

use crate::support::{World, agreed, shell};
use deputy_protocol::{CallStatus, Part, PartKind, PermissionRequest, Risk};
use deputy_testkit::{Finished, Turn};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpListener;
use std::os::unix::fs::PermissionsExt;
use std::sync::{Arc, Mutex};

const MARK: &str = "npm_MARKofALOGIN0000000000000000000000";

/// A server that notes each request's method, address and login, and answers what a registry answers to a new package.
fn registry() -> (u16, Arc<Mutex<Vec<String>>>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    let seen: Arc<Mutex<Vec<String>>> = Arc::default();
    let noted = Arc::clone(&seen);
    std::thread::spawn(move || {
        for mut stream in listener.incoming().flatten() {
            let mut reader = BufReader::new(stream.try_clone().unwrap());
            let (mut first, mut login, mut length) = (String::new(), String::new(), 0);
            loop {
                let mut line = String::new();
                if reader.read_line(&mut line).unwrap_or(0) == 0 || line == "\r\n" {
                    break;
                }
                match line.split_once(": ") {
                    None => first = line.trim().to_owned(),
                    Some((name, value)) if name.eq_ignore_ascii_case("authorization") => {
                        login = value.trim().into()
                    }
                    Some((name, value)) if name.eq_ignore_ascii_case("content-length") => {
                        length = value.trim().parse().unwrap();
                    }
                    Some(_) => {}
                }
            }
            let mut body = vec![0; length];
            reader.read_exact(&mut body).unwrap();
            noted.lock().unwrap().push(format!("{first} {login}"));
            let status = if first.starts_with("GET /lent-package") { "404 Not Found" } else { "200 OK" };
            let answer = format!("HTTP/1.1 {status}\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{{}}");
            stream.write_all(answer.as_bytes()).unwrap();
        }
    });
    (port, seen)
}

fn loans(request: &PermissionRequest) -> Vec<&Part> {
    request.details.parts.iter().filter(|part| part.kind == PartKind::Loan).collect()
}

/// What the model was given of it all.
fn told(world: &World) -> String {
    world.model.requests().iter().map(|request| format!("{:?}", request.body)).collect()
}

const LATER: &str = "import glob, os\nfor path in [os.path.expanduser('~/.npmrc'), *glob.glob('/tmp/**/hosts.yml', recursive=True)]:\n    \
    try:\n        print('READ', len(open(path).read()))\n    except OSError as error:\n        print('kept out', error.errno)\nprint('GH', os.environ.get('GH_CONFIG_DIR'))\n";

#[test]
fn a_package_is_published_with_the_login_that_was_lent_and_no_later_command_has_it() {
    let (port, seen) = registry();
    let mut world = World::new([shell("npm publish"), shell("python3 later.py"), Turn::text("Done.")]);
    world.home.set("shell.path", "/usr/local/bin:/usr/bin:/bin").unwrap();
    let settings = format!("registry=http://127.0.0.1:{port}/\n//127.0.0.1:{port}/:_authToken={MARK}\n");
    std::fs::write(world.home.user().join(".npmrc"), settings).unwrap();
    world.home.write("package.json", "{\"name\": \"lent-package\", \"version\": \"1.0.0\"}\n").unwrap();
    world.home.write("later.py", LATER).unwrap();
    let (asked, results) = agreed(|args| world.say(&[&["--json"], args].concat()));
    assert_eq!(asked[0].risk, Risk::High);
    let lent = loans(&asked[0]);
    assert_eq!(lent.len(), 1, "{asked:?}");
    assert!(lent[0].text.ends_with(".npmrc") && lent[0].reason.contains("package registry"), "{lent:?}");
    assert_eq!(results[0].status, CallStatus::Ok, "{results:?}");
    let seen = seen.lock().unwrap();
    let published =
        seen.iter().find(|line| line.starts_with("PUT /lent-package")).unwrap_or_else(|| panic!("{seen:?}"));
    assert!(published.ends_with(&format!("Bearer {MARK}")), "{seen:?}");
    assert!(results[1].content.contains("kept out") && !results[1].content.contains("READ"), "{results:?}");
    assert!(!told(&world).contains(MARK));
}

/// The token is printed by the person's own `gh`, outside of the walls; the one inside finds it where it looks for it.
#[test]
fn a_token_that_is_lent_reaches_the_one_call() {
    let (port, seen) = registry();
    let mut world = World::new([shell("gh issue list"), shell("python3 later.py"), Turn::text("Done.")]);
    let bin = world.home.root().join("bin");
    std::fs::create_dir(&bin).unwrap();
    let client = format!(
        "#!/bin/sh\nif [ \"$1 $2\" = 'auth token' ]; then echo gho_MARKofALOGIN000000000000000000000000; exit; fi\n\
         token=$(sed -n 's/ *oauth_token: //p' \"$GH_CONFIG_DIR/hosts.yml\")\n\
         exec curl -s -H \"Authorization: token $token\" http://127.0.0.1:{port}/issues\n"
    );
    std::fs::write(bin.join("gh"), client).unwrap();
    std::fs::set_permissions(bin.join("gh"), std::fs::Permissions::from_mode(0o755)).unwrap();
    world.home.set("shell.path", format!("{}:/usr/local/bin:/usr/bin:/bin", bin.display())).unwrap();
    world.home.write("later.py", LATER).unwrap();
    let (asked, results) = agreed(|args| -> Finished { world.say(&[&["--json"], args].concat()) });
    assert!(loans(&asked[0])[0].reason.contains("token for GitHub"), "{asked:?}");
    assert_eq!(asked[0].risk, Risk::High);
    assert_eq!(results[0].status, CallStatus::Ok, "{results:?}");
    let seen = seen.lock().unwrap();
    assert_eq!(seen.as_slice(), ["GET /issues HTTP/1.1 token gho_MARKofALOGIN000000000000000000000000"]);
    assert!(results[1].content.contains("GH None") && !results[1].content.contains("READ"), "{results:?}");
    assert!(!told(&world).contains("MARKofALOGIN"));
}
