//! Forty formats of secrets, generated when the tests run, so that no text in the repository looks like a real secret.

use std::sync::atomic::{AtomicU64, Ordering};

/// Returns `n` of the given characters. They differ for each call, but are the same in each run.
fn some(n: usize, of: &str) -> String {
    static TURN: AtomicU64 = AtomicU64::new(1);
    let of: Vec<char> = of.chars().collect();
    let mut state = TURN.fetch_add(1, Ordering::Relaxed).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let mut text: String = (0..n.saturating_sub(1))
        .map(|_| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            of[(state >> 33) as usize % of.len()]
        })
        .collect();
    // Real secrets almost always contain a digit.
    text.insert(n / 2, '7');
    text
}

/// Returns meaningless letters and digits.
pub fn letters(n: usize) -> String {
    some(n, "aB3dE6gH1jK4mN7pQ2rS5tU8vWxYz")
}

fn hex(n: usize) -> String {
    some(n, "0123456789abcdef")
}

fn capitals(n: usize) -> String {
    some(n, "A2B3C4D5E6F7G2H3")
}

/// Returns texts, each with its secret part.
pub fn shapes() -> Vec<(String, String)> {
    let whole = [
        format!("AKIA{}", capitals(16)),
        format!("ASIA{}", capitals(16)),
        format!("ghp_{}", letters(36)),
        format!("gho_{}", letters(36)),
        format!("github_pat_{}", letters(82)),
        format!("glpat-{}", letters(20)),
        format!("xoxb-{}-{}", some(12, "123"), letters(24)),
        format!("xapp-1-{}", letters(30)),
        format!("https://hooks.slack.com/services/T{}/B{}/{}", capitals(8), capitals(8), letters(24)),
        format!("https://discord.com/api/webhooks/{}/{}", some(18, "123"), letters(60)),
        format!("AIza{}", letters(35)),
        format!("ya29.{}", letters(60)),
        format!("GOCSPX-{}", letters(28)),
        format!("sk-{}", letters(48)),
        format!("sk-proj-{}", letters(64)),
        format!("sk-ant-api03-{}", letters(90)),
        format!("sk-or-v1-{}", hex(64)),
        format!("gsk_{}", letters(52)),
        format!("hf_{}", letters(34)),
        format!("npm_{}", letters(36)),
        format!("pypi-AgEIcHlwaS5vcmc{}", letters(60)),
        format!("sk_live_{}", letters(24)),
        format!("rk_test_{}", letters(24)),
        format!("whsec_{}", letters(32)),
        format!("SG.{}.{}", letters(22), letters(43)),
        format!("key-{}", hex(32)),
        format!("SK{}", hex(32)),
        format!("dop_v1_{}", hex(64)),
        format!("dapi{}", hex(32)),
        format!("lin_api_{}", letters(40)),
        format!("shpat_{}", hex(32)),
        format!("{}:AA{}", some(10, "123"), letters(33)),
        format!("AGE-SECRET-KEY-1{}", capitals(58)),
        format!("hvs.{}", letters(24)),
        format!("ATATT3{}", letters(60)),
        format!("dckr_pat_{}", letters(27)),
        format!("glsa_{}", letters(40)),
        format!("eyJ{}.eyJ{}.{}", letters(20), letters(30), letters(43)),
        format!(
            "-----BEGIN OPENSSH PRIVATE KEY-----\n{}\n{}\n-----END OPENSSH PRIVATE KEY-----",
            letters(70),
            letters(40)
        ),
        format!("-----BEGIN RSA PRIVATE KEY-----\n{}\n{}", letters(64), letters(64)),
        format!("-----BEGIN PRIVATE KEY-----\n{}\n-----END PRIVATE KEY-----", letters(64)),
        format!("-----BEGIN PRIVATE KEY-----\\n{}\\n{}\\n-----END PRIVATE KEY-----", letters(64), letters(9)),
        format!(
            "-----BEGIN EC PRIVATE KEY-----\n 2\t{}\n 3\t{}\n 4\t-----END EC PRIVATE KEY-----",
            letters(64),
            letters(30)
        ),
    ];
    let inside = [
        ("postgres://app:{}@db.example:5432/app", letters(12)),
        ("https://:{}@git.example/repo.git", letters(20)),
        ("Authorization: Basic {}", letters(24)),
        ("curl -H 'authorization: Bearer {}' https://api.example", letters(40)),
        ("machine example.org login me password {}", "hunter2!".into()),
        ("DefaultEndpointsProtocol=https;AccountName=a;AccountKey={};", letters(88)),
        ("DB_PASSWORD={}", "correct-horse-7".into()),
        ("export STRIPE_SECRET={}", letters(20)),
        ("aws_secret_access_key = {}", letters(40)),
        ("//registry.example/:_authToken={}", letters(30)),
        ("{\"client_secret\": \"{}\"}", letters(24)),
        ("api_key = '{}'", hex(32)),
        ("password: {}", "Tr0ub4dor&3".into()),
    ];
    let whole = whole.into_iter().map(|secret| (format!("before {secret} after"), secret));
    whole.chain(inside.into_iter().map(|(text, secret)| (text.replacen("{}", &secret, 1), secret))).collect()
}
