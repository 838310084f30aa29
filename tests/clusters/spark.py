#!/usr/bin/env python3
"""Runs a batch on Apache Spark in local mode: `rdd.pipe` gives each partition to one `matesolve batch -`.

The results of two workers must be those of a single run without Spark: the same lines with the same contents, except
for the times. `matesolve merge` must find them complete. The script then prints how long one worker and two workers
take, T1 and T2, and the efficiency of two workers: T1 / (2 T2). If the processors have other work, the shortest times
say more than the medians.

    pip install 'pyspark>=3.5,<4'       # needs Java 8, 11 or 17
    MATESOLVE=target/release/matesolve python3 tests/clusters/spark.py --repeat 5 problems/*.epd

The exit code is 1 if a result differs.
"""

import argparse
import json
import os
import shlex
import statistics
import subprocess
import sys
import tempfile
import time

from pyspark import SparkConf, SparkContext

MATESOLVE = os.path.abspath(os.environ.get("MATESOLVE", "target/debug/matesolve"))


def arguments():
    parser = argparse.ArgumentParser(description="Runs a batch on Spark and compares it with a single run.")
    parser.add_argument("files", nargs="+", help="problems, one in each line")
    parser.add_argument("--options", default="--nodes 20k", help="for `matesolve batch`, in one word; no limit of time")
    parser.add_argument("--partitions", type=int, default=16, help="the number of partitions of the input")
    parser.add_argument("--repeat", type=int, default=1, help="the number of timed runs with one and with two workers")
    return parser.parse_args()


def batch(path, options):
    """The command for a batch, as words."""
    return [MATESOLVE, "batch", path, "--threads", "1", "--hash", "64M", "--format", "jsonl", "-q", *shlex.split(options)]


def command(options):
    """The command for one partition. Exit codes 3, 4 and 5 are about single problems and no failure of the task."""
    run = shlex.join(batch("-", options))
    return shlex.join(["sh", "-c", f"{run}; case $? in 0|3|4|5) exit 0;; *) exit 1;; esac"])


def on_spark(context, path, options, partitions):
    """Solves the problems of a file and returns the results as JSON lines, each with its line number in the file."""
    lines = context.textFile(path, minPartitions=partitions).zipWithIndex()
    problems = lines.filter(lambda line: line[0].strip() and line[0].lstrip()[0] not in "#%")
    # A run counts its lines from the start of its partition. It prints one result for each problem, in their order.
    results = problems.map(lambda line: line[0]).pipe(command(options), env=dict(os.environ), checkCode=True)
    return results.zip(problems.map(lambda line: line[1] + 1)).map(numbered).collect()


def numbered(result_and_line):
    """Returns a result with the number of its line in the whole input."""
    text, line = result_and_line
    return json.dumps({**json.loads(text), "line": line}, ensure_ascii=False)


def start(workers):
    """Starts Spark on this machine with this number of workers."""
    conf = SparkConf().setMaster(f"local[{workers}]").setAppName("matesolve")
    conf.set("spark.driver.host", "localhost").set("spark.ui.enabled", "false").set("spark.ui.showConsoleProgress", "false")
    context = SparkContext(conf=conf)
    context.setLogLevel("ERROR")
    return context


def single_run(path, options):
    """Solves the problems without Spark. Returns the results and the time in seconds."""
    started = time.monotonic()
    run = subprocess.run(batch(path, options), stdout=subprocess.PIPE, text=True, check=False)
    if run.returncode not in (0, 3, 4, 5):
        sys.exit(f"the single run ended with exit code {run.returncode}")
    return run.stdout.splitlines(), time.monotonic() - started


def without_time(text):
    """Returns a result without its time."""
    result = json.loads(text)
    result["stats"]["time_ms"] = None
    result["stats"].pop("found_at", None)
    return result


def compare(folder, path, single, spark):
    """Checks that the results are complete and are those of the single run. Ends the script if they are not."""
    parts = os.path.join(folder, "spark.jsonl")
    with open(parts, "w", encoding="utf-8") as file:
        file.writelines(f"{line}\n" for line in spark)
    merge = subprocess.run([MATESOLVE, "merge", parts, "--input", path], capture_output=True, text=True, check=False)
    if merge.returncode != 0:
        sys.exit(f"the results are not complete: {merge.stderr}")
    merged = merge.stdout.splitlines()
    for expected, found in zip(single, merged):
        if without_time(expected) != without_time(found):
            sys.exit(f"a result differs.\nsingle run: {expected}\nSpark:      {found}")
    if len(single) != len(merged):
        sys.exit(f"the single run has {len(single)} results, Spark {len(merged)}")


def main():
    options = arguments()
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "problems.epd")
        with open(path, "w", encoding="utf-8") as out:
            for name in options.files:
                with open(name, encoding="utf-8") as file:
                    out.write(file.read())
        single, seconds = single_run(path, options.options)
        print(f"single run: {len(single)} results in {seconds:.1f} s")
        times = {1: [], 2: []}
        for _ in range(options.repeat):
            for workers, measured in times.items():
                context = start(workers)
                context.parallelize(range(workers), workers).pipe("cat").count()  # starts the workers
                started = time.monotonic()
                spark = on_spark(context, path, options.options, options.partitions)
                measured.append(time.monotonic() - started)
                context.stop()
                compare(folder, path, single, spark)
    print(f"Spark: {len(single)} equal results in every run")
    for workers, measured in times.items():
        print(f"workers {workers}: " + ", ".join(f"{seconds:.1f}" for seconds in measured) + " s")
    for name, average in (("median", statistics.median), ("shortest", min)):
        one, two = average(times[1]), average(times[2])
        print(f"{name}: {one:.1f} s and {two:.1f} s, efficiency of two workers {one / (2 * two):.2f}")


if __name__ == "__main__":
    main()
