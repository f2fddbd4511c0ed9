//! Generates texts for each program: realistic commands with pieces that run programs, write files or read secrets.

use crate::random::{Random, quoted};
use crate::world::World;

/// A generator of texts for a program.
pub(crate) struct Grammar {
    pub(crate) program: &'static str,
    pub(crate) text: fn(&mut Random, &World) -> String,
    /// The number of texts that are tried before a new world is created.
    pub(crate) texts_in_a_world: usize,
}

pub(crate) const SED: Grammar = Grammar { program: "sed", text: sed, texts_in_a_world: 4000 };
pub(crate) const AWK: Grammar =
    Grammar { program: "awk", text: |random, _| awk(random, "awk"), texts_in_a_world: 4000 };
pub(crate) const GAWK: Grammar =
    Grammar { program: "gawk", text: |random, _| awk(random, "gawk"), texts_in_a_world: 4000 };
pub(crate) const JQ: Grammar = Grammar { program: "jq", text: jq, texts_in_a_world: 4000 };
pub(crate) const GIT: Grammar = Grammar { program: "git", text: git, texts_in_a_world: 40 };
pub(crate) const RG: Grammar = Grammar { program: "rg", text: rg, texts_in_a_world: 40 };
pub(crate) const OD: Grammar = Grammar { program: "od", text: od, texts_in_a_world: 4000 };
pub(crate) const SORT: Grammar = Grammar { program: "sort", text: sort, texts_in_a_world: 4000 };
pub(crate) const FIND: Grammar = Grammar { program: "find", text: find, texts_in_a_world: 4000 };
pub(crate) const TAR: Grammar = Grammar { program: "tar", text: tar, texts_in_a_world: 4000 };
pub(crate) const SUMS: Grammar = Grammar { program: "sha256sum", text: sha256sum, texts_in_a_world: 4 };

/// Names of files, ordinary and secret, and words that a program may take for file names.
const OPERANDS: &[&str] = &[
    "a.txt", "a.txt", "README.md", "data.csv", "data.json", "src", "src/main.rs", ".", "-", "SUMS", ".env", "16",
    "8", "link", "../.netrc", "@list", "list", "x", "prod.key", "a.tar", "a.tar.gz", "a.tar.xz", "+8", "--",
    "evil.sh", "./evil.sh", "out",
];

fn words(random: &mut Random, program: &str, flags: &[&str], operands: &[&str]) -> String {
    let mut words = vec![program];
    for _ in 0..=random.below(4) {
        let pool = if random.one_in(3) { operands } else { flags };
        words.push(random.of(pool));
    }
    words.push(random.of(operands));
    words
        .iter()
        .map(|word| {
            if word.contains(['$', ';', '\'', '*', '(', '!', '|', ' ', '{']) {
                quoted(word)
            } else {
                (*word).to_owned()
            }
        })
        .collect::<Vec<_>>()
        .join(" ")
}

fn sed(random: &mut Random, _: &World) -> String {
    const COMMANDS: &[&str] = &[
        "p", "d", "q", "=", "n", "N;P;D", "1,3p", "$p", "/a/p", "/a/,/b/d", "s/a/b/", "s/a/b/g", "s|a|b|p",
        "s,a,b,2", "s@a@b@", "y/abc/xyz/", "/x/{p;d}", "1!G;h", "$!d", "a text", "1i\\header", ":a;N;ba",
        "/[[:alpha:]]/p", "s/[^,]*,//", "l 5", "s/[/]/p;s/e;/a/p", "/[/p;s/]/e ./evil.sh;/", "s/[^/]/p;s/w out;/a/p",
        "s/[]/]/p;s/e;/a/", "/[[:alpha:]/]/e ./evil.sh/", "e", "e ./evil.sh", "1e", "s/.*/.\\/evil.sh/e",
        "s/a/b/w out", "w out", "r .env", "R .env", "W out", "s/a\\/b/c/", "s:a:b:", "\\,a,p", "s/a/\\n/;e", "}",
        "{", "#x", "s;a;b;", "s-a-b-", "s!a!b!;w out", "/a\\/;e ./evil.sh/p", "s/[\\n]/x/", "y/[/]/;e/",
        "/[a/p;e ./evil.sh;s/]/x/", "s/[[.a.]/]/x/;e", "c\\", "i\\\nx", "b e ./evil.sh", "ta;e", "}e ./evil.sh",
        "0~2p", "2,+1p",
    ];
    const PIECES: &[&str] = &[
        "/", "[", "]", "\\", ";", "\n", "{", "}", "e", "w out", "p", "s", "1", "$", "!", "^", ",", "|", " ", "#",
        "I", "&", "y", ":", "e ./evil.sh", "[^/]", "[]/]", "[:", ":]", "r .env", "a", "M", "*", "(", "~", "+",
    ];
    let joint = random.of(&[";", "\n", ";", "", " ; "]);
    let mut script = random.some(3, COMMANDS).join(joint);
    script.push_str(random.of(COMMANDS));
    if random.one_in(2) {
        script = random.changed(&script, PIECES);
    }
    let flags = random.some(2, &["-n", "-E", "-z", "-s", "--posix", "-u", "-i", "--debug", "-nE"]).join(" ");
    let files = random.of(&["a.txt", "README.md a.txt", "*.txt", "data.csv", ".env", ""]);
    let script = match random.below(4) {
        0 => format!("-e {} -e {}", quoted(&script), quoted(random.of(COMMANDS))),
        _ => quoted(&script),
    };
    if random.one_in(4) {
        format!("cat a.txt | sed {flags} {script}")
    } else {
        format!("sed {flags} {script} {files}")
    }
}

fn awk(random: &mut Random, program: &str) -> String {
    const PROGRAMS: &[&str] = &[
        "{print $1}", "NR==1", "/a/ {print $2, NF}", "{s+=$1} END {print s}", "BEGIN{FS=\",\"} {print length($0)}",
        "!seen[$0]++", "{printf \"%s\\n\", $1}", "length > 3", "{a[$1]++} END {for (k in a) print k, a[k]}",
        "{print ($1 > 3)}", "{x = $1 / 2; print x}", "$2 ~ /^x/ {gsub(/a/, \"b\"); print}",
        "{if ($1 > 3) print; else print \"x\"}", "{for (i = 1; i <= NF; i++) print $i}", "{print NR\": \"$0}",
        "{print substr($0, 1, 3) toupper($1)}", "BEGIN{print 1.5e3}", "{print $NF; next}", "/a/,/b/", "NF",
        "{print FILENAME}", "{exit(1)}", "BEGIN{srand(1); print rand()}", "{n = split($0, p, /,/); print p[1]}",
    ];
    const PIECES: &[&str] = &[
        "system(\"./evil.sh\")", "1system(\"./evil.sh\")", "getline < \".env\"", "1getline<\".env\"",
        "\"./evil.sh\"|getline", " > \"out\"", " | \"./evil.sh\"", "/", "\"", "#", "\n", ";", "(", ")", "{", "}",
        "[", "]", "\\", "x", "1", "0x", "e", ".", "=", "~", "!", ">", "|", "@", "close(\"x\")", "ENVIRON[\"HOME\"]",
        "if(", "else ", "while(", "do ", "print ", "printf(", "$", "++", "--", "in ", "func ", "function f(a){",
        "return ", "getline", "?", ":", ",", "*", "%", "^", "/[/]/", "/\"/", "system (\"./evil.sh\")",
        "ARGV[1]=\".env\"", "print > \"out\"",
    ];
    let first = random.of(PROGRAMS);
    let mut source = random.changed(first, PIECES);
    if random.one_in(2) {
        source.push_str(random.of(&[";", " ", "\n", ""]));
        let second = random.of(PROGRAMS);
        source.push_str(&random.changed(second, PIECES));
    }
    let flags = random
        .some(
            1,
            &["-F,", "-v n=3", "-F '|'", "-f prog.sed", "--assign x=1", "-v 'x=@y'", "--version", "-F '\\t'"],
        )
        .join(" ");
    format!(
        "{program} {flags} {} {}",
        quoted(&source),
        random.of(&["a.txt", "a.txt README.md", "data.csv", "x=1 a.txt", ".env"])
    )
}

fn jq(random: &mut Random, _: &World) -> String {
    const FILTERS: &[&str] = &[
        ".", ".a", ".a[0]", "keys", ".env", ".ENV", "to_entries[] | \"\\(.key)\"", "map(.)", ".a | length",
        "[.a[] | tostring]", "input_filename", "type", "{a, env}", "paths", "..", ".a as $x | $x", "@csv",
        "has(\"a\")", "if .a then 1 else 2 end", "reduce .a[] as $x (0; 1)", "input", "def f: .a; f", "$ENV", "env",
        "$ ENV", "env.HOME", "import \"x\" as e; .", "include \"x\"; .", "import \"./.env\" as $d; $d",
        "$__prog_args", "1.env", "input_line_number", "get_search_list", "\"\\(env)\"", "modulemeta", "halt_error",
        "now", "@sh", "limit(1; .a[])",
    ];
    const PIECES: &[&str] = &[
        " ", ".", "$", "#", "\n", "\"", "(", ")", "|", "env", "ENV", "[", "]", "\\(", ",", "?", "//", "::",
        ";", "as ",
    ];
    let first = random.of(FILTERS);
    let mut filter = random.changed(first, PIECES);
    if random.one_in(2) {
        filter = format!("{filter} | {}", random.of(FILTERS));
    }
    let flags = random.some(
        2,
        &[
            "-r", "-c", "-n", "-s", "-e", "--tab", "-L .", "-f prog.sed", "--slurpfile x .env", "--rawfile x a.txt",
            "--arg x 1", "--args", "-C", "--indent 16", "--seq", "--stream", "-R",
        ],
    );
    format!(
        "jq {} {} {}",
        flags.join(" "),
        quoted(&filter),
        random.of(&["data.json", "data.json data.json", ".env", ".env.json", "8", ""])
    )
}

/// Lines that may be added to a repository's configuration.
pub(crate) const CONFIG: &[&str] = &[
    "[user]\n\tname = A\n", "[color]\n\tui = auto\n", "[diff]\n\talgorithm = histogram\n",
    "[branch \"x/y\"]\n\tremote = origin\n", "# comment\n", "# \\\n", "; \\\n",
    "[filter \"f\"]\n\tclean = ./evil.sh\n", "[filter \"f\"] clean = ./evil.sh\n",
    "[diff \"f\"]\n\ttextconv = ./evil.sh\n", "[diff \"f\"]\n\tcommand = ./evil.sh\n",
    "[diff]\n\texternal = ./evil.sh\n", "[core]\n\tfsmonitor = ./evil.sh\n", "[core]\n\tpager = ./evil.sh\n",
    "[include]\n\tpath = extra\n", "[include]\n\tpath = ../ex\n", "[include]\n\tpath = \"extra \"\n",
    "[include]\n\tpath = ~dev/project/ex\n", "[include]\n\tpath = ~/project/ex\n",
    "[include]\n\tpath = %(prefix)/x\n", "[includeIf \"gitdir:**\"]\n\tpath = extra\n", "\tx = a\\\n",
    "\tx = \"a\\\n\" \n", "[core]\n\tattributesFile = ../.netrc\n", "[core]\n\texcludesFile = ../.netrc\n",
    "[gpg]\n\tprogram = ./evil.sh\n", "[log]\n\tshowSignature = true\n", "[tag]\n\tsort = signature\n",
    "[pretty]\n\tx = %GG\n", "[alias]\n\tx = !./evil.sh\n",
    "[remote \"o\"]\n\tpromisor = true\n\turl = ext::./evil.sh\n", "[stash]\n\tshowPatch = true\n",
    "[mailmap]\n\tfile = ../.netrc\n", "[blame]\n\tignoreRevsFile = ../.netrc\n",
    "[diff]\n\torderFile = ../.netrc\n", "[submodule \"s\"]\n\turl = x\n", "[status]\n\tsubmoduleSummary = true\n",
    "[trailer \"x\"]\n\tcommand = ./evil.sh\n", "[filter.f]\nclean = ./evil.sh\n",
];
pub(crate) const CONFIG_PIECES: &[&str] = &[
    "\\", "\"", "\n", "#", ";", "[", "]", " ", "\t", "\\\n", "\r", "\\t", "=",
    "[filter \"f\"]\n\tclean = ./evil.sh\n", "\u{c}", "\u{feff}",
];

fn git(random: &mut Random, world: &World) -> String {
    const COMMANDS: &[&str] = &[
        "log", "log", "show", "show", "diff", "diff", "status", "branch", "tag", "ls-files", "ls-tree", "cat-file",
        "blame", "grep", "rev-parse", "describe", "for-each-ref", "show-ref", "reflog", "shortlog", "whatchanged",
        "diff-tree", "diff-index", "diff-files", "rev-list", "stash show", "stash list", "check-attr -a",
        "check-ignore -v", "name-rev", "merge-base", "cherry", "show-branch", "count-objects", "remote -v",
        "notes list", "--no-pager log",
    ];
    const FLAGS: &[&str] = &[
        "-p", "-s", "--stat", "--oneline", "--name-only", "--name-status", "--numstat", "-q", "--quiet", "--raw",
        "-SKEY", "-GKEY", "-S", "-G", "-L1,2:.env", "-L1,2:a.txt", "-n 3", "-3", "--all", "--graph", "--format=%H",
        "--format=%GG", "--format=%(raw)", "--format=%(refname)", "--format=%(contents)", "--sort=raw",
        "--sort=-committerdate", "--textconv", "--ext-diff", "--no-textconv", "-c", "--cc", "-m", "-U1",
        "--word-diff", "--color-words", "--check", "--", "-r", "-t", "-z", "--follow", "--cached", "-v", "-vv", "-e",
        "--batch", "--author=A", "--grep=x", "--since x", "--grep", "-i", "-l", "--list", "--contains",
        "--points-at", "-a", "--stage", "--debug", "--objects", "--summary", "--dirstat", "--output=out",
        "-O./evil.sh", "--no-index", "--full-index", "--show-signature", "--exit-code", "--decorate", "--date=short",
        "--reverse", "--patch-with-stat", "--abbrev=4", "--no-renames", "--find-renames", "-M", "--submodule=diff",
        "--ignored", "--remerge-diff",
    ];
    const WORDS: &[&str] = &[
        "HEAD", "HEAD", "HEAD~1", "main", "feature", "a.txt", "README.md", "src", ".env", "HEAD:.env", "HEAD:a.txt",
        ":.env", ":0:.env", "secret-tag", "{blob}", "{blob}^{}", "x-1-g{blob}", "{blob}^{object}", ":(glob)**",
        ":/first", "main..feature", "HEAD^{tree}", "--", "*.txt", ":!a.txt", "KEY", "stash@{0}", "@{u}", "..",
        "secret-tag^{}", "{blob}..HEAD", "HEAD^{/first}", "1,2", "8", "16",
    ];
    let command = random.of(COMMANDS);
    let mut words: Vec<String> = command.split(' ').map(str::to_owned).collect();
    for _ in 0..random.below(5) {
        let pool = if random.one_in(3) { WORDS } else { FLAGS };
        let word = random.of(pool).replace("{blob}", &world.blob);
        let is_plain = word.chars().all(|c| c.is_ascii_alphanumeric() || "-=.,/:~ ".contains(c));
        words.push(if is_plain { word } else { quoted(&word) });
    }
    if random.one_in(2) {
        let word = random.of(WORDS).replace("{blob}", &world.blob);
        words.push(quoted(&word));
    }
    let tail = if random.one_in(6) { " | head -n 5" } else { "" };
    format!("git {}{tail}", words.join(" "))
}

/// Lines of files that specify what searches skip.
pub(crate) const IGNORED: &[&str] = &[
    "!.env", "!*", "!*.md", "!.env.example", "!**/.env", "!/.env", "!src/", "*.txt", "!.e*", "![.]env", "!*/",
    "!src/.env", "\\!.env", " !.env",
];

fn rg(random: &mut Random, _: &World) -> String {
    const FLAGS: &[&str] = &[
        "-n", "-i", "-l", "-c", "--files", "-tsh", "-tall", "-tjson", "-trust", "-tmd", "-g '*.rs'", "-g .env",
        "-g '!.env'", "--iglob '*.ENV'", "--hidden", "-u", "-uu", "--no-ignore", "--pre=./evil.sh",
        "--pre ./evil.sh", "-L", "-z", "-f list", "--no-config", "-A 2", "-C 16", "-m 8", "--type-list", "-Tmd",
        "--sort path", "--json", "--hostname-bin=./evil.sh", "--ignore-file=x", "-o", "-d 2", "-e KEY",
        "--type-add 'x:*'", "-tx", "-.", "-S",
    ];
    let flags = random.some(3, FLAGS).join(" ");
    format!(
        "rg {flags} {} {}",
        random.of(&["KEY", "CANARY", "a", "."]),
        random.of(&["", ".", "src", "a.txt", ".env", "link", ".."])
    )
}

fn od(random: &mut Random, _: &World) -> String {
    const FLAGS: &[&str] = &[
        "-c", "-x", "-An", "-A x", "-t x1", "-tx1z", "-j 4", "-N 8", "-N16", "-w", "-w16", "-w 16", "--width",
        "--width 8", "--width=8", "-e", "-v", "-s", "-S 3", "-S8", "--strings", "--traditional", "-b", "-i", "-f",
        "-a", "--endian=big", "-o", "-l", "-d", "-D", "-h", "-H", "-F", "-I", "-L", "-O", "-X", "-B",
    ];
    words(random, "od", FLAGS, OPERANDS)
}

fn sort(random: &mut Random, _: &World) -> String {
    const FLAGS: &[&str] = &[
        "-n", "-r", "-u", "-k1", "-k 2", "-t,", "-t ,", "-c", "-C", "-m", "-s", "-o out", "-oout", "--output=out",
        "-T .", "-S 8", "-S 1M", "--files0-from=list", "--compress-program=./evil.sh", "--compress-prog ./evil.sh",
        "--parallel=2", "--parallel 8", "--random-source=.env", "-R", "-h", "-V", "-z", "--batch-size=2", "--check",
        "--sort=numeric", "--debug", "-nr", "-nk2", "-no out",
    ];
    words(random, "sort", FLAGS, OPERANDS)
}

fn find(random: &mut Random, _: &World) -> String {
    const FLAGS: &[&str] = &[
        "-name '*.txt'", "-type f", "-maxdepth 2", "-mtime -7", "-size +1k", "-size -8", "-print", "-print0", "-ls",
        "-delete", "-exec ./evil.sh {} +", "-exec ./evil.sh ';'", "-execdir ./evil.sh ';'", "-ok ./evil.sh ';'",
        "-fprint out", "-fls out", "-fprintf out x", "-fprint0 out", "-newer a.txt", "-newer .env", "-samefile 8",
        "-L", "-H", "-follow", "-files0-from list", "-printf '%p\\n'", "-printf %l", "-regex '.*'", "-o", "!",
        "-not", "'('", "')'", "-empty", "-quit", "-prune", "-path './src/*'", "-user root", "-newermt 2020-01-01",
        "-perm 644", "-mindepth 1", "-xdev", "-links 1", "-D exec", "-O3",
    ];
    let places = random.some(2, &[".", "src", "a.txt", "link", "..", "../.ssh", "16"]).join(" ");
    format!("find {places} {}", random.some(4, FLAGS).join(" "))
}

fn tar(random: &mut Random, _: &World) -> String {
    const FLAGS: &[&str] = &[
        "-tf", "-tvf", "tf", "tvf", "tzf", "tJf", "-tzf", "-tJf", "-xf", "-cf", "xf", "-t", "-v", "-f", "-O", "-xOf",
        "xOf", "-I ./evil.sh", "--to-command=./evil.sh", "--checkpoint=1", "--checkpoint-action=exec=./evil.sh",
        "--use-compress-program=./evil.sh", "-C src", "-T list", "-X list", "--list", "--file=a.tar", "-z", "-J",
        "-a", "--index-file=out", "-F ./evil.sh", "--rsh-command=./evil.sh", "-g out", "--listed-incremental=out",
        "--wildcards", "-w", "--verbose", "--exclude=x", "--strip-components=1", "--full-time", "--utc", "-k", "-S",
        "--totals", "host:a.tar",
    ];
    words(random, "tar", FLAGS, OPERANDS)
}

/// Generates a file of checksums, either well-formed or malformed.
pub(crate) fn sums(random: &mut Random) -> String {
    let sum = "0".repeat(64);
    let mut text = String::new();
    for _ in 0..=random.below(3) {
        let name = random.of(&["a.txt", "a.txt", "README.md", "b.txt", ".env", "prod.key", "8", "src/.env"]);
        let line = match random.below(12) {
            0..=5 => format!("{sum}  {name}\n"),
            6 => format!("{sum} *{name}\n"),
            7 => format!("SHA256 ({name}) = {sum}\n"),
            8 => format!("  {sum}  {name}\n"),
            9 => format!("SHA256({name})= {sum}\n"),
            10 => format!("{sum}\t{name}\n"),
            _ => format!("\\{sum}  {name}\n"),
        };
        text.push_str(
            &random.changed(&line, &["\\", " ", "\t", "\r", "(", ")", "*", "SHA256 (.env) = 0", "\0", "\n"]),
        );
    }
    text
}

fn sha256sum(random: &mut Random, _: &World) -> String {
    const FLAGS: &[&str] = &[
        "-c", "-c", "--check", "--quiet", "--status", "--strict", "-w", "--ignore-missing", "-b", "--tag", "-z",
        "-t",
    ];
    words(random, "sha256sum", FLAGS, &["SUMS", "SUMS", "a.txt", "README.md", ".env", "-", "8"])
}
