//! Tests of the lenient parser, text by text.

use super::*;

fn commands(text: &str) -> Vec<String> {
    read(text).commands.iter().map(|simple| simple.words.join(" ")).filter(|text| !text.is_empty()).collect()
}

#[test]
fn commands_are_found_wherever_they_stand() {
    for (text, found) in [
        ("(rm -rf ~) <<< x", vec!["rm -rf ~"]),
        ("a; b && c || d | e & f", vec!["a", "b", "c", "d", "e", "f"]),
        ("if a; then b; elif c; then d; else e; fi <<< x", vec!["a", "b", "c", "d", "e"]),
        ("while ! a; do { b; }; done < x y", vec!["a", "b", "y"]),
        ("for f in x y; do a $f; done", vec!["a $f"]),
        ("case $x in a|sudo) b;; (c) d;& e ) f; esac; g", vec!["b", "d", "f", "g"]),
        ("(case x in a) b;; esac) <<< y", vec!["b"]),
        ("f() { a; }; b", vec!["a", "b"]),
        ("function f { a; }; b", vec!["a", "b"]),
        ("coproc N { a; }; coproc b c", vec!["N", "a", "b c"]),
        ("time -p a; time { b; }", vec!["time -p a", "time", "b"]),
        ("a \"$(b 'c d')\" `e` <(f) > >(g) h", vec!["b 'c d'", "e", "f", "g", "a \"$(:)\" $(:) $(:) h"]),
        ("X=1 Y+=2 a=(b c) d", vec!["d"]),
        ("[[ a =~ (sudo|su) && b > c ]] && d", vec!["[[ a =~ (sudo|su) && b > c", "d"]),
        ("cat <<E; a\nsudo b\nE\nc", vec!["cat", "a", "c"]),
        ("cat <<-'E' <<F\n\tsudo b\n\tE\nsudo\nF\nc", vec!["cat", "c"]),
        ("cat <<E\nb\nc", vec!["cat", "b", "c"]),
        ("((x<<E))\na\nE", vec!["x", "a", "E"]),
        ("2>x a 3<y {fd}>z b\\\n c # d", vec!["a b c"]),
        ("a 'b; c' \"d; 'e\" $'f\\'g; h'", vec!["a 'b; c' \"d; 'e\" $'f\\'g; h'"]),
        ("a ) b ( c", vec!["a", "b", "c"]),
        ("a 'b", vec!["a 'b"]),
    ] {
        let found: Vec<&str> = found;
        assert_eq!(commands(text), found, "{text:?}");
    }
}

#[test]
fn loops_end_where_they_end() {
    let text = "for f; do while a; do b; done; for d in x y; do for ((;;)); do c; done; d; done; done; e";
    let script = read(text);
    let around = |name: &str| {
        let simple = script.commands.iter().find(|simple| simple.words == [name]).unwrap();
        simple.loops.iter().map(|at| script.loops[*at].values.join(" ")).collect::<Vec<_>>()
    };
    for (name, loops) in [("b", vec![]), ("c", vec!["x y"]), ("d", vec!["x y"]), ("e", vec![])] {
        assert_eq!(around(name), loops, "{name}");
    }
}

#[test]
fn a_function_that_calls_itself_is_seen() {
    for (text, calls_itself) in [
        (":() { :|:& };:", true),
        ("(f() { g | f; }; f) <<< x", true),
        ("f() { g; }; f", false),
        ("f() ( g ); f", false),
        ("f() { (g); f; }", true),
    ] {
        let found = read(text).functions.iter().any(|(_, calls_itself)| *calls_itself);
        assert_eq!(found, calls_itself, "{text:?}");
    }
}
