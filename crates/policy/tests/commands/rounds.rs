//! Tests of variables that a loop sets in each round, names after their folder, and loops over many files.

use crate::ground::Ground;
use deputy_protocol::Decision;

fn decision(ground: &Ground, command: &str) -> (Decision, String) {
    let verdict = ground.decide(command).verdict;
    (verdict.decision, format!("{command}: {:?}", verdict.reasons))
}

#[test]
fn what_each_round_sets_is_known_in_the_rest_of_it() {
    let ground = Ground::ordinary();
    for command in [
        "for f in $(git ls-files 'src/*.rs'); do n=$(wc -l < \"$f\"); [ \"$n\" -gt 300 ] && echo \"$n $f\"; done",
        "for f in src/*.rs; do n=$(wc -l < \"$f\"); head -n \"$n\" a.txt; done",
        "find src -name '*.rs' | while read -r f; do b=\"${f%.*}\"; [ -e \"$b.md\" ] || echo \"no page: $f\"; done",
        "for f in docs/*.md; do b=$(basename \"$f\" .md); [ -f \"src/$b.rs\" ] || echo \"$b\"; done",
        "for f in a.txt b.txt; do n=$f; n=${n%.txt}; echo \"$n\"; done",
        "for d in src docs; do for f in a b; do x=$d; echo \"$x/$f\"; done; echo \"$x\" > /dev/null; done | sort",
        "for f in a.txt b.txt; do n=$(wc -l < $f); echo $n; done; for f2 in a.txt; do n=$(wc -c < $f2); echo $n; done",
        "total=0; for f in src/*.rs; do n=$(wc -l < \"$f\"); total=$((total + n)); done; echo \"$total\"",
        "ls src | while read -r f; do head -1 \"src/$f\"; done",
        "ls -1 src/ | while read -r f; do printf '%-30s %s\\n' \"$f\" \"$(head -1 \"src/$f\")\"; done",
        "[ -e \"$(basename a.txt .txt).md\" ] || echo no",
        "[ \"$(basename a.txt)\" -nt b.txt ] && echo newer",
        "start=$(date -d '2024-01-01' +%s); now=$(date +%s); echo $(( (now - start) / 86400 )) days",
        "git for-each-ref --format='%(refname:short)' refs/heads | while read -r b; do echo \"$b: $(git rev-list --count HEAD..\"$b\")\"; done",
        "find tests -name '*.rs' -exec basename {} .rs \\;",
        "echo \"$((RANDOM % 6 + 1))\"",
        "echo \"${PATH//:/$'\\n'}\"",
    ] {
        // The outer round does not know what an inner one sets.
        let expected = if command.contains("$x\" >") { Decision::Ask } else { Decision::Allow };
        let (decision, text) = decision(&ground, command);
        assert_eq!(decision, expected, "{text}");
    }
}

#[test]
fn what_is_not_set_in_each_round_is_not_known() {
    let ground = Ground::ordinary();
    for command in [
        "for f in a.txt; do n=.env; cat \"$n\"; done",
        "for f in .env; do n=$f; cat \"$n\"; done",
        "for f in a.txt; do n=x; n=.env; cat \"$n\"; done",
        "for f in a.txt; do n=$f; cat \"${n%.txt}.env\"; done",
        "for f in a.txt; do if [ -f b.txt ]; then n=1; fi; head -n \"$n\" \"$f\"; done",
        "for f in a.txt; do (n=5); head -n \"$n\" a.txt; done",
        "for f in a.txt; do { n=5; }; head -n \"$n\" a.txt; done",
        "for f in a.txt; do n=5 | cat; head -n \"$n\" a.txt; done",
        "for f in a.txt; do [ -f b ] && n=5; head -n \"$n\" a.txt; done",
        "for f in a.txt; do head -n \"$n\" a.txt; n=5; done",
        "for f in a.txt; do n=5; done; head -n \"$n\" a.txt",
        "for g in $n; do cat \"$g\"; n=a.txt; done",
        "for f in a.txt; do n=$(cat notes.txt); echo $((n)); done",
        "for f in a.txt; do n='a[$(id)]'; echo $((n)); done",
        "for f in a.txt; do n=$(rm a.txt); echo \"$n\"; done",
        "for f in a.txt; do n=$(cat notes.txt); cat \"$n\"; done",
        "for f in a.txt; do n=$(cat notes.txt); $n; done",
        "for f in a.txt; do n=$(cat notes.txt); ls $n; done",
        "for f in a.txt; do n=$(cat .env); echo \"$n\"; done",
        "for f in a.txt; do PATH=$f; ls; done",
        "for f in a.txt; do IFS=$f; ls; done",
        "for f in a.txt; do HOME=src; ls ~; done",
        "for f in a.txt; do f=.env; cat \"$f\"; done",
        "while read -r f; do g=$f; cat \"$g\"; done < files.txt",
        "ls src | while read -r f; do cat \"docs/$f\"; done",
        "ls src docs | while read -r f; do cat \"src/$f\"; done",
        "ls | while read -r f; do cat \"../$f\"; done",
        "ls -d src | while read -r f; do cat \"src/$f\"; done",
        "ls -a . | while read -r f; do cat \"./$f\"; done",
        "ls src | while read -r f; do echo x > \"src/$f\"; done",
        "[ -e \"$(cat .env)\" ] && echo yes",
        "RANDOM='a[$(id)]'; echo $((RANDOM + 1))",
        "x=$((1 - 9)); grep -r \"$x\" notes.txt",
        "grep -r $((1 - 9)) notes.txt",
        "start=$(date -d \"$(cat .env)\" +%s); echo \"$((start))\"",
        "n=$(date -f .env +%s); echo $((n))",
        "n=$(date -s x +%s); echo $((n))",
        "n=$(date -d 1960-01-01 +%s); echo $((n))",
        "git log --format=%s | while read -r b; do git show \"$b\"; done",
        "git log --format=%H | while read -r b; do git branch -D \"$b\"; done",
        "cat notes.txt | while read -r b; do git rev-list --count \"$b\"; done",
        "find src -name '*.rs' -exec mv {} x \\;",
        "find src -name '*.rs' -exec cat {} .env \\;",
        "find src -name '*.rs' -exec sh {} x \\;",
        "find src -name '*.rs' -exec {} x \\;",
        "find src -name '*.rs' -exec basename {} .rs +",
        "find src -name '*.rs' -exec grep {} README.md \\;",
        "find src -name '*.rs' -exec printf {} x \\;",
        "find src -name '*.rs' -delete -exec basename {} .rs \\;",
        "echo \"${x//:/$'\\n'$(id)}\"",
        "echo \"${PATH//:/$(id)/$'\\n'}\"",
        "[ -f a.txt -a -e \"$(cat notes.txt)\" ]",
        "[ -v \"$(cat notes.txt)\" ] && echo yes",
    ] {
        let (decision, text) = decision(&ground, command);
        assert_ne!(decision, Decision::Allow, "{text}");
    }
}

#[test]
fn many_names_that_one_pattern_matches_are_names() {
    let ground = Ground::ordinary();
    for number in 0..100 {
        std::fs::write(ground.workspace().join(format!("docs/IMG {number}.jpg")), "").unwrap();
    }
    for command in [
        "for f in docs/*.jpg; do echo \"$(stat -c %y \"$f\" | cut -d' ' -f1) $f\"; done | sort",
        "for f in docs/*.jpg; do n=$(wc -c < \"$f\"); echo \"$n ${f##*/}\"; done",
        "for f in docs/*.jpg; do [ -e \"${f%.jpg}.xmp\" ] || echo \"$f\"; done",
        "for f in docs/*.jpg; do wc -c \"$f\"; done",
    ] {
        let (decision, text) = decision(&ground, command);
        assert_eq!(decision, Decision::Allow, "{text}");
    }
    for number in 0..100 {
        std::fs::write(ground.workspace().join(format!("docs/k{number}.pem")), "PRIVATE").unwrap();
    }
    for command in [
        "for f in docs/*.jpg; do rm \"$(basename \"$f\")\"; done",
        "for f in docs/*.jpg; do echo x > \"$f\"; done",
        "for f in docs/*.jpg; do sh \"$f\"; done",
        "for f in docs/*.pem; do cat \"$f\"; done",
        "for f in docs/*; do head -c 9 \"$f\"; done",
        "for f in ../*; do echo \"$(head -1 \"$f\")\"; done",
        "for f in docs/*.jpg; do \"$f\"; done",
    ] {
        let (decision, text) = decision(&ground, command);
        assert_ne!(decision, Decision::Allow, "{text}");
    }
}

#[test]
fn a_value_behind_its_letter_is_no_bundle() {
    let ground = Ground::ordinary();
    for command in ["awk -F'func ' '{print $2}' src/main.rs", "awk -Ffile '{print $1}' a.txt"] {
        let (decision, text) = decision(&ground, command);
        assert_eq!(decision, Decision::Allow, "{text}");
    }
    for command in
        ["awk -fF run.sh a.txt", "awk -F: -f run.sh a.txt", "awk -frun.sh a.txt", "awk -xFf run.sh a.txt"]
    {
        let (decision, text) = decision(&ground, command);
        assert_ne!(decision, Decision::Allow, "{text}");
    }
}
