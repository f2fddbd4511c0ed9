//! Tests that keys reach the sidecar in `initialize` only.

use crate::support::{played_with, summary, until};
use deputy_protocol::PlanErrorCode;
use std::io::{self, Write};
use std::sync::{Arc, Mutex};
use tracing_subscriber::fmt::MakeWriter;

const KEY: &str = "sk-a-secret-that-must-not-show-0123456789";

/// Collects what `tracing` writes.
#[derive(Clone, Default)]
struct Sink(Arc<Mutex<Vec<u8>>>);

impl Write for Sink {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl<'a> MakeWriter<'a> for Sink {
    type Writer = Self;

    fn make_writer(&'a self) -> Self {
        self.clone()
    }
}

/// Reports where it finds the key, and variables that it should not have. Then leaks the key in every way it can.
const LEAKY: &str = r#"
KNOWN = set("""PATH PYTHONUTF8 HOME LANG LC_ALL LC_CTYPE TMPDIR TZ XDG_CACHE_HOME SSL_CERT_FILE SSL_CERT_DIR HTTP_PROXY
    HTTPS_PROXY ALL_PROXY NO_PROXY http_proxy https_proxy all_proxy no_proxy""".split())
key = greet()["keys"]["openai_compatible"]
places = {"environ": open("/proc/self/environ").read(), "cmdline": open("/proc/self/cmdline").read()}
def answer(request):
    if request["params"]["messages"][0]["text"] == "die":
        sys.stderr.write("last words with " + key + "\n")
        os._exit(1)
    if request["params"]["messages"][0]["text"] == "fail":
        return send(id=request["id"], error={"code": 1, "message": "wrong key " + key, "data": {"code": "auth"}})
    sys.stderr.write("stderr: " + key + "\n" + "x" * 8170 + key + "\n")
    sys.stderr.flush()
    send(method="log", params={"level": "error", "message": "log: " + key})
    print("stray " + key, flush=True)
    plan(request, ",".join([key == "KEY_HERE" and "has it" or "has it not"]
                           + [name for name, text in places.items() if key in text]
                           + sorted(set(os.environ) - KNOWN)))
serve(answer)
"#;

#[tokio::test]
async fn keys_are_in_no_environment_no_argument_no_log_and_no_error() {
    let traced = Sink::default();
    let subscriber = tracing_subscriber::fmt()
        .with_max_level(tracing_subscriber::filter::LevelFilter::TRACE)
        .with_writer(traced.clone())
        .finish();
    let _guard = tracing::subscriber::set_default(subscriber);
    let played = played_with(&LEAKY.replace("KEY_HERE", KEY), |config| {
        config.keys.insert("openai_compatible".to_owned(), KEY.to_owned());
        assert!(!format!("{config:?}").contains(KEY));
    });
    assert_eq!(summary(played.plan("x").await), "has it");
    let failed = played.plan("fail").await.unwrap_err();
    assert_eq!((failed.code, failed.message.as_str()), (PlanErrorCode::Auth, "wrong key [redacted]"));
    let died = played.plan("die").await.unwrap_err();
    assert!(died.message.contains("last words with [redacted]"), "{}", died.message);
    until("the log is there", || played.logged("log: [redacted]") && played.logged("stderr: [redacted]"))
        .await;

    let traced = String::from_utf8(traced.0.lock().unwrap().clone()).unwrap();
    assert!(traced.contains("log: [redacted]"), "{traced}");
    let log = played.log.lock().unwrap().join("\n");
    for text in [&traced, &log, &format!("{:?}", played.sidecar)] {
        // Not even the beginning of the key, in a long line that was cut.
        assert!(!text.contains(&KEY[..8]), "{text}");
    }
}
