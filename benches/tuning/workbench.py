"""Measures the workbench on a collection of problems (JSON lines with `fen` and `stipulation`).

    python3 benches/tuning/workbench.py COLLECTION.jsonl [--program PATH] [--seed 51] [--two 40] [--three 15] [--moved 20]

Of sound problems one man is taken away, or put on a neighbouring square, so that the diagram is unsound and the key still
solves. `mend` is asked for ten proposals in 30 seconds. A hit is a proposal with the same key and no more men than the
published diagram.
"""

import argparse
import json
import random
import subprocess
import time


def run(program, *words):
    done = subprocess.run([program, *words], capture_output=True, text=True, check=False)
    return done.stdout


def verdict(program, fen, asked):
    found = json.loads(run(program, "report", fen, "-s", asked, "--soundness", "--format", "json", "--threads", "1"))
    return found["result"]["soundness"], [key["uci"] for key in found["keys"]]


def board(fen):
    men, rank, file = {}, 7, 0
    for c in fen.split()[0]:
        if c == "/":
            rank, file = rank - 1, 0
        elif c.isdigit():
            file += int(c)
        else:
            men[file, rank] = c
            file += 1
    return men


def written(men, fen):
    rows = []
    for rank in range(7, -1, -1):
        row, gap = "", 0
        for file in range(8):
            man = men.get((file, rank))
            if man is None:
                gap += 1
            else:
                row += (str(gap) if gap else "") + man
                gap = 0
        rows.append(row + (str(gap) if gap else ""))
    return " ".join(["/".join(rows), fen.split()[1], "-", "-"])


def spoiled(program, entry, key, moved, dice):
    """A diagram that is unsound and in which the key solves; None if there is none."""
    men = board(entry["fen"])
    places = [at for at, man in men.items() if man not in "kK"]
    dice.shuffle(places)
    for at in places:
        rest = dict(men)
        man = rest.pop(at)
        targets = [None]
        if moved:
            steps = [(x, y) for x in (-1, 0, 1) for y in (-1, 0, 1) if x or y]
            targets = [(at[0] + x, at[1] + y) for x, y in steps]
            targets = [to for to in targets if to not in men and 0 <= to[0] < 8 and 0 <= to[1] < 8]
            targets = [to for to in targets if man not in "pP" or 0 < to[1] < 7]
            dice.shuffle(targets)
        for to in targets:
            changed = dict(rest)
            if to is not None:
                changed[to] = man
            fen = written(changed, entry["fen"])
            try:
                sound, keys = verdict(program, fen, entry["stipulation"])
            except (json.JSONDecodeError, KeyError, TypeError):
                continue
            if sound != "sound" and key in keys:
                return fen
    return None


def measure(program, name, entries, count, moved, dice):
    hits, tried, rates, misses = 0, 0, [], []
    for entry in entries:
        if tried == count:
            break
        try:
            sound, keys = verdict(program, entry["fen"], entry["stipulation"])
        except (json.JSONDecodeError, KeyError, TypeError):
            continue
        if sound != "sound" or len(keys) != 1:
            continue
        fen = spoiled(program, entry, keys[0], moved, dice)
        if fen is None:
            continue
        tried += 1
        most = len(board(entry["fen"]))
        start = time.monotonic()
        out = run(program, "mend", fen, "-s", entry["stipulation"], "--key", keys[0], "--time", "30s", "--proposals", "10",
                  "--format", "json")
        seconds = time.monotonic() - start
        found = json.loads(out) if out else {"proposals": [], "tried": 0}
        rates.append((found["tried"], seconds))
        hit = any(p["kept"]["key"] and p["men"] <= most for p in found["proposals"])
        hits += hit
        if not hit:
            misses.append((entry["id"], fen, keys[0], len(found["proposals"])))
    diagrams, seconds = sum(n for n, _ in rates), sum(s for _, s in rates)
    print(f"{name}: {hits} of {tried} hit; {diagrams} diagrams in {seconds:.1f} s, {diagrams / max(seconds, 0.001):.0f} a second")
    for miss in misses:
        print("  missed", *miss)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("collection")
    parser.add_argument("--program", default="target/release/matesolve")
    parser.add_argument("--seed", type=int, default=51)
    parser.add_argument("--two", type=int, default=40)
    parser.add_argument("--three", type=int, default=15)
    parser.add_argument("--moved", type=int, default=20)
    args = parser.parse_args()
    with open(args.collection, encoding="utf-8") as lines:
        entries = [json.loads(line) for line in lines]
    dice = random.Random(args.seed)
    dice.shuffle(entries)
    of = {asked: [entry for entry in entries if entry["stipulation"] == asked] for asked in ("#2", "#3")}
    measure(args.program, "#2, a man taken away", of["#2"], args.two, False, dice)
    measure(args.program, "#2, a man moved", of["#2"][args.two * 2 :], args.moved, True, dice)
    measure(args.program, "#3, a man taken away", of["#3"], args.three, False, dice)


if __name__ == "__main__":
    main()
