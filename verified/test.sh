#!/usr/bin/env bash
# Tests the checker: its moves against known counts and against the moves of shakmaty, and its answers to the
# certificates in `problems/certificates/`. LEGAL_MOVES names another command that prints positions with their moves.
set -euo pipefail
cd "$(dirname "$0")"
failed=0
fail() {
    printf 'FAILED: %s\n' "$*"
    failed=1
}

# The counts are those of the Chess Programming Wiki, "Perft Results".
perft() {
    local found
    found="$(./check --perft "$2" "$3")"
    if [ "$found" != "$1" ]; then fail "perft $2 of $3: $found instead of $1"; fi
}
perft 197281 4 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1'
perft 97862 3 'r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq -'
perft 674624 5 '8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - -'
perft 9467 3 'r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq -'
perft 62379 3 'rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ -'
printf 'perft: 5 positions\n'

scratch="$(mktemp -d)"
trap 'rm -rf "$scratch"' EXIT
read -ra legal_moves <<<"${LEGAL_MOVES:-cargo run --quiet --locked --manifest-path ../Cargo.toml --example legal_moves --}"
"${legal_moves[@]}" 10000 >"$scratch/expected"
cut -f1 "$scratch/expected" | ./check --moves >"$scratch/found"
diff "$scratch/expected" "$scratch/found" || fail 'the legal moves of these positions differ'
if [ "$(wc -l <"$scratch/found")" -ne 10000 ]; then fail 'not all positions were compared'; fi

# Files that a checker may refuse have code 0 in the table; this one refuses exact mates.
folder=../problems/certificates
files=0
while IFS='|' read -r _ name code _; do
    name="${name//[\` ]/}"
    code="${code// /}"
    if [ "${name#exact}" != "$name" ]; then code=3; fi
    found=0
    words="$(./check "$folder/$name")" || found=$?
    if [ "$found" != "$code" ]; then fail "$name: code $found instead of $code ($words)"; fi
    # The words of other programs differ, but they name the position.
    fen="$(sed -n 's/^position //p' "$folder/${name%.gz}")"
    if [ "$code" = 0 ] && [[ "$words" != "verified: "*" holds: $fen"* ]]; then fail "$name: it says: $words"; fi
    files=$((files + 1))
done < <(grep -E '^\| `[^`]*` \| [0-9]+ \|' "$folder/README.md")
printf 'certificates: %s files\n' "$files"
if [ "$files" -lt 40 ]; then fail 'the table of certificates was not read'; fi

# A wide line and a file of random bytes: the checker must end in an orderly way.
{
    printf 'matesolve certificate 2\nposition 5Kbk/6pp/6P1/8/8/8/8/7R w - - 0 1\nstipulation #2\nclaim solved in 2\n'
    printf 'proof solved in 2\nh1h6\n'
    head -c 65535 /dev/zero | tr '\0' '#'
    printf '\nend 7 00000000\n'
} >"$scratch/wide"
head -c 100000 /dev/urandom >"$scratch/bytes"
expect() {
    local found=0
    ./check "$2" >"$scratch/words" || found=$?
    if [ "$found" != "$1" ]; then fail "$2: code $found instead of $1: $(head -c 200 "$scratch/words")"; fi
}
expect 6 "$scratch/wide"
expect 3 "$scratch/bytes"
exit "$failed"
