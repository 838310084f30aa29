#!/usr/bin/env bash
# Writes what the program prints for the suites in problems/ and many options into a folder, one file for each command:
# two versions that should print the same are compared byte for byte.
#
#     tools/golden.sh target/release/matesolve old            # before a change
#     tools/golden.sh target/release/matesolve new && diff -r old new
#
# Everything runs on one thread within a number of nodes, and times are masked, so that two runs of one version print
# the same. A third argument is a folder with larger files to read too; those that are missing are left out.
set -euo pipefail
if [ "$#" -lt 2 ]; then
    echo "usage: tools/golden.sh PROGRAM FOLDER [DATA]" >&2
    exit 2
fi
program="$(realpath "$1")"
out="$(realpath -m "$2")"
data="${3:+$(realpath "$3")}"
cd "$(dirname "$0")/.."
mkdir -p "$out"

# Usage lines have the name by which the program is called.
called="$(mktemp -d)"
trap 'rm -rf "$called"' EXIT
ln -s "$program" "$called/matesolve"
program="$called/matesolve"

# Replaces times and rates of nodes, in text, JSON, CSV (after engine and nodes) and UCI.
mask() {
    sed -E -e 's/("time_ms": ?)[0-9.]+/\1T/g' -e 's#[0-9,]+ nodes( a second|\/s)#T nodes\1#g' \
        -e 's/[0-9][0-9.,]* ?(ms|s|min|h)\b/T/g' -e 's/,([a-z][a-z\/]*,[0-9]+),[0-9]+,/,\1,T,/' \
        -e 's/ (nps|time) [0-9]+/ \1 T/g' -e "s|$out|OUT|g" -e "s|${data:-no data}|DATA|g"
}

# Runs the program with these arguments. The file has what it prints, its messages and its exit code.
golden() {
    local name="$1"
    shift
    local code=0
    "$program" "$@" >"$out/$name.out" 2>"$out/$name.err" </dev/null || code=$?
    { mask <"$out/$name.out"; echo "--- messages"; mask <"$out/$name.err"; echo "--- exit code $code"; } >"$out/$name.txt"
    rm "$out/$name.out" "$out/$name.err"
}

limits=(--threads 1 --nodes)
two='5Kbk/6pp/6P1/8/8/8/8/7R w - -'
self='8/6P1/3P4/8/3R2p1/6qk/8/7K w - -'
suites=(problems/{smoke,castling,classics,en_passant,mated,quiet_keys,stalemate_traps,underpromotion,unsolvable,unsound,zugzwang}.epd)

golden version --version
golden schema schema
for topic in '' solve report batch audit popeye economy mend twins retract verify uci bench compare puzzles split join merge \
    completions man schema diagram engines; do
    # shellcheck disable=SC2086
    golden "help-${topic:-none}" help $topic
    [ -z "$topic" ] || [ "$topic" = engines ] || golden "man-$topic" man "$topic"
    [ -z "$topic" ] || [ "$topic" = engines ] || golden "long-$topic" "$topic" --help
done
for shell in bash zsh fish; do golden "completions-$shell" completions "$shell"; done

for format in text json jsonl epd csv pgn; do
    golden "solve-$format" "$two" --format "$format" "${limits[@]}" 100k
    for suite in "${suites[@]}"; do
        golden "batch-$format-$(basename "$suite" .epd)" batch "$suite" --format "$format" "${limits[@]}" 20k
    done
done
golden batch-check batch "${suites[@]}" --check "${limits[@]}" 20k
golden batch-olv batch problems/twins.olv --format jsonl "${limits[@]}" 20k
golden diagram diagram "$two"
golden moves "$two" --moves "${limits[@]}" 100k
golden lines "$two" --lines 3 --format json "${limits[@]}" 100k
for engine in race dfpn pn pvs prover bstar selective retro corridor exhaustive; do
    golden "engine-$engine" batch problems/smoke.epd --engine "$engine" --format jsonl "${limits[@]}" 5k
done

for format in text json jsonl popeye html latex olv pgn; do
    golden "report-$format" report "$two" -s '#2' --format "$format" --full "${limits[@]}" 1M
    golden "report-self-$format" report "$self" -s 's#3' --format "$format" --set-play "${limits[@]}" 100k
    golden "report-help-$format" report '8/8/8/8/8/2K5/7R/k7 b - -' -s 'h#2' --format "$format" --set-play "${limits[@]}" 100k
    golden "report-files-$format" report problems/quiet_keys.epd problems/twins.olv --format "$format" "${limits[@]}" 20k
done
golden report-soundness report problems/unsound.epd --soundness "${limits[@]}" 20k
golden report-why report "$two" -s '#2' --why Rh5 "${limits[@]}" 100k
for format in text jsonl olv; do
    golden "audit-$format" audit problems/twins.olv --format "$format" "${limits[@]}" 50k
done
for input in problems/popeye/*.inp; do
    golden "popeye-$(basename "$input" .inp)" popeye "$input"
done
for command in economy mend twins retract; do
    golden "$command" "$command" "$two" -s '#2' "${limits[@]}" 200k
    golden "$command-json" "$command" "$two" -s '#2' --format jsonl "${limits[@]}" 200k
done
for certificate in problems/*.cert problems/certificates/*.cert; do
    golden "verify-$(basename "$certificate" .cert)" verify "$certificate"
done
golden split split "$two" -s '#3' --parts 4
"$program" split "$two" -s '#3' --parts 4 >"$out/parts.epd" 2>/dev/null
"$program" batch "$out/parts.epd" --format jsonl "${limits[@]}" 100k >"$out/parts.jsonl" 2>/dev/null || true
golden join join "$out/parts.epd" "$out/parts.jsonl" --format json
rm -f "$out/parts.epd" "$out/parts.jsonl"
printf 'position fen %s\ngo mate 2\n' "$two" | "$program" uci 2>&1 | grep -v '^info depth' | mask >"$out/uci.txt"
golden bench bench

if [ -n "$data" ]; then
    head -n 300 "$data/compositions-tune.jsonl" >"$out/compositions.jsonl"
    golden data-batch batch "$out/compositions.jsonl" --format jsonl "${limits[@]}" 5k
    golden data-report report "$out/compositions.jsonl" --soundness "${limits[@]}" 5k
    golden data-audit audit "$out/compositions.jsonl" --format jsonl "${limits[@]}" 5k
    golden data-mates batch "$data/matetrack-tune300.epd" --format jsonl --any-length "${limits[@]}" 5k
    golden data-goals batch "$data/stipulations-tune.jsonl" --format jsonl "${limits[@]}" 5k
    golden data-wild batch "$data/epd-in-the-wild.epd" --format jsonl "${limits[@]}" 1k
    for collection in twins options; do
        golden "data-$collection" audit "$data/$collection-tune.olv" --format jsonl "${limits[@]}" 5k
    done
    rm "$out/compositions.jsonl"
fi
