#!/usr/bin/env python3
"""Measures the themes of `matesolve report --themes` on a collection with keywords.

    python3 benches/tuning/themes.py COLLECTION.jsonl [--program PATH] [--draw N] [--misses NAME]

Each line of the collection is an object with `id`, `fen`, `stipulation` and `keywords`. Prints, for each name: the labelled
problems, how many of them are claimed (recall), and how many of 300 two-movers without this label, drawn by a fixed seed,
are claimed. `--draw N` prints N claims, drawn by a fixed seed and divided among the names, to be read by hand. `--misses
NAME` prints the ids of labelled problems that are not claimed, and of others that are. `--speed` also measures the two-movers
alone, on two threads.
"""

import argparse
import collections
import json
import random
import subprocess
import tempfile
import time

SEED = 52
SAMPLE = 300

# Other spellings of the names in collections.
SPELLINGS = {"King plus-flight": "King plus flight", "Pin mate": "Pin mates", "Two flights giving key": "2 flights giving key",
             "Changed mate": "Changed mates", "Lačný": "Lacny"}


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
    parser.add_argument("--misses", action="append", default=[])
    parser.add_argument("--speed", action="store_true")
    given = parser.parse_args()
    problems = [json.loads(line) for line in open(given.collection)]
    problems = [it for it in problems if it["stipulation"].startswith("#") and int(it["stipulation"][1:]) <= given.longest]
    reports, seconds = run(given.program, problems, ["--themes", "--threads", "2", "--time", "10s"])
    claims = {name: {theme["name"] for theme in report["themes"]} for name, report in reports.items()}
    small = {name.lower(): name for found in claims.values() for name in found}
    spelled = lambda word: small.get(SPELLINGS.get(word, word).lower(), word)
    labels = {it["id"]: {spelled(word) for word in it["keywords"] or []} for it in problems}
    print(f"{len(reports)} of {len(problems)} problems in {seconds:.1f} s")
    if given.speed:
        two = [it for it in problems if it["stipulation"] == "#2"]
        for options in (["--phases", "--themes"], ["--tries", "--set-play"]):
            start = run(given.program, two, [*options, "--threads", "2"])[1]
            print(f"{len(two)} two-movers with {' '.join(options)}: {len(two) / start:.0f} a second")
    two = sorted(it["id"] for it in problems if it["stipulation"] == "#2" and it["id"] in claims)
    names = collections.Counter(name for found in claims.values() for name in found)
    names.update({name: 0 for found in labels.values() for name in found if name in names})
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
        draw(given.draw, reports, labels)


def draw(count, reports, labels):
    """Prints claims, the same number for each name as far as there are enough."""
    by_name = collections.defaultdict(list)
    for name in sorted(reports):
        for theme in reports[name]["themes"]:
            by_name[theme["name"]].append((name, theme))
    chance = random.Random(SEED)
    for claims in by_name.values():
        chance.shuffle(claims)
    drawn, at = [], 0
    while len(drawn) < count and any(len(claims) > at for claims in by_name.values()):
        drawn += [claims[at] for _, claims in sorted(by_name.items()) if len(claims) > at]
        at += 1
    for name, theme in sorted(drawn[:count], key=lambda it: (it[1]["name"], it[0])):
        mark = "*" if theme["name"] in labels[name] else " "
        print(f"\n{mark} {name}  {reports[name]['position']['fen']}\n    {theme['text']}")
        for retest in theme["evidence"]:
            print(f"    - {retest['change']}: {retest['uci'] or ''} {'yes' if retest['holds'] else 'no'}  {retest['fen']}")


if __name__ == "__main__":
    main()
