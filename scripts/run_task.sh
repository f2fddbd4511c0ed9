#!/bin/sh
# Runs TASK in IN with the user's own home, or without TASK the sample task on a fresh copy of samples/inbox.
set -eu
cd "$(dirname "$0")/.."
deputy=target/release/deputy

if [ -n "${TASK:-}" ]; then
    exec "$deputy" run "$TASK" --in "${IN:-.}"
fi

mkdir -p .build/runs
folder=$(mktemp -d "$PWD/.build/runs/$(date +%Y%m%d-%H%M%S)-XXXX")/inbox
cp -R samples/inbox "$folder"
chmod -R u+w "$folder"
set -- --home "$PWD/.build/home" run \
    "Find out what is in this folder, find the duplicate files, and write REPORT.md" --in "$folder"
# Without a person to ask, what is of low risk counts as approved.
[ -t 0 ] || set -- "$@" --yes low

status=0
"$deputy" "$@" || status=$?
if [ -f "$folder/REPORT.md" ]; then
    printf '\nReport: %s\n' "$folder/REPORT.md"
else
    printf '\nNo report was written. The folder: %s\n' "$folder" >&2
    [ "$status" != 0 ] || status=1
fi
exit "$status"
