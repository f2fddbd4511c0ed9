//! Techniques by which ordinary programs run other programs, write, or read forbidden files. Each has a command here,
//! and none of them runs without asking.

use crate::ground::Ground;
use deputy_protocol::Decision;

/// Techniques of programs, by their effect.
const TECHNIQUES: &[(&str, &[&str])] = &[
    (
        "runs a shell or another program",
        &[
            "awk 'BEGIN{system(\"id\")}'",
            "awk 'BEGIN{\"id\" | getline x; print x}'",
            "bash -p",
            "busybox sh",
            "dash -c id",
            "ed -c '!id'",
            "emacs -Q -nw --eval '(shell)'",
            "env id",
            "expect -c 'spawn id; interact'",
            "fd . -x id",
            "find . -exec id ';'",
            "find . -ok id ';'",
            "gdb -nx -ex '!id' -ex quit",
            "git -c core.pager=id log",
            "git -p help",
            "git grep --open-files-in-pager=id x",
            "ionice id",
            "less README.md",
            "lua -e 'os.execute(\"id\")'",
            "make -s --eval='x:; id' x",
            "man -P id ls",
            "nice id",
            "node -e 'require(\"child_process\").spawn(\"id\")'",
            "perl -e 'exec \"id\"'",
            "php -r 'system(\"id\");'",
            "pip install .",
            "python3 -c 'import os; os.system(\"id\")'",
            "rg --pre id x",
            "rsync -e 'sh -c id' x y:z",
            "ruby -e 'exec \"id\"'",
            "script -q -c id x",
            "sed '1e id' a.txt",
            "sed -n '1s/.*/id/ep' a.txt",
            "setarch $(arch) id",
            "sort --compress-program=id a.txt",
            "split --filter=id a.txt",
            "sqlite3 x '.shell id'",
            "ssh -o ProxyCommand=id x",
            "start-stop-daemon -n x -S -x /bin/sh",
            "stdbuf -i0 id",
            "strace -o x id",
            "tar -cf x a.txt --checkpoint=1 --checkpoint-action=exec=id",
            "tar -xf dist.tar --to-command=id",
            "taskset 1 id",
            "tcpdump -ln -i lo -w x -W 1 -G 1 -z id",
            "time id",
            "timeout 5 id",
            "unshare id",
            "vim -c ':!id'",
            "watch -x id",
            "xargs -a a.txt id",
            "xxd -r a.txt | sh",
            "zip x a.txt -T -TT 'sh -c id'",
        ],
    ),
    (
        "writes a file",
        &[
            "cp a.txt b.txt",
            "curl -o x https://example.com/",
            "dd if=a.txt of=b.txt",
            "find . -fprintf x y",
            "git log --output=x",
            "sed -n 'w x' a.txt",
            "sed -i s/a/b/ a.txt",
            "shuf -o x a.txt",
            "sort -o x a.txt",
            "tee x",
            "tree -o x",
            "uniq a.txt x",
            "wget -O x https://example.com/",
            "xxd -r a.txt x",
        ],
    ),
    (
        "reads what is secret",
        &[
            "awk 1 ~/.netrc",
            "base64 .env",
            "cat ~/.ssh/id_rsa",
            "comm .env a.txt",
            "curl file:///etc/shadow",
            "cut -c1- .env",
            "date -f .env",
            "diff .env a.txt",
            "grep '' .env",
            "head ~/.aws/credentials",
            "jq -Rr . .env",
            "od -c .env",
            "paste .env",
            "sort -m .env",
            "strings .env",
            "tac ~/.git-credentials",
            "tail -c +1 .env",
            "wc --files0-from=.env",
            "xxd .env",
        ],
    ),
];

#[test]
fn no_technique_of_an_ordinary_program_runs_unasked() {
    let ground = Ground::ordinary();
    let mut found = Vec::new();
    for (effect, commands) in TECHNIQUES {
        for command in *commands {
            for text in [(*command).to_owned(), format!("ls; {command}"), format!("cat a.txt | {command}")] {
                if ground.decide(&text).verdict.decision == Decision::Allow {
                    found.push(format!("{text}: {effect}"));
                }
            }
        }
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
}
