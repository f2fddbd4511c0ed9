//! Tests the small languages and file lists of other programs: what Deputy parses more narrowly than the programs do,
//! and what it adds to their commands.

use crate::ground::Ground;
use deputy_policy::Execution;
use deputy_protocol::Decision;

fn decision(ground: &Ground, command: &str) -> Decision {
    ground.decide(command).verdict.decision
}

fn all_ask(ground: &Ground, commands: &[&str]) {
    let allowed: Vec<&&str> =
        commands.iter().filter(|command| decision(ground, command) == Decision::Allow).collect();
    assert!(allowed.is_empty(), "{allowed:#?}");
}

fn none_ask(ground: &Ground, commands: &[&str]) {
    let asked = commands.iter().filter_map(|command| {
        let verdict = ground.decide(command).verdict;
        (verdict.decision != Decision::Allow).then(|| format!("{command}: {:?}", verdict.reasons))
    });
    let asked: Vec<String> = asked.collect();
    assert!(asked.is_empty(), "{asked:#?}");
}

/// GNU sed 4.9 treats a delimiter in brackets as part of the pattern; older versions do not.
#[test]
fn a_script_of_sed_that_may_be_split_in_two_ways_asks() {
    let ground = Ground::ordinary();
    all_ask(
        &ground,
        &[
            "sed -n '/[/p;s/]/e id -un;/' README.md",
            "echo 'a/b' | sed 's/[/]/p;s/e;/a/p'",
            "sed '/[/p;s/]/w stolen;/' a.txt",
            "sed 's|[|]|p;s|e;|a|p' a.txt",
            "sed 's,[^,],p;s,e;,a,p' a.txt",
            "sed 's/[]/]/p;s/e;/a/p' a.txt",
            "sed 's/[[:alpha:]/]/p;s/e;/a/p' a.txt",
            "sed -e 's/[/]/p' -e 's/e;/a/p' a.txt",
        ],
    );
}

/// Every awk parses `1system` as a number and a call.
#[test]
fn a_name_that_stands_against_a_number_asks() {
    let ground = Ground::ordinary();
    all_ask(
        &ground,
        &[
            "awk 'BEGIN{print 1system(\"id -un\")}'",
            "awk 'BEGIN{while((1getline < \"/etc/passwd\")>0) print}'",
            "awk '{print 2ENVIRON[\"HOME\"]}' a.txt",
            "awk '{$1system(\"x\")}' a.txt",
            "awk '{3close(\"x\")}' a.txt",
            "awk --assign 'BEGIN{system(\"id\")}' a.txt",
        ],
    );
}

#[test]
fn options_that_take_no_value_do_not_hide_the_file_behind_them() {
    let ground = Ground::ordinary();
    std::os::unix::fs::symlink(ground.home().join(".ssh/id_rsa"), ground.workspace().join("16")).unwrap();
    all_ask(
        &ground,
        &[
            "od -c -e .env",
            "od -c -e ~/.ssh/id_rsa",
            "od -c -w 16",
            "od --width 16",
            "head -n 5 -c 16 README.md; od -w 16",
            "unzip -p '.e*'",
        ],
    );
    none_ask(&ground, &["od -w4 README.md", "od -An -tx1 -N 4 README.md"]);
    std::fs::write(ground.workspace().join("notes"), "x").unwrap();
    std::os::unix::fs::symlink(ground.home().join(".netrc"), ground.workspace().join("notes.zip")).unwrap();
    all_ask(&ground, &["unzip -p notes", "unzip -l notes"]);
}

#[test]
fn a_search_that_a_type_or_an_ignore_file_leads_to_a_secret_asks() {
    let ground = Ground::ordinary();
    all_ask(&ground, &["rg -tsh KEY", "rg -tall KEY", "rg --type=all KEY", "rg -tdotenv KEY ."]);
    none_ask(&ground, &["rg KEY", "rg -trust KEY", "rg -tjson KEY", "rg -tpy -tmd KEY src"]);
    std::fs::write(ground.workspace().join(".env.json"), "{}").unwrap();
    all_ask(&ground, &["rg -tjson KEY"]);
    for name in [".ignore", ".gitignore", ".rgignore", "src/.ignore", "../.ignore", ".git/info/exclude"] {
        let ground = Ground::ordinary();
        let file = ground.workspace().join(name);
        std::fs::create_dir_all(file.parent().unwrap()).unwrap();
        std::fs::create_dir_all(ground.workspace().join("src")).unwrap();
        std::fs::write(ground.workspace().join("src/.env"), "KEY=1").unwrap();
        std::fs::write(&file, "target\n!.env.example\n!*.md\n!sub/\n").unwrap();
        none_ask(&ground, &["rg KEY", "rg KEY src"]);
        for line in ["!.env", "!/.env", "!**/.env", "!.e*", "!*", "![.]env"] {
            std::fs::write(&file, format!("target\n{line}\n")).unwrap();
            all_ask(&ground, &["rg KEY", "rg -i key"]);
        }
    }
}

#[test]
fn a_list_of_sums_is_read_in_one_way_or_asked_about() {
    let ground = Ground::ordinary();
    let sum = "0".repeat(64);
    let long = format!("{}{sum}  .env\n", format!("{sum}  a.txt\n").repeat(1200));
    for list in [
        format!("SHA256 (.env) = {sum}\n"),
        format!("  {sum}  .env\n"),
        format!("{sum}\t.env\n"),
        format!("{sum}   .env\n"),
        format!("\\{sum}  .e\\nv\n"),
        format!("{sum}  .env\n"),
        format!("{sum} *.env\n"),
        format!("SHA256(.env)= {sum}\n"),
        format!("SHA256 (a.txt) = {sum}\nSHA256  (.env) = {sum}\n"),
        long,
    ] {
        std::fs::write(ground.workspace().join("SUMS"), &list).unwrap();
        all_ask(
            &ground,
            &["sha256sum -c SUMS", "sha256sum --check a.txt SUMS", "sha256sum SHA256SUMS SUMS -c"],
        );
    }
    std::fs::write(ground.workspace().join("SUMS"), [b'0', b' ', b' ', 0xff, b'\n']).unwrap();
    all_ask(&ground, &["sha256sum -c SUMS", "cat SUMS | sha256sum -c", "md5sum -c -", "md5sum --check"]);
    std::fs::write(
        ground.workspace().join("SUMS"),
        format!("# sums\n{sum}  a.txt\n{sum} *b.txt\nSHA256 (notes.txt) = {sum}\n"),
    )
    .unwrap();
    none_ask(&ground, &["sha256sum -c SUMS", "sha256sum --check --status --ignore-missing SUMS"]);
}

#[test]
fn jq_shows_no_environment_however_the_name_is_written() {
    let ground = Ground::ordinary();
    all_ask(&ground, &["jq -n '$ ENV'", "jq -n '$ENV.PATH'", "jq -n '$\n#x\nENV'", "jq -n '\"\\(env)\"'"]);
    none_ask(
        &ground,
        &["jq .env package.json", "jq .config.ENV package.json", "jq input_filename package.json"],
    );
}

#[test]
fn what_needs_a_terminals_own_programs_asks() {
    all_ask(&Ground::ordinary(), &["tput init", "tput reset", "tput -T evil init"]);
}

/// Python runs `usercustomize` from the home directory at startup.
#[test]
fn what_loads_code_from_the_home_asks_where_tasks_may_write_there() {
    let ground = Ground::ordinary();
    none_ask(&ground, &["pip --version", "pip3 -V"]);
    for workspace in [ground.home(), ground.home().parent().unwrap().to_owned(), "/".into()] {
        let mut situation = ground.situation();
        situation.cwd.clone_from(&workspace);
        situation.workspace = workspace;
        for command in ["pip --version", "pip3 -V", "pip help"] {
            let decision = crate::ground::ruling(&situation, command).verdict.decision;
            assert_eq!(decision, Decision::Ask, "{command}");
        }
    }
}

fn runs(ground: &Ground, command: &str) -> String {
    match ground.decide(command).execution.unwrap() {
        Execution::Argv(argv) => argv.join(" "),
        Execution::Bash(text) => format!("bash: {text}"),
    }
}

#[test]
fn what_runs_unasked_gets_the_switch_that_takes_its_power_away() {
    let ground = Ground::ordinary();
    for (command, runs_as) in [
        ("sed -n 1p a.txt", "sed --sandbox -n 1p a.txt"),
        ("cat a.txt | sed 's/a/b/' | sort", "bash: cat a.txt | sed --sandbox 's/a/b/' | sort"),
        (
            "sed p a.txt; sed -n '1p' *.txt",
            "bash: sed --sandbox p a.txt; sed --sandbox -n '1p' a.txt b.txt notes.txt",
        ),
        ("for f in a b; do sed p $f.txt; done", "bash: for f in a b; do sed --sandbox p $f.txt; done"),
        ("rg TODO src", "rg --no-config --glob=!.* TODO src"),
        ("cat a.txt | rg x", "bash: cat a.txt | rg --no-config '--glob=!.*' x"),
        ("rg --files --hidden", "rg --no-config --files --hidden"),
        ("git --no-pager log -1", "git --no-pager log --no-ext-diff --no-textconv -1"),
        ("git diff | head", "bash: git diff --no-ext-diff --no-textconv | head"),
        ("git grep x", "git grep --no-textconv x"),
        ("cat a.txt", "cat a.txt"),
    ] {
        assert_eq!(decision(&ground, command), Decision::Allow, "{command}");
        let installed =
            command.split(' ').next() != Some("rg") || std::path::Path::new("/usr/bin/rg").is_file();
        if installed {
            assert_eq!(runs(&ground, command), runs_as);
        }
    }
    // The parts show the text that runs.
    let parts = ground.decide("cat a.txt | sed 's/a/b/'").verdict.parts;
    assert!(parts.iter().any(|part| part.text == "sed --sandbox s/a/b/"), "{parts:?}");
    // A command that the user is asked about runs as shown.
    assert_eq!(runs(&ground, "sed -n 1p a.txt; make"), "bash: sed -n 1p a.txt; make");
    assert_eq!(runs(&ground, "sed -i s/a/b/ a.txt"), "sed -i s/a/b/ a.txt");
}
