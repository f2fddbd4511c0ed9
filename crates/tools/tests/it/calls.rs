//! What a model sees: the schemas, and the errors of invalid calls.

use crate::support::Desk;
use deputy_protocol::{CallId, Limits, ToolCall, ToolSpec};
use deputy_tools::Registry;
use serde_json::{Value, json};

#[test]
fn every_schema_is_one_plain_object() {
    for name in ["search", "code", "shell"] {
        let schema = Registry::standard().get(name).unwrap().parameters();
        assert_eq!(schema["type"], "object", "{name}");
        for union in ["oneOf", "anyOf", "allOf", "$ref", "$defs", "$schema"] {
            assert!(!schema.to_string().contains(&format!("\"{union}\"")), "{name} has {union}: {schema}");
        }
        for (property, schema) in schema["properties"].as_object().unwrap() {
            assert!(schema["description"].is_string(), "{name}.{property} says nothing");
            assert!(schema["type"].is_string(), "{name}.{property} has no plain type: {schema}");
        }
    }
}

/// The schemas do not state that unknown parameters are rejected, which would cost tokens in every request. The error
/// names them instead.
#[test]
fn parameters_that_are_not_known_are_refused_by_name() {
    let desk = Desk::new();
    let home = deputy_tools::OrganizeHome::of(&desk.place.home, &desk.place.home);
    let registry = Registry::standard().organizing(home);
    for name in registry.names() {
        let tool = registry.get(&name).unwrap();
        let actions =
            tool.parameters()["properties"]["action"]["enum"].as_array().cloned().unwrap_or_default();
        let calls: Vec<Value> = match actions.as_slice() {
            [] => vec![json!({"invented": 1})],
            all => all.iter().map(|action| json!({"action": action, "invented": 1})).collect(),
        };
        for call in calls {
            let error = tool.facts(&call, &desk.place).expect_err("it is refused").to_string();
            assert!(error.contains("invented"), "{name} {call}: {error}");
        }
    }
}

#[test]
fn the_schema_of_code() {
    insta::assert_json_snapshot!(Registry::standard().get("code").unwrap().parameters(), @r#"
    {
      "properties": {
        "action": {
          "description": "read(path, lines?, start_line?): A text file, or some lines\nwrite(content, path): Create a file, with its folders, or replace all of it\npatch(new, old, path, replace_all?): Replace one exact piece\nlist(glob?, hidden?): Name, kind, bytes, date\ncreate_dir(path): With those above it",
          "enum": [
            "read",
            "write",
            "patch",
            "list",
            "create_dir"
          ],
          "type": "string"
        },
        "content": {
          "description": "All of the new content",
          "type": "string"
        },
        "glob": {
          "description": "E.g. `src/**/*.rs`",
          "type": "string"
        },
        "hidden": {
          "description": "Dot files, too",
          "type": "boolean"
        },
        "lines": {
          "description": "As many as fit",
          "type": "integer"
        },
        "new": {
          "description": "In its place",
          "type": "string"
        },
        "old": {
          "description": "As it is there; it must occur once",
          "type": "string"
        },
        "path": {
          "description": "Relative to the workspace or absolute",
          "type": "string"
        },
        "replace_all": {
          "description": "All of them",
          "type": "boolean"
        },
        "start_line": {
          "description": "From 1",
          "type": "integer"
        }
      },
      "required": [
        "action"
      ],
      "type": "object"
    }
    "#);
}

#[test]
fn the_actions_of_search() {
    let schema = Registry::standard().get("search").unwrap().parameters();
    insta::assert_snapshot!(schema["properties"]["action"]["description"].as_str().unwrap(), @"
    ls(glob?, hidden?): Name, kind, bytes, date
    find(any?, depth?, empty?, extension?, hidden?, kind?, limit?, max_bytes?, min_bytes?, newer_than?, no_ignore?, none?, offset?, older_than?, pattern?, sort?, tags?, text?, types?): Paths that meet all conditions
    tree(depth?, hidden?, no_ignore?): An indented tree
    grep(pattern, context?, files_only?, hidden?, ignore_case?, include?, literal?, no_ignore?, where?, words?): Matches as `path:line:text`, in PDF and Office files too
    head(path, lines?): Its first lines
    tail(path, lines?): Its last lines
    wc(hidden?, include?, no_ignore?, where?): Lines, words and bytes
    duplicates(hidden?, no_ignore?, where?): Files with the same content
    usage(by?, where?): What takes the room
    info(limit?, offset?, sort?, where?): Pixels, date, camera, pages, title, author, lines, words, tags
    compare(other, hidden?, no_ignore?): How two folders differ
    ");
    assert_eq!(schema["required"], json!(["action"]));
}

#[test]
fn specs_are_those_allowed() {
    let specs = Registry::standard()
        .specs(&["shell".to_owned(), "code".to_owned(), "nothing".to_owned()], &Limits::default());
    let names: Vec<&str> = specs.iter().map(|spec| spec.name.as_str()).collect();
    assert_eq!(names, ["code", "shell"]);
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
        ("code", json!({"action": "delete", "path": "x"})),
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
        };
        let registry = Registry::standard();
        let error = registry.check(&call, &allowed, &desk.place).map(|(_, facts)| facts).unwrap_err();
        told.push_str(&format!("{tool} {parameters}\n  {error}\n"));
    }
    insta::assert_snapshot!(told, @r#"
    shel {"command":"ls"}
      there is no tool `shel`, did you mean `shell`? The tools are: search, code, shell
    bash {"command":"ls"}
      there is no tool `bash`; the tools are: search, code, shell
    Search {"action":"ls"}
      there is no tool `Search`, did you mean `search`? The tools are: search, code, shell
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
      the parameters of `code` do not fit at `action`: it is missing; the actions are: read, write, patch, list, create_dir
    code {"action":"delete","path":"x"}
      the parameters of `code` do not fit at `action`: there is no action `delete`; the actions are: read, write, patch, list, create_dir
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
      the parameters of `code` do not fit at `old`: expected the piece to replace; to create a file use `write`
    code {"action":"patch","new":"y","old":"y","path":"x"}
      the parameters of `code` do not fit at `new`: it is the same as `old`
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
        let specs = Registry::standard().specs(&["shell".to_owned()], limits);
        specs[0].parameters["properties"]["timeout_secs"].clone()
    };
    let bounded = timeout(&limits);
    assert_eq!((&bounded["minimum"], &bounded["maximum"]), (&json!(1), &json!(900)));
    assert!(bounded["description"].as_str().unwrap().contains("60 when absent"), "{bounded}");
    let endless = timeout(&Limits { command_secs: 0, ..limits });
    assert!(endless["maximum"].is_null(), "{endless}");
    let capped = timeout(&Limits { command_secs: 30, command_default_secs: 60, ..Limits::default() });
    assert!(capped["description"].as_str().unwrap().contains("30 when absent"), "{capped}");
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

/// Every step sends all schemas to the model.
#[test]
fn the_schemas_of_all_tools_stay_short() {
    // The characters per token that the core assumes.
    const CHARS_PER_TOKEN: usize = 4;
    let desk = Desk::new();
    let home = deputy_tools::OrganizeHome::of(&desk.place.home, &desk.place.home);
    let registry = Registry::standard().organizing(home);
    let names = registry.names();
    let specs = registry.specs(&names, &Limits::default());
    assert_eq!(specs.len(), names.len());
    let tokens = |spec: &ToolSpec| serde_json::to_string(spec).unwrap().len() / CHARS_PER_TOKEN;
    let sizes: Vec<(&str, usize)> = specs.iter().map(|spec| (spec.name.as_str(), tokens(spec))).collect();
    let of = |counts: fn(&str) -> bool| -> usize {
        sizes.iter().filter(|(name, _)| counts(name)).map(|(_, size)| size).sum()
    };
    println!("{} tokens: {sizes:?}", of(|_| true));
    assert!(of(|_| true) < 4_000, "{sizes:?}");
    // The browser has a separate limit, so that it does not grow at the expense of the others.
    assert!(of(|name| name == "browser") < 1_500, "{sizes:?}");
}
