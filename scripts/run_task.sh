#!/bin/sh
# Runs TASK in IN with the user's own home. Without TASK: tidies a fresh copy of samples/inbox and undoes it.
# TASK=report: writes a report about such a copy.
set -eu
cd "$(dirname "$0")/.."
deputy=target/debug/deputy
python=.venv/bin/python

# Some shells do not expand the `~` in `IN=~/Downloads`.
case "${IN:=.}" in
"~" | "~/"*) IN=$HOME${IN#"~"} ;;
esac
# Returns whether a user is at the terminal who can answer requests.
is_attended() {
    [ -t 0 ] && [ -t 1 ]
}

if [ -n "${TASK:-}" ] && [ "$TASK" != report ]; then
    exec "$deputy" run "$TASK" --in "$IN"
fi

mkdir -p .build/runs
place=$(mktemp -d "$PWD/.build/runs/$(date +%Y%m%d-%H%M%S)-XXXX")
folder=$place/inbox
cp -R samples/inbox "$folder"
chmod -R u+w "$folder"

if [ "${TASK:-}" = report ]; then
    set -- --home "$PWD/.build/home" run \
        "Find out what is in this folder, find the duplicate files, and write REPORT.md" --in "$folder"
    # Without a user, low risks count as approved.
    is_attended || set -- "$@" --yes low
    status=0
    "$deputy" "$@" || status=$?
    if [ -f "$folder/REPORT.md" ]; then
        printf '\nReport: %s\n' "$folder/REPORT.md"
    else
        printf '\nNo report was written. The folder: %s\n' "$folder" >&2
        [ "$status" != 0 ] || status=1
    fi
    exit "$status"
fi

# The organizer skips files that have just changed, such as a fresh copy.
find "$folder" -depth -exec touch -t 202610010900 {} +
# A separate trash, so that the demonstration does not show up in the user's.
export XDG_DATA_HOME="$place/data"
run() {
    "$deputy" --home "$PWD/.build/home" "$@"
}

"$python" scripts/folder.py state "$folder" >"$place/before"
printf 'Before:\n'
"$python" scripts/folder.py tree "$folder"
printf '\n$ deputy organize %s\n\n' "$folder"
if is_attended; then
    run organize "$folder" --backend offline
else
    # Without a user, the request is looked up and answered as from another terminal.
    status=0
    run organize "$folder" --backend offline >"$place/log" || status=$?
    cat "$place/log"
    request=$(sed -n 's/.* approve \(r[a-z0-9]*\).*/\1/p' "$place/log" | tail -n 1)
    if [ "$status" != 4 ] || [ -z "$request" ]; then
        echo "error: the plan was not asked about; it ended with exit code $status" >&2
        exit 1
    fi
    printf '\n$ deputy approve %s\n\n' "$request"
    run approve "$request"
    task=$(sed -n 's/^Task \(t[a-z0-9]*\).*/\1/p' "$place/log" | head -n 1)
    run follow "$task" | sed -n '/allowed at the command line/,$p'
fi
printf '\nAfter:\n'
"$python" scripts/folder.py tree "$folder"

job=$(run jobs | awk -v folder="$folder" 'index($0, folder) { print $1; exit }')
if [ -z "$job" ]; then
    echo "Nothing was changed, so there is nothing to take back."
    exit 0
fi
printf '\n$ deputy undo %s\n\n' "$job"
run undo "$job"
"$python" scripts/folder.py state "$folder" >"$place/after"
if cmp -s "$place/before" "$place/after"; then
    printf '\nTaken back: all %s files and folders are as they were, names, contents, times and permissions.\n' \
        "$(wc -l <"$place/before" | tr -d ' ')"
else
    printf '\nerror: this is not as it was:\n' >&2
    diff "$place/before" "$place/after" >&2 || true
    exit 1
fi
