"""Checks the answers of `economy` on a collection of problems (JSON lines with `fen` and `stipulation`).

    python3 benches/tuning/economy.py COLLECTION.jsonl [--program PATH] [--seed 51] [--checked 200] [--improved 500]

Of sound #2, every answer about a man is compared with a report on the diagram without the man. Then it counts the problems
that have a version with fewer or weaker men, the same key and the same variations (`--keep variations`).
"""

import argparse
import json
import random

from workbench import board, run, verdict, written


def without(fen, square):
    men = board(fen)
    del men["abcdefgh".index(square[0]), int(square[1]) - 1]
    parts = written(men, fen).split()
    return " ".join([parts[0], fen.split()[1], fen.split()[2], "-"])


def economy(program, entry, *more):
    out = run(program, "economy", entry["fen"], "-s", entry["stipulation"], "--format", "json", *more)
    return json.loads(out) if out else None


def is_confirmed(program, entry, key, man):
    """Whether a report on the diagram without the man says the same."""
    try:
        sound, keys = verdict(program, without(entry["fen"], man["square"]), entry["stipulation"])
    except (json.JSONDecodeError, KeyError, TypeError):
        return man["verdict"] in ("illegal", "key fails")
    moves = [move["uci"] for move in man["moves"]]
    match man["verdict"]:
        case "superfluous":
            return sound == "sound" and keys == [key]
        case "cook":
            return sound == "cooked" and key in keys and moves[0] in keys and moves[0] != key
        case "short":
            return sound == "short_solution"
        case "key fails":
            return key not in keys
        case "illegal":
            return sound not in ("sound", "cooked")
    return False


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("collection")
    parser.add_argument("--program", default="target/release/matesolve")
    parser.add_argument("--seed", type=int, default=51)
    parser.add_argument("--checked", type=int, default=200)
    parser.add_argument("--improved", type=int, default=500)
    args = parser.parse_args()
    with open(args.collection, encoding="utf-8") as lines:
        entries = [json.loads(line) for line in lines]
    entries = [entry for entry in entries if entry["stipulation"] == "#2"]
    random.Random(args.seed).shuffle(entries)
    problems = answers = wrong = superfluous = 0
    improved = moved_back = sound = checked = 0
    for entry in entries:
        if sound == args.improved:
            break
        answer = economy(args.program, entry, "--keep", "variations")
        if answer is None:
            continue
        sound += 1
        better = [it for it in answer["proposals"] if not it["changes"][0].startswith("Move")]
        improved += bool(better)
        moved_back += bool(answer["proposals"]) and not better
        if answer["proposals"] and checked < 50:
            checked += 1
            best = answer["proposals"][0]
            word, keys = verdict(args.program, best["fen"], "#2")
            if word != "sound" or keys != [best["keys"][0]["uci"]]:
                print("wrong version", entry["id"], best["fen"])
        if problems == args.checked:
            continue
        problems += 1
        answer = economy(args.program, entry)
        key = answer["key"]["uci"]
        for man in answer["men"]:
            answers += 1
            superfluous += man["verdict"] == "superfluous"
            if not is_confirmed(args.program, entry, key, man):
                wrong += 1
                print("not confirmed", entry["id"], man)
    print(f"{problems} problems, {answers} answers, {superfluous} men can go, {wrong} not confirmed")
    print(f"{improved} of {sound} problems have a version with fewer or weaker men, {moved_back} more with a pawn further back; {checked} checked")


if __name__ == "__main__":
    main()
