//! Malicious repositories: read-only sub-commands ask if git would run a program or read elsewhere.

use crate::ground::Ground;
use deputy_protocol::{Decision, Risk};
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::Command;

const READING: &[&str] =
    &["git status", "git diff --stat", "git log -p", "git blame README.md", "git check-attr -a README.md"];

/// Returns the commands that are allowed in the ordinary workspace after the repository was changed.
fn allowed(plant: impl FnOnce(&Path)) -> Vec<&'static str> {
    let ground = Ground::ordinary();
    plant(&ground.workspace());
    READING.iter().copied().filter(|text| ground.decide(text).verdict.decision == Decision::Allow).collect()
}

fn config(text: &str) -> Vec<&'static str> {
    allowed(|workspace| {
        std::fs::write(workspace.join("extra"), "[filter \"f\"]\n\tclean = ./run.sh\n").unwrap();
        std::fs::create_dir_all(workspace.join("d")).unwrap();
        std::fs::write(workspace.join(".git/config"), text).unwrap();
    })
}

#[test]
fn ordinary_repositories_are_read_unasked() {
    for text in [
        "[core]\n\trepositoryformatversion = 0\n\tfilemode = true\n\tbare = false\n\tlogallrefupdates = true\n[remote \"origin\"]\n\turl = git@github.com:a/b.git\n\tfetch = +refs/heads/*:refs/remotes/origin/*\n[branch \"fix/x-1\"]\n\tremote = origin\n\tmerge = refs/heads/fix/x-1\n\tvscode-merge-base = origin/main\n",
        "[user]\n\tname = Ada L.\n\temail = ada@example.com\n[pull]\n\trebase = true\n[color]\n\tui = auto\n[diff]\n\talgorithm = histogram\n[push]\n\tautoSetupRemote\n",
        "; made by hand\n\n[core]\n  autocrlf = input # here\n[gc]\n  auto = 0\n[lfs \"https://example.com/info/lfs\"]\n  locksverify = false\n[url \"https://github.com/\"]\n  insteadOf = \"gh:\"\n",
        "",
    ] {
        assert_eq!(config(text), READING, "{text}");
    }
}

#[test]
fn a_configuration_that_is_not_plain_asks() {
    for text in [
        "# \\\n[filter \"f\"]\n\tclean = ./run.sh\n",
        "; x\\\n[diff]\n\texternal = ./run.sh\n",
        "# \\\n[remote \"o\"]\n\tpromisor = true\n\turl = ext::sh\n",
        "[include]\n\tpath = ~dev/../dev/project/extra\n",
        "[include]\n\tpath = %(prefix)/../extra\n",
        "[include]\n\tpath = ../ex\\tra\n",
        "[include]\n\tpath = ../extra\\b\n",
        "[include]\n\tpath = \"../extra \"\n",
        "[include]\n\tpath = \" d/e\"\n",
        "[include]\n\tpath = ../missing\n",
        "[include]\n\tpath = ../extra\n",
        "[include]\n\tpath = \"../extra\"\n",
        "[includeIf \"gitdir:**\"]\n\tpath = ../extra\n",
        "[core]\n\tattributesFile = ~/.netrc\n",
        "[core]\n\texcludesFile = ~/.netrc\n",
        "[mailmap]\n\tfile = ~/.netrc\n",
        "[diff]\n\torderFile = ~/.netrc\n",
        "[tag]\n\tsort = signature\n",
        "[extensions]\n\trefStorage = files:///tmp/x\n",
        "[submodule \"s\"]\n\turl = ../s\n",
        "[core]\n\tx = \"a\\\"b\"\n",
        "[core]\r\n\tbare = false\r\n",
    ] {
        assert_eq!(config(text), [""; 0], "{text}");
    }
}

/// One by one: git runs each of these programs, or reads from where the setting says, although the command only reads.
#[test]
fn each_setting_that_leads_elsewhere_asks() {
    for (section, setting) in [
        (r#"[hook "h"]"#, "command = ./run.sh"),
        (r#"[Hook "H"]"#, "Command = ./run.sh"),
        (r#"[hook "h"]"#, "event = reference-transaction"),
        (r#"[remote "o"]"#, "partialclonefilter = blob:none"),
        (r#"[remote "o"]"#, "partialCloneFilter = blob:none"),
        (r#"[remote "o"]"#, "promisor = true"),
        (r#"[remote "o"]"#, "uploadpack = ./run.sh"),
        (r#"[remote "o"]"#, "receivepack = ./run.sh"),
        (r#"[remote "o"]"#, "vcs = ext"),
        (r#"[extensions]"#, "partialClone = o"),
        (r#"[uploadpack]"#, "packObjectsHook = ./run.sh"),
        (r#"[core]"#, "fsmonitor = ./run.sh"),
        (r#"[core]"#, "hooksPath = hooks"),
        (r#"[core]"#, "gitProxy = ./run.sh"),
        (r#"[core]"#, "alternateRefsCommand = ./run.sh"),
        (r#"[core]"#, "virtualFilesystem = ./run.sh"),
        (r#"[core]"#, "sshCommand = ./run.sh"),
        (r#"[core]"#, "askPass = ./run.sh"),
        (r#"[core]"#, "worktree = ../other"),
        (r#"[core]"#, "pager = ./run.sh"),
        (r#"[core]"#, "editor = ./run.sh"),
        (r#"[pager]"#, "log = ./run.sh"),
        (r#"[sequence]"#, "editor = ./run.sh"),
        (r#"[filter "f"]"#, "process = ./run.sh"),
        (r#"[filter "f"]"#, "smudge = ./run.sh"),
        (r#"[diff]"#, "external = ./run.sh"),
        (r#"[diff "d"]"#, "textconv = ./run.sh"),
        (r#"[diff "d"]"#, "command = ./run.sh"),
        (r#"[merge "m"]"#, "driver = ./run.sh"),
        (r#"[gpg]"#, "program = ./run.sh"),
        (r#"[gpg "ssh"]"#, "defaultKeyCommand = ./run.sh"),
        (r#"[log]"#, "showSignature = true"),
        (r#"[format]"#, "pretty = %GK"),
        (r#"[pretty]"#, "p = format:%G?"),
        (r#"[trailer "t"]"#, "cmd = ./run.sh"),
        (r#"[interactive]"#, "diffFilter = ./run.sh"),
        (r#"[credential]"#, "helper = !./run.sh"),
        (r#"[alias]"#, "x = !./run.sh"),
        (r#"[blame]"#, "ignoreRevsFile = /home/dev/.netrc"),
        (r#"[commit]"#, "template = /home/dev/.netrc"),
        (r#"[trace2]"#, "eventTarget = /home/dev/out"),
        (r#"[submodule]"#, "recurse = true"),
        (r#"[diff]"#, "submodule = log"),
    ] {
        assert_eq!(config(&format!("{section}\n\t{setting}\n")), [""; 0], "{section} {setting}");
    }
}

/// In the person's own settings a hook or a pager is ordinary; a program that is run for a file that is read is not.
#[test]
fn of_a_persons_own_settings_only_those_ask_that_reading_runs() {
    let of_person = |text: &str| {
        allowed(|workspace| std::fs::write(workspace.parent().unwrap().join(".gitconfig"), text).unwrap())
    };
    for text in [
        "[hook \"h\"]\n\tcommand = lint\n\tevent = pre-commit\n",
        "[uploadpack]\n\tpackObjectsHook = pack\n",
        "[core]\n\tpager = less\n\teditor = vim\n",
    ] {
        assert_eq!(of_person(text), READING, "{text}");
    }
    for text in ["[remote \"o\"]\n\tpartialclonefilter = blob:none\n", "[diff \"d\"]\n\ttextconv = x\n"] {
        assert_eq!(of_person(text), [""; 0], "{text}");
    }
}

/// `jq` loads the definitions in `~/.jq`: a task that writes it decides what a later `jq` prints.
#[test]
fn the_start_up_file_of_jq_is_guarded() {
    let ground = Ground::ordinary();
    for command in
        ["cp a.txt ~/.jq", "echo 'def f: 1;' > ~/.jq", "mv a.txt .jq", "ln -s a.txt .jq", "tee .jq < a.txt"]
    {
        let verdict = ground.decide(command).verdict;
        assert_eq!((verdict.decision, verdict.risk), (Decision::Ask, Risk::High), "{command}");
    }
}

#[test]
fn what_leads_out_of_a_repository_asks() {
    let outside = |workspace: &Path| workspace.parent().unwrap().join(".netrc");
    let nothing: [&str; 0] = [];
    for name in [
        "info/attributes",
        "info/exclude",
        "info/sparse-checkout",
        "packed-refs",
        "objects/info/alternates",
        "shallow",
    ] {
        let link = |workspace: &Path| {
            let file = workspace.join(".git").join(name);
            std::fs::create_dir_all(file.parent().unwrap()).unwrap();
            symlink(outside(workspace), file).unwrap();
        };
        assert_eq!(allowed(link), nothing, "{name}");
    }
    let alternates = |workspace: &Path| {
        std::fs::create_dir_all(workspace.join(".git/objects/info")).unwrap();
        std::fs::write(workspace.join(".git/objects/info/alternates"), "/x\n").unwrap();
    };
    assert_eq!(allowed(alternates), nothing);
}

/// If `.git` is not a repository, git searches the parent folders, or uses the folder itself.
#[test]
fn a_folder_that_is_no_repository_hides_none() {
    let nothing: [&str; 0] = [];
    let behind_an_empty_one = |workspace: &Path| {
        std::fs::create_dir_all(workspace.parent().unwrap().join(".git")).unwrap();
        std::fs::write(workspace.parent().unwrap().join(".git/config"), "[diff]\nexternal = x\n").unwrap();
        std::fs::remove_file(workspace.join(".git/HEAD")).unwrap();
    };
    assert_eq!(allowed(behind_an_empty_one), nothing);
    let bare_beside_an_empty_one = |workspace: &Path| {
        std::fs::remove_dir_all(workspace.join(".git/refs")).unwrap();
        for folder in ["objects", "refs"] {
            std::fs::create_dir_all(workspace.join(folder)).unwrap();
        }
        std::fs::write(workspace.join("HEAD"), "ref: refs/heads/main\n").unwrap();
        std::fs::write(workspace.join("config"), "[diff]\nexternal = x\n").unwrap();
    };
    assert_eq!(allowed(bare_beside_an_empty_one), nothing);
}

#[test]
fn a_submodule_in_a_split_index_asks() {
    let ground = Ground::ordinary();
    let git = |words: &[&str]| {
        let mut command = Command::new("git");
        command.current_dir(ground.workspace()).env("HOME", ground.home());
        assert!(command.args(words).status().unwrap().success(), "{words:?}");
    };
    std::fs::remove_dir_all(ground.workspace().join(".git")).unwrap();
    git(&["init", "--quiet"]);
    assert_eq!(ground.decide("git status").verdict.decision, Decision::Allow);
    git(&["update-index", "--add", "--cacheinfo", "160000,1111111111111111111111111111111111111111,sub"]);
    git(&["update-index", "--split-index"]);
    git(&["update-index", "--add", "README.md"]);
    let index = std::fs::read(ground.workspace().join(".git/index")).unwrap();
    assert!(!index.windows(4).any(|window| window == [0, 0, 0xe0, 0]), "the entry is in the shared index");
    assert_eq!(ground.decide("git status").verdict.decision, Decision::Ask);
}
