//! Tests the names of secrets and of ordinary files: secrets are never read without asking, ordinary files always
//! are.

use crate::ground::Ground;
use deputy_policy::path::{Operation, Secrets, judge};
use deputy_protocol::{Decision, Risk};
use serde_json::{Map, json};

const SECRET: &str = include_str!("../corpus/names.secret.txt");
const PLAIN: &str = include_str!("../corpus/names.plain.txt");

/// Returns a workspace with a file for every name. A name that is also a folder of another name is left out, because
/// both cannot exist.
fn ground(names: &str) -> Ground {
    let mut files = Map::new();
    for name in names.lines() {
        let is_folder = names.lines().any(|other| other.starts_with(&format!("{name}/")));
        if !is_folder {
            files.insert(name.to_owned(), "nothing of note\n".into());
        }
    }
    Ground::new(json!({"files": files}).as_object().unwrap())
}

#[test]
fn names_of_secrets_are_not_read_unasked() {
    let ground = ground(SECRET);
    let situation = ground.situation();
    assert!(SECRET.lines().count() >= 250, "{}", SECRET.lines().count());
    let read: Vec<&str> = SECRET
        .lines()
        .filter(|name| judge(&situation, Operation::Read, name).decision == Decision::Allow)
        .collect();
    assert!(read.is_empty(), "{} are read unasked: {read:#?}", read.len());
}

#[test]
fn names_of_secrets_count_before_the_file_is_there_and_in_any_case() {
    let ground = Ground::new(&Map::new());
    let situation = ground.situation();
    let secrets = Secrets::of(&situation);
    let likely =
        |name: &str| judge(&self::ground(name).situation(), Operation::Read, name).decision == Decision::Ask;
    for name in SECRET.lines() {
        let upper = ground.at(&name.to_uppercase());
        assert!(secrets.holds(&upper) || likely(name), "{name}");
    }
}

#[test]
fn ordinary_names_are_read() {
    let ground = ground(PLAIN);
    let situation = ground.situation();
    assert!(PLAIN.lines().count() >= 150);
    let asked: Vec<String> = PLAIN
        .lines()
        .map(|name| (name, judge(&situation, Operation::Read, name)))
        .filter(|(_, part)| part.decision != Decision::Allow)
        .map(|(name, part)| format!("{name}: {}", part.reason))
        .collect();
    assert!(asked.is_empty(), "{} are not: {asked:#?}", asked.len());
}

#[test]
fn credentials_are_known_by_what_a_file_holds() {
    let token = format!("ghp_{}", "a1B2c3D4e5".repeat(4));
    let key = "-----BEGIN OPENSSH PRIVATE KEY-----\nb3BlbnNzaC1rZXktdjEAAAAABG5vbmUAAAAEbm9uZQ==\n";
    let ground = Ground::new(
        json!({"files": {
            "notes/laptop": key,
            "old.txt": format!("token {token}\n"),
            ".git/config": "[remote \"origin\"]\n\turl = https://me:s3cr3t@git.test/a.git\n",
            "sub/.git/config": "[remote \"origin\"]\n\turl = https://git.test/a.git\n",
            "auth.json": "{\"http-basic\": {\"repo.test\": {\"password\": \"x\"}}, \"access_token\": \"Zx81kLmQ90aWe34RtY\"}",
            "large.txt": format!("{key}{}", "a".repeat(70_000)),
            "plain.txt": "nothing of note\n",
        }})
        .as_object()
        .unwrap(),
    );
    let situation = ground.situation();
    let of = |name: &str| judge(&situation, Operation::Read, name);
    for name in ["notes/laptop", "old.txt", ".git/config", "auth.json"] {
        let part = of(name);
        assert_eq!((part.decision, part.risk), (Decision::Ask, Risk::High), "{name}: {}", part.reason);
    }
    for name in ["sub/.git/config", "plain.txt", "large.txt"] {
        assert_eq!(of(name).decision, Decision::Allow, "{name}");
    }
    // Listing or writing a file discloses nothing of its content.
    assert_eq!(judge(&situation, Operation::List, "notes").decision, Decision::Allow);
    assert_eq!(judge(&situation, Operation::Write, "old.txt").risk, Risk::Low);
}

/// Files with the same extension can be public or secret.
#[test]
fn certificates_are_told_from_keys_by_what_a_file_holds() {
    let certificate =
        "-----BEGIN CERTIFICATE-----\nMIIBszCCAVmgAwIBAgIUQx\nAbCd+/==\n-----END CERTIFICATE-----\n";
    let key = certificate.replace("CERTIFICATE", "PRIVATE KEY");
    let ground = Ground::new(
        json!({"files": {
            "certs/server.pem": certificate, "certs/chain.PEM": format!("# two\n{certificate}{certificate}"),
            "certs/both.pem": format!("{certificate}{key}"), "certs/key.pem": key,
            "certs/note.pem": "nothing of note\n", ".ssh/host.pem": certificate,
        }, "symlinks": [["link.pem", "certs/server.pem"], ["other.pem", "certs/key.pem"]]})
        .as_object()
        .unwrap(),
    );
    let situation = ground.situation();
    let secrets = Secrets::of(&situation);
    let hidden = deputy_policy::path::secrets(&situation);
    for (name, is_public) in [
        ("certs/server.pem", true),
        ("certs/chain.PEM", true),
        ("link.pem", true),
        ("certs/both.pem", false),
        ("certs/key.pem", false),
        ("other.pem", false),
        ("certs/note.pem", false),
        ("certs/missing.pem", false),
        (".ssh/host.pem", false),
    ] {
        let decision = judge(&situation, Operation::Read, name).decision;
        assert_eq!(decision == Decision::Allow, is_public, "{name}");
        let real = ground.at(name).canonicalize().unwrap_or_else(|_| ground.at(name));
        assert_eq!(secrets.holds(&real), !is_public, "{name}");
        let is_hidden = hidden.iter().any(|place| real.starts_with(place));
        assert!(!real.exists() || is_hidden != is_public, "{name}");
    }
}

#[test]
fn copies_of_secrets_are_secret_too() {
    let names =
        ["certs/server.key.gz", "id_ed25519.bak.xz", "credentials.json.orig", "server.p12~", "key.pem.old"];
    let ground = ground(&names.join("\n"));
    for name in names {
        let part = judge(&ground.situation(), Operation::Read, name);
        assert_eq!((part.decision, part.risk), (Decision::Ask, Risk::High), "{name}: {}", part.reason);
    }
}

/// The parts of a folder that the walls protect from an approved command, and those that they leave open.
#[test]
#[expect(clippy::too_many_lines, reason = "a table of names")]
fn what_runs_code_is_guarded_in_every_repository_and_what_git_changes_is_not() {
    use deputy_policy::path::{guarded, protected_write};
    let ground = Ground::new(
        json!({"files": {
            ".git/config": "[core]\n\thooksPath = tools/hooks\n", ".git/HEAD": "ref: refs/heads/main",
            "lib/.git/HEAD": "ref: refs/heads/main", "tools/hooks/pre-push": "#!/bin/sh\n", "src/main.rs": "m",
        }})
        .as_object()
        .unwrap(),
    );
    let situation = ground.situation();
    for name in [
        ".git/config",
        ".git/config.worktree",
        ".git/commondir",
        ".git/hooks/pre-commit",
        ".git/info/attributes",
        ".git/objects/info/alternates",
        ".git/worktrees/wt/commondir",
        ".git/worktrees/wt/config.worktree",
        ".git/rebase-merge/git-rebase-todo",
        ".git/modules/sub/config",
        ".GIT/Config",
        "lib/.git/commondir",
        "lib/.git/hooks/post-checkout",
        "new/deep/.git/config",
        "new/.git",
        "tools/hooks/post-commit",
        ".gitmodules",
        "sub/.gitmodules",
        ".vscode/tasks.json",
        "sub/.vscode/tasks.json",
        "a/b/.idea/workspace.xml",
        ".fleet/run.json",
        ".zed/tasks.json",
        "sub/.envrc",
        "sub/.mcp.json",
        ".cursor/mcp.json",
        "sub/.claude/settings.json",
        "sub/.husky/pre-commit",
        ".gdbinit",
        "sub/.vimrc",
        ".exrc",
        ".nvim.lua",
        ".cargo/config.toml",
        "sub/.cargo/config.toml",
        ".yarnrc.yml",
        ".npmrc",
        ".mvn/extensions.xml",
        "mise.toml",
        ".config/mise/config.toml",
        "sub/.config/mise.toml",
        "mise/config.toml",
        "_darcs/prefs/defaults",
        ".pijul/config",
        ".lldbinit",
        ".psqlrc",
        ".dir-locals.el",
        ".devcontainer/devcontainer.json",
        ".hg/hgrc",
        ".tmux.conf",
        ".bashrc",
        ".inputrc",
        "pkg/usercustomize.py",
        ".pdbrc",
        ".latexmkrc",
        ".codex/config.toml",
        ".gemini/settings.json",
    ] {
        let real = ground.at(name);
        assert!(guarded(&situation, &real).is_some(), "{name} is not guarded");
        assert!(protected_write(&situation, &real).is_some(), "{name} is written without a word");
        assert_eq!(judge(&situation, Operation::Write, name).risk, Risk::High, "{name}");
    }
    for name in [
        ".git/index",
        ".git/index.lock",
        ".git/objects/ab/cdef",
        ".git/refs/heads/x",
        ".git/logs/HEAD",
        ".git/HEAD",
        ".git/ORIG_HEAD",
        ".git/COMMIT_EDITMSG",
        ".git/packed-refs",
        ".git/info/exclude",
        ".git/objects/info/packs",
        ".git/MERGE_MSG",
        ".git/FETCH_HEAD",
        "lib/.git/index",
        "src/main.rs",
        "Makefile",
        "package.json",
        "node_modules/.bin/x",
        ".yarn/cache/a.zip",
        ".yarn/install-state.gz",
        ".pnp.cjs",
        "target/debug/a",
        ".venv/bin/x",
        ".github/workflows/ci.yml",
        "tools/other.sh",
        "hooks/a.ts",
        "src/hooks/use.ts",
        ".config/nextest.json",
        "bin/console",
        ".gitignore",
        ".pytest_cache/v",
        ".hg/dirstate",
        ".svn/wc.db",
        ".terraform/a",
    ] {
        assert_eq!(guarded(&situation, &ground.at(name)), None, "{name}");
    }
}

#[test]
fn what_other_machines_run_once_it_is_pushed_is_a_file_of_the_project_at_medium_risk() {
    use deputy_policy::path::{Transfer, guarded, judge_transfer};
    let ground = Ground::new(json!({"files": {"README.md": "x"}}).as_object().unwrap());
    let situation = ground.situation();
    for name in [
        ".github/workflows/ci.yml",
        ".GitHub/Workflows/new.yml",
        "lib/.github/actions/a/action.yml",
        ".gitlab-ci.yml",
        "Jenkinsfile",
        ".circleci/config.yml",
        "azure-pipelines.yml",
    ] {
        for operation in [Operation::Write, Operation::Create, Operation::Delete] {
            let part = judge(&situation, operation, name);
            assert_eq!((part.decision, part.risk), (Decision::Ask, Risk::Medium), "{name} {operation:?}");
            assert!(part.reason.to_string().contains("other machines run"), "{}", part.reason);
        }
        let to = judge_transfer(&situation, Transfer::Copy, "README.md", name).pop().expect("a target");
        assert_eq!(to.risk, Risk::Medium, "{name}");
        assert_eq!(judge(&situation, Operation::Read, name).decision, Decision::Allow, "{name}");
        assert_eq!(guarded(&situation, &ground.at(name)), None, "a command may change {name}");
    }
    for name in [".github/ISSUE_TEMPLATE.md", "workflows/a.yml", "docs/azure-pipelines.md"] {
        assert_eq!(judge(&situation, Operation::Write, name).risk, Risk::Low, "{name}");
    }
}

#[test]
fn the_home_as_workspace_keeps_what_starts_by_itself() {
    use deputy_policy::path::guarded;
    let ground = Ground::new(&Map::new());
    for workspace in [ground.home.clone(), "/".into()] {
        let situation = deputy_policy::Situation {
            cwd: workspace.clone(),
            workspace: workspace.clone(),
            ..ground.situation()
        };
        for name in [
            ".bash_profile",
            ".bashrc",
            ".profile",
            ".zshenv",
            ".zshrc",
            ".config/systemd/user/e.service",
            ".config/autostart/e.desktop",
            ".local/bin/ls",
            "bin/ls",
            ".config/git/config",
            ".gitconfig",
            ".cargo/config.toml",
            ".cargo/bin/cargo",
            ".local/lib/python3.11/site-packages/e.pth",
            ".config/environment.d/e.conf",
            ".config/fish/config.fish",
            ".config/nvim/init.lua",
            ".vimrc",
            ".local/share/applications/e.desktop",
            ".config/pip/pip.conf",
            ".npmrc",
            ".config/uv/uv.toml",
            ".m2/settings.xml",
            ".gradle/init.gradle",
            ".nvm/nvm.sh",
            ".pyenv/shims/python",
            ".config/mise/config.toml",
            "go/bin/x",
            ".config/tmux/tmux.conf",
            ".config/kitty/kitty.conf",
            ".local/share/dbus-1/services/e.service",
            ".config/Code/User/settings.json",
            ".emacs.d/init.el",
            ".xprofile",
            ".config/hypr/hyprland.conf",
            ".config/i3/config",
            ".oh-my-zsh/a.zsh",
            ".gdbinit",
            ".jupyter/jupyter_notebook_config.py",
            ".config/direnv/direnvrc",
            ".volta/bin/node",
            ".rustup/toolchains/x/bin/rustc",
            ".config/nix/nix.conf",
        ] {
            let real = ground.home.join(name);
            assert!(guarded(&situation, &real).is_some(), "{name} in {}", workspace.display());
        }
        for name in ["Documents/a.md", "project/src/main.rs", "Downloads/x.zip", "notes.txt"] {
            assert_eq!(guarded(&situation, &ground.home.join(name)), None, "{name}");
        }
    }
}
