#!/usr/bin/env python3
"""Measures the themes of `matesolve report --themes` on a collection with keywords.

    python3 benches/tuning/themes.py COLLECTION.jsonl [--program PATH] [--draw N [--seed S] [--more NAME=K]] [--misses NAME]

Each line of the collection is an object with `id`, `fen`, `stipulation` and `keywords`. Prints, for each name: the labelled
problems, how many of them are claimed (recall), and how many of 300 two-movers without this label, drawn by a fixed seed,
are claimed. `--draw N` prints N claims to be read by hand: drawn by the seed, the same number for each name as far as there
are enough, with the board after the key, the phases, the moves and the re-tests; `--more NAME=K` draws at least K claims of a
name. `--reasons N` prints N reasons why tries of two-movers fail, the same number for each motif as far as there are enough.
`--misses NAME` prints the ids of labelled problems that are not claimed, and of others that are. `--speed` also measures the two-movers
alone, on two threads.
"""

import argparse
import collections
import json
import pathlib
import random
import subprocess
import tempfile
import time

SEED = 52
SAMPLE = 300

# Other spellings of the names in collections.
SPELLINGS = {"King plus-flight": "King plus flight", "Pin mate": "Pin mates", "Two flights giving key": "2 flights giving key",
             "Changed mate": "Changed mates", "Lačný": "Lacny", "BK star": "King star flight", "Star Black King": "King star flight",
             "White underpromotion": "Underpromotion"}


# The definitions; each heading of the third level is a name.
PAGE = pathlib.Path(__file__).parents[2] / "docs/themes.md"


def defined():
    """Returns the names of all themes."""
    return [line[4:].strip() for line in PAGE.read_text().splitlines() if line.startswith("### ")]


def run(program, problems, options):
    """Returns the reports by id, and the seconds."""
    with tempfile.NamedTemporaryFile("w", suffix=".jsonl") as file:
        for problem in problems:
            file.write(json.dumps({key: problem[key] for key in ("id", "fen", "stipulation")}) + "\n")
        file.flush()
        start = time.monotonic()
        command = [program, "report", file.name, "--format", "jsonl", "-q", *options]
        lines = subprocess.run(command, capture_output=True, text=True).stdout.splitlines()
        seconds = time.monotonic() - start
    reports = [json.loads(line) for line in lines]
    return {report["id"]: report for report in reports if report.get("themes") is not None}, seconds


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("collection")
    parser.add_argument("--program", default="target/release/matesolve")
    parser.add_argument("--longest", type=int, default=3, help="the longest problems, in moves")
    parser.add_argument("--draw", type=int, default=0)
    parser.add_argument("--seed", type=int, default=SEED, help="the seed of the draw")
    parser.add_argument("--more", action="append", default=[], metavar="NAME=K")
    parser.add_argument("--reasons", type=int, default=0)
    parser.add_argument("--misses", action="append", default=[])
    parser.add_argument("--speed", action="store_true")
    given = parser.parse_args()
    problems = [json.loads(line) for line in open(given.collection)]
    problems = [it for it in problems if it["stipulation"].startswith("#") and int(it["stipulation"][1:]) <= given.longest]
    reports, seconds = run(given.program, problems, ["--tries", "--set-play", "--themes", "--threads", "2", "--time", "10s"])
    claims = {name: {theme["name"] for theme in report["themes"]} for name, report in reports.items()}
    small = {name.lower(): name for name in defined()}
    spelled = lambda word: small.get(SPELLINGS.get(word, word).lower(), word)
    labels = {it["id"]: {spelled(word) for word in it["keywords"] or []} for it in problems}
    print(f"{len(reports)} of {len(problems)} problems in {seconds:.1f} s")
    if given.speed:
        two = [it for it in problems if it["stipulation"] == "#2"]
        for options in (["--full"], ["--tries", "--set-play"]):
            start = run(given.program, two, [*options, "--threads", "2"])[1]
            print(f"{len(two)} two-movers with {' '.join(options)}: {len(two) / start:.0f} a second")
    if given.reasons:
        two = [it for it in problems if it["stipulation"] == "#2"]
        for reason in reasons(run(given.program, two, ["--full", "--threads", "2"])[0], given.reasons, given.seed):
            show(*reason)
    two = sorted(it["id"] for it in problems if it["stipulation"] == "#2" and it["id"] in claims)
    names = collections.Counter({name: 0 for name in defined()})
    names.update(name for found in claims.values() for name in found)
    print(f"\n{'name':30} labels found recall | claimed of {SAMPLE} unlabelled two-movers | claims in all")
    for name in sorted(names, key=lambda it: (-sum(it in found for found in labels.values()), it)):
        labelled = [it for it in labels if name in labels[it] and it in claims]
        found = sum(name in claims[it] for it in labelled)
        others = [it for it in two if name not in labels[it]]
        sample = random.Random(SEED).sample(others, min(SAMPLE, len(others)))
        fired = sum(name in claims[it] for it in sample)
        recall = f"{100 * found / len(labelled):5.0f} %" if labelled else "      -"
        print(f"{name:30} {len(labelled):6} {found:5} {recall} | {fired:4} {100 * fired / max(1, len(sample)):5.1f} % | {names[name]}")
    for name in given.misses:
        missed = [it for it in labels if name in labels[it] and it in claims and name not in claims[it]]
        extra = [it for it in claims if name in claims[it] and name not in labels[it]]
        print(f"\n{name}: missed {' '.join(missed)}\n  not labelled {' '.join(extra[:40])}")
    if given.draw:
        more = dict(pair.split("=") for pair in given.more)
        drawn = draw(given.draw, given.seed, {name: int(least) for name, least in more.items()}, reports)
        print(f"\n{len(drawn)} claims of {len({theme['name'] for _, theme in drawn})} names, seed {given.seed}")
        for name, theme in drawn:
            show(name, reports[name], theme, "labelled" if theme["name"] in labels[name] else "")


def draw(count, seed, least, reports):
    """Returns claims by id: of each name as many as `least` says, then one of each name in turn."""
    by_name = collections.defaultdict(list)
    for name in sorted(reports):
        for theme in reports[name]["themes"]:
            by_name[theme["name"]].append((name, theme))
    chance = random.Random(seed)
    for _, claims in sorted(by_name.items()):
        chance.shuffle(claims)
    taken = {name: min(least.get(name, 0), len(claims)) for name, claims in by_name.items()}
    while sum(taken.values()) < count and any(taken[name] < len(claims) for name, claims in by_name.items()):
        fewest = min(taken[name] for name, claims in by_name.items() if taken[name] < len(claims))
        for name, claims in sorted(by_name.items()):
            if taken[name] == fewest < len(claims) and sum(taken.values()) < count:
                taken[name] += 1
    return [claim for name, claims in sorted(by_name.items()) for claim in claims[:taken[name]]]


def reasons(reports, count, seed):
    """Returns reasons why tries fail, in the form of claims."""
    found = []
    for name in sorted(reports):
        for row in reports[name].get("phases_table", {"rows": []})["rows"]:
            for failure in row.get("failures", []):
                text = f"1.{row['first']['san']}? 1...{failure['refutation']['san']}! {failure['motif']} on {failure['square']}"
                mate = failure["mate"]
                text += f", else 2.{mate['san']}" if mate else ", else not possible"
                theme = {"name": failure["motif"], "phases": ["try"], "text": text, "evidence": [failure["evidence"]]}
                found.append((name, theme))
    print(f"\n{len(found)} reasons: {collections.Counter(theme['name'] for _, theme in found).most_common()}")
    drawn = draw(count, seed, {}, {name: {"themes": [theme for other, theme in found if other == name]} for name in sorted(reports)})
    return [(name, reports[name], theme, "") for name, theme in drawn]


def show(name, report, theme, note):
    """Prints a claim: its problem, the board, the phases, the moves and the re-tests."""
    fen = report["position"]["fen"]
    print(f"\n=== {theme['name']} | {name} {note}\n{fen}")
    ranks = fen.split()[0].split("/")
    for number, rank in zip(range(8, 0, -1), ranks):
        squares = "".join("." * int(sign) if sign.isdigit() else sign for sign in rank)
        print(f"    {number} {' '.join(squares)}")
    print("      a b c d e f g h")
    print(f"  {'; '.join(theme['phases'])} | {theme['text']}")
    for retest in theme["evidence"]:
        move = f" {retest['uci']} mates" if retest["uci"] else ""
        print(f"  - {retest['change']}:{move} {'yes' if retest['holds'] else 'no'}  {retest['fen']}")


if __name__ == "__main__":
    main()
