//! What a model sees: the schemas, and the errors of invalid calls.

use crate::support::Desk;
use deputy_protocol::{CallId, Limits, ToolCall, ToolSpec};
use deputy_tools::{Group, Registry};
use serde_json::{Value, json};
use std::path::Path;

/// Returns the registry with all tools that come with Deputy.
fn whole(desk: &Desk) -> Registry {
    Registry::standard().organizing(deputy_tools::OrganizeHome::of(&desk.place.home, &desk.place.home))
}

/// Returns all functions.
fn all_functions(desk: &Desk) -> Vec<ToolSpec> {
    let registry = whole(desk);
    let tools = registry.names();
    registry.specs(&tools, &registry.groups(&tools), &[], &Limits::default())
}

#[test]
fn every_function_has_a_sentence_and_one_plain_object_of_parameters() {
    let desk = Desk::new();
    for function in all_functions(&desk) {
        let (name, schema) = (&function.name, &function.parameters);
        let says = &function.description;
        assert!(says.ends_with('.') || name == "open_tools", "{name}: {says}");
        assert_eq!(schema["type"], "object", "{name}");
        for union in ["oneOf", "anyOf", "allOf", "$ref", "$defs", "$schema"] {
            assert!(!schema.to_string().contains(&format!("\"{union}\"")), "{name} has {union}: {schema}");
        }
        let properties = schema["properties"].as_object().unwrap();
        assert!(!properties.contains_key("action"), "{name}");
        for (property, schema) in properties {
            assert!(schema["type"].is_string(), "{name}.{property} has no plain type: {schema}");
        }
    }
}

/// The schemas do not state that unknown parameters are rejected, which would cost tokens in every request. The error
/// names them instead.
#[test]
fn parameters_that_are_not_known_are_refused_by_name() {
    let desk = Desk::new();
    let registry = whole(&desk);
    for name in registry.names() {
        let tool = registry.get(&name).unwrap();
        for shape in tool.shapes() {
            let mut call = json!({"invented": 1});
            if let Some(action) = shape.action {
                call["action"] = json!(action);
            }
            let error = tool.facts(&call, &desk.place).expect_err("it is refused").to_string();
            assert!(error.contains("invented"), "{name} {call}: {error}");
        }
    }
}

/// What a model reads when it opens each group.
#[test]
fn the_functions_of_all_groups() {
    let desk = Desk::new();
    let registry = whole(&desk);
    let tools = registry.names();
    let text = |group: Group| {
        Some(format!("== {}: {}\n{}\n", group.name(), group.says(), registry.text_of(group, &tools)?))
    };
    let groups = registry.groups(&tools);
    insta::assert_snapshot!(groups.into_iter().filter_map(text).collect::<String>());
}

/// All functions as they are sent. The backends' tests check the file against the providers' packages.
#[test]
fn the_functions_as_they_are_sent() {
    let sent = serde_json::to_string_pretty(&all_functions(&Desk::new())).unwrap() + "\n";
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/functions.json");
    if std::env::var_os("APPROVE").is_some() {
        std::fs::write(&path, &sent).unwrap();
    }
    let approved = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(sent == approved, "{} is out of date; APPROVE=1 writes it", path.display());
}

#[test]
fn a_profile_names_tools_or_single_actions() {
    let registry = Registry::standard();
    let names = |allowed: &[&str]| {
        let allowed: Vec<String> = allowed.iter().map(|name| (*name).to_owned()).collect();
        let specs = registry.specs(&allowed, &registry.groups(&allowed), &[], &Limits::default());
        specs.into_iter().map(|spec| spec.name).collect::<Vec<_>>()
    };
    assert_eq!(
        names(&["shell", "code", "nothing"]),
        ["read_file", "write_file", "edit_file", "move_file", "delete_file", "shell", "create_dir"]
    );
    assert_eq!(names(&["code.read", "search.grep", "shell.read"]), ["read_file", "grep"]);
    let desk = Desk::new();
    let call = |tool: &str, parameters: Value| ToolCall {
        id: CallId::new("c"),
        tool: tool.to_owned(),
        parameters,
        problem: None,
        written: None,
    };
    let allowed = ["code.read".to_owned()];
    let check = |mut call: ToolCall| {
        registry.translate(&mut call);
        registry.check(&call, &allowed, &desk.place).map(|_| ()).map_err(|error| error.to_string())
    };
    assert_eq!(check(call("read_file", json!({"path": "a"}))), Ok(()));
    assert_eq!(check(call("code", json!({"action": "read", "path": "a"}))), Ok(()));
    for refused in [
        call("write_file", json!({"path": "a", "content": ""})),
        call("code", json!({"action": "write", "path": "a", "content": ""})),
        call("write", json!({"path": "a", "content": ""})),
    ] {
        assert!(check(refused).unwrap_err().contains("there is no function"));
    }
}

/// What is offered first stays the same when groups are opened, so that each request begins like the one before it.
#[test]
fn opened_groups_are_appended() {
    let desk = Desk::new();
    let registry = whole(&desk);
    let tools = registry.names();
    let specs = |opened: &[Group]| registry.specs(&tools, Group::OF_REPOSITORY, opened, &Limits::default());
    let (first, then) = (specs(&[]), specs(&[Group::Table]));
    let last = specs(&[Group::Table, Group::Organize]);
    assert_eq!(first.last().unwrap().name, "open_tools");
    assert!(first.iter().all(|spec| spec.name != "query_table"));
    assert_eq!(then[..first.len()], first[..]);
    assert_eq!(then[first.len()].name, "query_table");
    assert_eq!(last[..then.len()], then[..]);
    assert_eq!(last.len() - then.len(), 6);
    assert_eq!(specs(&[Group::Files]), first, "an offered group is not offered twice");
}

/// Translates a call as a model wrote it and checks it. Returns what the rest of Deputy sees of it, or the answer to the
/// model.
fn translated(desk: &Desk, name: &str, arguments: &Value) -> String {
    let registry = whole(desk);
    let (id, tool) = (CallId::new("c"), name.to_owned());
    let mut call = ToolCall { id, tool, parameters: arguments.clone(), problem: None, written: None };
    registry.translate(&mut call);
    assert_eq!(call.written_name(), name);
    assert_eq!(call.as_written().parameters, *arguments, "the model reads again what it wrote");
    match registry.check(&call, &registry.names(), &desk.place) {
        Ok((tool, _)) => format!("{} {}", tool.name(), call.parameters),
        Err(error) => error.to_string(),
    }
}

#[test]
fn calls_of_functions_are_translated() {
    let desk = Desk::new();
    desk.put("a.txt", "one\n");
    let calls = [
        ("read_file", json!({"path": "a.txt"})),
        ("read_file", json!({"path": "a.txt", "offset": 2, "limit": 5})),
        ("read_file", json!({"path": "a.txt", "offset": "2", "limit": null})),
        (
            "edit_file",
            json!({"path": "a.txt", "old_string": "one", "new_string": "two", "replace_all": "true"}),
        ),
        ("grep", json!({"pattern": "5"})),
        ("grep", json!({"pattern": 5})),
        ("query_table", json!({"path": "a.csv", "where": [{"column": "Sum", "is": ">", "value": 6}]})),
        ("todo", json!({"steps": "[{\"title\": 1, \"state\": \"active\"}]"})),
        ("shell", json!({"command": "ls", "timeout_secs": "5"})),
        ("open_tools", json!({"group": "table"})),
        ("fetch_page", json!({"url": "http://example.com"})),
        ("rank_texts", json!({"prompt": "p", "texts": "[\"a\"]"})),
        // Names that other agents use.
        ("Bash", json!({"command": "ls"})),
        ("Read", json!({"file_path": "a.txt", "limit": 3})),
        ("str_replace", json!({"path": "a.txt", "old_str": "one", "new_str": "1"})),
        ("glob", json!({"pattern": "*.txt"})),
        ("apply_patch", json!({"input": "*** Begin Patch\n*** Delete File: a.txt\n*** End Patch"})),
        // The form of earlier versions.
        ("code", json!({"action": "read", "path": "a.txt", "start_line": 2})),
        ("search", json!({"action": "head", "path": "a.txt"})),
        // What does not fit is answered with the right call.
        ("read_file", json!({"path": "a.txt", "start_line": 2})),
        ("read_file", json!({"path": "a.txt", "numbered": false})),
        ("apply_patch", json!({"input": "--- a.txt"})),
        ("read_file", json!({"file": "a.txt"})),
        ("read_file", json!({})),
        ("read_file", json!({"path": "a.txt", "offset": "two"})),
        ("read_file", json!("a.txt")),
        ("edit_file", json!({"path": "a.txt", "old_string": "", "new_string": "two"})),
        ("edit_file", json!({"path": "a.txt", "old_string": ["one"], "new_string": "two"})),
        ("browser_click", json!({"selector": "#a"})),
        ("rank_texts", json!({"prompt": "p", "texts": ["a"], "labels": ["b"]})),
        ("Edit", json!({"file_path": "a.txt", "old_string": "one"})),
        ("read_files", json!({"path": "a.txt"})),
        ("github__read_file", json!({"path": "a.txt"})),
    ];
    let mut told = String::new();
    for (name, arguments) in calls {
        told.push_str(&format!("{name} {arguments}\n  {}\n", translated(&desk, name, &arguments)));
    }
    insta::assert_snapshot!(told);
}

/// A long text is not kept twice.
#[test]
fn arguments_are_kept_only_if_they_differ_from_the_parameters() {
    let registry = Registry::standard();
    let written = |name: &str, parameters: Value| {
        let (id, tool) = (CallId::new("c"), name.to_owned());
        let mut call = ToolCall { id, tool, parameters, problem: None, written: None };
        registry.translate(&mut call);
        call.written
    };
    let of = |name: &str, parameters: Value| written(name, parameters).unwrap().arguments;
    assert_eq!(of("write_file", json!({"path": "a", "content": "x".repeat(1_000)})), None);
    assert_eq!(
        of("edit_file", json!({"path": "a", "old_string": "b"})),
        Some(json!({"path": "a", "old_string": "b"}))
    );
    assert_eq!(written("shell", json!({"command": "ls"})), None);
    assert_eq!(written("code", json!({"action": "read", "path": "a"})), None);
}

#[test]
#[expect(clippy::too_many_lines, reason = "a table of calls")]
fn a_wrong_call_is_told_what_is_wrong() {
    let desk = Desk::new();
    let cases = [
        ("shel", json!({"command": "ls"})),
        ("bash", json!({"command": "ls"})),
        ("Search", json!({"action": "ls"})),
        ("shell", json!("ls")),
        ("shell", json!({})),
        ("shell", json!({"command": ["ls"]})),
        ("shell", json!({"command": " "})),
        ("shell", json!({"command": "ls", "timeout_secs": "1m"})),
        ("shell", json!({"command": "ls", "timeout": 5})),
        ("code", json!({"path": "x"})),
        ("code", json!({"action": "erase", "path": "x"})),
        ("code", json!({"action": 3})),
        ("code", json!({"action": "read"})),
        ("code", json!({"action": "read", "path": ""})),
        ("code", json!({"action": "read", "path": "x", "start_line": -1})),
        ("code", json!({"action": "write", "path": "x", "text": "y"})),
        ("code", json!({"action": "patch", "path": "x", "old": "", "new": "y"})),
        ("code", json!({"action": "patch", "path": "x", "old": "y", "new": "y"})),
        ("search", json!({"action": "find", "newer_than": "yesterday"})),
        ("search", json!({"action": "find", "pattern": "[a"})),
        ("search", json!({"action": "find", "kind": "directory"})),
        ("search", json!({"action": "grep", "pattern": "(a"})),
    ];
    let allowed = ["search", "code", "shell"].map(str::to_owned);
    let mut told = String::new();
    for (tool, parameters) in cases {
        let call = ToolCall {
            id: CallId::new("c"),
            tool: tool.to_owned(),
            parameters: parameters.clone(),
            problem: None,
            written: None,
        };
        let registry = Registry::standard();
        let error = registry.check(&call, &allowed, &desk.place).map(|(_, facts)| facts).unwrap_err();
        told.push_str(&format!("{tool} {parameters}\n  {error}\n"));
    }
    insta::assert_snapshot!(told, @r#"
    shel {"command":"ls"}
      there is no function `shel`. Did you mean shell(command: string, timeout_secs?: integer, working_dir?: string)?
    bash {"command":"ls"}
      there is no function `bash`; the functions are: read_file, write_file, edit_file, move_file, delete_file, list_dir, find_files, grep, shell, create_dir, list_tree, tail_file, count_lines, compare_dirs, select_files, file_info, find_duplicates, disk_usage
    Search {"action":"ls"}
      there is no function `Search`; the functions are: read_file, write_file, edit_file, move_file, delete_file, list_dir, find_files, grep, shell, create_dir, list_tree, tail_file, count_lines, compare_dirs, select_files, file_info, find_duplicates, disk_usage
    shell "ls"
      the parameters of `shell` do not fit: expected an object of parameters
    shell {}
      the parameters of `shell` do not fit: missing field `command`
    shell {"command":["ls"]}
      the parameters of `shell` do not fit at `command`: invalid type: sequence, expected a string
    shell {"command":" "}
      the parameters of `shell` do not fit at `command`: the command is empty
    shell {"command":"ls","timeout_secs":"1m"}
      the parameters of `shell` do not fit at `timeout_secs`: invalid type: string "1m", expected u64
    shell {"command":"ls","timeout":5}
      the parameters of `shell` do not fit at `timeout`: unknown field `timeout`, expected one of `command`, `working_dir`, `timeout_secs`
    code {"path":"x"}
      the parameters of `code` do not fit at `action`: it is missing; the actions are: read, write, patch, list, create_dir, move, delete, apply_patch
    code {"action":"erase","path":"x"}
      the parameters of `code` do not fit at `action`: there is no action `erase`; the actions are: read, write, patch, list, create_dir, move, delete, apply_patch
    code {"action":3}
      the parameters of `code` do not fit at `action`: expected a text
    code {"action":"read"}
      the parameters of `code` do not fit: missing field `path`
    code {"action":"read","path":""}
      the parameters of `code` do not fit at `path`: expected a path
    code {"action":"read","path":"x","start_line":-1}
      the parameters of `code` do not fit at `start_line`: invalid value: integer `-1`, expected u64
    code {"action":"write","path":"x","text":"y"}
      the parameters of `code` do not fit at `text`: unknown field `text`, expected `path` or `content`
    code {"action":"patch","new":"y","old":"","path":"x"}
      the parameters of `code` do not fit at `old`: expected the piece to replace; to create a file use `write_file`
    code {"action":"patch","new":"y","old":"y","path":"x"}
      the parameters of `code` do not fit at `new`: it is the same as `old_string`
    search {"action":"find","newer_than":"yesterday"}
      the parameters of `search` do not fit at `newer_than`: `yesterday` is neither a date like 2026-01-31 nor an age like 12h, 7d or 2w
    search {"action":"find","pattern":"[a"}
      the parameters of `search` do not fit at `pattern`: expected a glob: error parsing glob '[a': unclosed character class; missing ']'
    search {"action":"find","kind":"directory"}
      the parameters of `search` do not fit at `kind`: unknown variant `directory`, expected one of `file`, `folder`, `link`
    search {"action":"grep","pattern":"(a"}
      the parameters of `search` do not fit at `pattern`: expected a regular expression on one line, or `literal`: regex parse error:
        (?:(a)
        ^
    error: unclosed group
    "#);
}

#[test]
fn facts_name_what_is_touched() {
    let desk = Desk::new();
    desk.put("a.txt", "one\ntwo\n");
    let cases = [
        ("shell", json!({"command": "cargo test\n  && echo \u{202e}x"})),
        ("code", json!({"action": "read", "path": "a.txt"})),
        ("code", json!({"action": "list"})),
        ("code", json!({"action": "read", "path": "~/notes.txt"})),
        ("code", json!({"action": "write", "path": "b.txt", "content": "x".repeat(1200)})),
        ("code", json!({"action": "write", "path": "a.txt", "content": "one\n2\n"})),
        ("code", json!({"action": "write", "path": "a.txt", "content": "one\ntwo\n"})),
        ("code", json!({"action": "patch", "path": "a.txt", "old": "two", "new": "2"})),
        ("code", json!({"action": "patch", "path": "a.txt", "old": "three", "new": "3"})),
        ("code", json!({"action": "create_dir", "path": "x/y"})),
        ("search", json!({"action": "ls"})),
        ("search", json!({"action": "grep", "pattern": "x", "path": "src"})),
        ("search", json!({"action": "tail", "path": "a.txt"})),
    ];
    let mut told = String::new();
    for (tool, parameters) in cases {
        let facts = desk.facts(tool, parameters).unwrap();
        let summary = facts.summary.clone();
        let mut facts = serde_json::to_value(facts).unwrap();
        let diff = facts["diff"].take();
        let accesses: Vec<String> =
            facts["accesses"].as_array().unwrap().iter().map(Value::to_string).collect();
        let effect = &facts["effect"];
        told.push_str(&format!("{summary}\n  {effect} {}\n", accesses.join(" ")));
        if let Some(diff) = diff.as_str().filter(|diff| diff.len() < 500) {
            told.push_str(diff);
        }
    }
    insta::assert_snapshot!(desk.neutral(&told).replace('\u{202e}', "<RLO>"), @r#"
    Run cargo test ⏎ && echo \u{202e}x
      "mutating" {"access":"shell","command":"cargo test\n  && echo <RLO>x"}
    Read a.txt
      "read_only" {"access":"read","path":"a.txt"}
    List .
      "read_only" {"access":"list","path":"."}
    Read ~/notes.txt
      "read_only" {"access":"read","path":"~tmp/home/notes.txt"}
    Write b.txt (1.2 KB, new file)
      "idempotent" {"access":"write","path":"b.txt"}
    Write a.txt (6 bytes, replaces the file)
      "idempotent" {"access":"write","path":"a.txt"}
    --- a/a.txt
    +++ b/a.txt
    @@ -1,2 +1,2 @@
     one
    -two
    +2
    Write a.txt (8 bytes, unchanged)
      "idempotent" {"access":"write","path":"a.txt"}
    Patch a.txt (1 place, line 2)
      "mutating" {"access":"read","path":"a.txt"} {"access":"write","path":"a.txt"}
    --- a/a.txt
    +++ b/a.txt
    @@ -1,2 +1,2 @@
     one
    -two
    +2
    Patch a.txt (does not apply, nothing would change)
      "mutating" {"access":"read","path":"a.txt"} {"access":"write","path":"a.txt"}
    Create the folder x/y
      "idempotent" {"access":"write","path":"x/y"}
    List this folder
      "read_only" {"access":"list","path":"."}
    Search src for x
      "read_only" {"access":"list","path":"src"} {"access":"read","path":"src"}
    Read a.txt
      "read_only" {"access":"read","path":"a.txt"}
    "#);
}

#[test]
fn facts_never_read_what_waits() {
    let desk = Desk::new();
    let pipe = desk.path("pipe");
    rustix::fs::mknodat(rustix::fs::CWD, &pipe, rustix::fs::FileType::Fifo, 0o600.into(), 0).unwrap();
    let facts = desk.facts("code", json!({"action": "write", "path": "pipe", "content": "x"})).unwrap();
    assert_eq!(facts.summary, "Write pipe (1 byte, replaces what is there)");
}

#[test]
fn a_diff_is_bounded_and_hides_nothing() {
    let desk = Desk::new();
    let content = "line\n".repeat(5000) + "tricky \u{202e}txet\n";
    let facts = desk.facts("code", json!({"action": "write", "path": "n", "content": content})).unwrap();
    let diff = facts.diff.unwrap();
    assert!(diff.lines().count() <= 401 && diff.ends_with("more lines of the diff]\n"), "{diff}");
    let content = "a \u{202e}b\tc\n";
    let facts = desk.facts("code", json!({"action": "write", "path": "n", "content": content})).unwrap();
    assert!(facts.diff.unwrap().contains("+a \\u{202e}b\tc\n"));
}

/// A decision that depended on the content would let a model guess a secret step by step.
#[test]
fn what_policy_decides_on_does_not_depend_on_the_content() {
    let desk = Desk::new();
    desk.put(".env", "TOKEN=abc");
    let facts = |old: &str| {
        let call = json!({"action": "patch", "path": ".env", "old": old, "new": "x"});
        let facts = desk.facts("code", call).unwrap();
        (facts.effect, facts.accesses)
    };
    assert_eq!(facts("TOKEN=a"), facts("TOKEN=z"));
}

#[test]
fn a_call_that_would_fail_is_known_beforehand() {
    let desk = Desk::new();
    desk.put("a.txt", "one one");
    std::fs::create_dir(desk.path("folder")).unwrap();
    std::os::unix::fs::symlink("a.txt", desk.path("link")).unwrap();
    let cases = [
        (
            "code",
            json!({"action": "patch", "path": "a.txt", "old": "one", "new": "1"}),
            Some("occurs 2 times"),
        ),
        ("code", json!({"action": "patch", "path": "a.txt", "old": "one one", "new": "1"}), None),
        ("code", json!({"action": "patch", "path": "link", "old": "one one", "new": "1"}), Some("is a link")),
        ("code", json!({"action": "patch", "path": "new", "old": "one", "new": "1"}), Some("does not exist")),
        ("code", json!({"action": "write", "path": "folder", "content": ""}), Some("is a folder")),
        ("code", json!({"action": "write", "path": "new/file", "content": ""}), None),
        ("code", json!({"action": "create_dir", "path": "a.txt"}), Some("is a file")),
        ("code", json!({"action": "create_dir", "path": "folder"}), None),
        ("shell", json!({"command": "false"}), None),
    ];
    for (tool, call, expected) in cases {
        let told = Registry::standard().get(tool).unwrap().would_fail(&call, &desk.place);
        match expected {
            None => assert_eq!(told, None, "{call}"),
            Some(expected) => {
                assert!(told.as_ref().is_some_and(|it| it.contains(expected)), "{call}: {told:?}")
            }
        }
    }
}

#[test]
fn a_schema_says_what_the_settings_allow() {
    let limits = Limits { command_secs: 900, command_default_secs: 60, ..Limits::default() };
    let timeout = |limits: &Limits| {
        let specs = Registry::standard().specs(&["shell".to_owned()], &[Group::Shell], &[], limits);
        specs[0].parameters["properties"]["timeout_secs"].clone()
    };
    let bounded = timeout(&limits);
    assert_eq!((&bounded["minimum"], &bounded["maximum"]), (&json!(1), &json!(900)));
    assert!(bounded["description"].as_str().unwrap().contains("Default: 60"), "{bounded}");
    let endless = timeout(&Limits { command_secs: 0, ..limits });
    assert!(endless["maximum"].is_null(), "{endless}");
    let capped = timeout(&Limits { command_secs: 30, command_default_secs: 60, ..Limits::default() });
    assert!(capped["description"].as_str().unwrap().contains("Default: 30"), "{capped}");
}

#[test]
fn a_folder_to_run_in_must_be_one() {
    let desk = Desk::new();
    desk.put("sub/file", "x");
    let registry = Registry::standard();
    let shell = registry.get("shell").unwrap();
    let folder =
        |given: &str| shell.working_dir(&json!({"command": "ls", "working_dir": given}), &desk.place);
    assert_eq!(folder("sub").unwrap(), Some(desk.path("sub")));
    assert_eq!(folder("sub/../sub/.").unwrap(), Some(desk.path("sub")));
    assert_eq!(shell.working_dir(&json!({"command": "ls"}), &desk.place).unwrap(), None);
    for (given, said) in
        [("gone", "there is no folder `gone`"), ("sub/file", "is not a folder"), ("", "leave it out")]
    {
        let error = folder(given).unwrap_err().to_string();
        assert!(error.contains("working_dir") && error.contains(said), "{error}");
    }
}

#[tokio::test]
async fn a_list_takes_a_glob() {
    let desk = Desk::new();
    for file in ["a.rs", "b.txt", "src/c.rs", "src/deep/d.rs"] {
        desk.put(file, "x");
    }
    let names = |content: &str| {
        content
            .lines()
            .filter(|line| line.contains('\t'))
            .map(|line| line.split('\t').next().unwrap().to_owned())
            .collect::<Vec<_>>()
    };
    let list = async |glob: &str| desk.run("code", json!({"action": "list", "glob": glob})).await.content;
    assert_eq!(names(&list("*.RS").await), ["a.rs"]);
    assert_eq!(names(&list("src/**/*.rs").await), ["src/c.rs", "src/deep/d.rs"]);
    let registry = Registry::standard();
    let error = registry.get("code").unwrap().facts(&json!({"action": "list", "glob": "[a"}), &desk.place);
    assert!(error.unwrap_err().to_string().contains("expected a glob"));
}

/// Every step sends the functions to the model.
#[test]
fn the_functions_stay_short() {
    let desk = Desk::new();
    let registry = whole(&desk);
    let tools = registry.names();
    let bytes = |first: &[Group]| {
        let specs = registry.specs(&tools, first, &[], &Limits::default());
        serde_json::to_string(&specs).unwrap().len()
    };
    let (repository, folder) = (bytes(Group::OF_REPOSITORY), bytes(Group::OF_FOLDER));
    let subtask = bytes(Group::OF_SUBTASK);
    let all = bytes(&registry.groups(&tools));
    println!("a repository {repository}, another folder {folder}, a sub-task {subtask}, all {all} bytes");
    assert!(repository < 9_200, "{repository}");
    assert!(folder < 20_400, "{folder}");
    assert!(subtask < 6_300, "{subtask}");
    assert!(all < 31_500, "{all}");
}
