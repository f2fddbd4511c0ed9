#!/bin/sh
# Scans COUNT small files (100,000) and compares the time with `fd --type f | xargs -P2 b3sum` on the same tree, three
# times each in turn. The best time of each counts. IN is the folder for the tree. Needs fd (fd-find) and b3sum.
set -eu
cd "$(dirname "$0")/.."
fd=$(command -v fdfind || command -v fd || true)
if [ -z "$fd" ] || ! command -v b3sum >/dev/null; then
    echo "error: fd and b3sum are needed; on Debian: apt-get install fd-find b3sum" >&2
    exit 1
fi
scan=$(scripts/run_bench.sh --path scan_bench)
tree=$(mktemp -d "${IN:-/tmp}/deputy-scan-XXXXXX")
trap 'rm -rf "$tree"' EXIT
"$scan" "$tree" "${COUNT:-100000}"
find "$tree" -type f -exec touch -t 202501010000 {} +

results=$tree.results
trap 'rm -rf "$tree" "$results"' EXIT
for _ in 1 2 3; do
    start=$(date +%s%N)
    "$fd" --type f . "$tree" --print0 | xargs -0 -P2 b3sum >/dev/null
    end=$(date +%s%N)
    echo "b3sum $(((end - start) / 1000))" >>"$results"
    start=$(date +%s%N)
    "$scan" "$tree" >"$results.scan"
    end=$(date +%s%N)
    echo "scan $(((end - start) / 1000))" >>"$results"
done
cat "$results.scan"
rm -f "$results.scan"
awk '
    !($1 in best) || $2 < best[$1] { best[$1] = $2 }
    END { printf "fd | xargs -P2 b3sum: %.2f s, scan: %.2f s, ratio %.2f\n", best["b3sum"] / 1e6, best["scan"] / 1e6, best["scan"] / best["b3sum"] }
' "$results"
