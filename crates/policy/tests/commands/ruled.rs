//! Tests that rules about paths apply to commands as well as to the file tools. Previously they applied only to the
//! tools.

use crate::ground::{Ground, ruling};
use deputy_policy::{Rules, Situation};
use deputy_protocol::Decision;
use std::sync::Arc;

const RULES: &str = r#"
[[rule]]
effect = "deny"
tool = "read"
pattern = ".*/private/.*"
examples = { match = ["/w/private/a"], not_match = ["/w/public/a"] }

[[rule]]
effect = "deny"
tool = "write"
pattern = ".*/contracts(/.*)?"
examples = { match = ["/w/contracts/a"], not_match = ["/w/a"] }

[[rule]]
effect = "ask"
tool = "read"
pattern = ".*/drafts/.*"
examples = { match = ["/w/drafts/a"], not_match = ["/w/a"] }

[[rule]]
effect = "allow"
argv = ["touch", "*"]
confinement = "workspace"
examples = { match = ["touch a"], not_match = ["rm a"] }
"#;

fn ground() -> Ground {
    let ground = Ground::ordinary();
    for name in ["private/a.txt", "private/deep/b.txt", "contracts/x.txt", "drafts/d.txt"] {
        let path = ground.workspace().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, "x\n").unwrap();
    }
    std::os::unix::fs::symlink("private", ground.workspace().join("link")).unwrap();
    std::os::unix::fs::symlink("private/a.txt", ground.workspace().join("file-link")).unwrap();
    ground
}

fn situation(ground: &Ground) -> Situation {
    Situation { rules: Arc::new(Rules::parse(RULES).unwrap()), ..ground.situation() }
}

#[track_caller]
fn assert_all(commands: &[&str], expected: Decision) {
    let ground = ground();
    let situation = situation(&ground);
    for command in commands {
        let verdict = ruling(&situation, command).verdict;
        assert_eq!(verdict.decision, expected, "{command}: {:?}", verdict.reasons);
    }
}

#[test]
fn what_may_not_be_read_is_read_by_no_command() {
    assert_all(
        &[
            "cat private/a.txt",
            "cat ./private//a.txt",
            "cat link/a.txt",
            "cat file-link",
            "cat p*/a.txt",
            "head -n1 {private,docs}/a.txt",
            "wc -l < private/a.txt",
            "cd private && cat a.txt",
            "grep -r x private",
            "find private -type f -exec cat {} +",
            "find private -name '*.txt' | xargs cat",
            "git show HEAD:private/a.txt",
            "timeout 5 cat private/a.txt",
            "python3 tool.py private/a.txt",
            "cp private/a.txt copy.txt",
            "tar cf out.tar private",
        ],
        Decision::Deny,
    );
}

#[test]
fn what_may_not_be_changed_is_changed_by_no_command() {
    assert_all(
        &[
            "echo x > contracts/x.txt",
            "touch contracts/new.txt",
            "cd contracts && touch new.txt",
            "cp a.txt contracts/",
            "tee contracts/x.txt",
            "sed -i s/x/y/ contracts/x.txt",
            "rm -r contracts",
            "mv contracts elsewhere",
        ],
        Decision::Deny,
    );
}

#[test]
fn what_is_to_be_asked_is_asked() {
    assert_all(&["cat drafts/d.txt", "grep -r x drafts", "touch drafts/d.txt"], Decision::Ask);
}

#[test]
fn what_no_rule_means_is_as_without_rules() {
    assert_all(
        &["cat a.txt", "cat contracts/x.txt", "ls private", "touch a.txt", "git log"],
        Decision::Allow,
    );
    assert_all(&["rm a.txt", "python3 tool.py docs/faq.md"], Decision::Ask);
}
