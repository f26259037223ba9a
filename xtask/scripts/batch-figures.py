#!/usr/bin/env python3
"""Measures `trellis batch`: processor time and memory, with each kind of report.

    cargo build --release --bin trellis
    python3 xtask/scripts/batch-figures.py --folder /dev/shm/figures

makes 20,000 shaders of the corpus (each with a number after its end, so that no two are equal, 200 to a
folder), and runs each configuration once per round, in turns. It prints for each the processor time (user and
system, of all threads and processes), wall time, files a second, context switches, and the maximum resident
set, all as the median of the rounds, and what each costs in addition to `plain`. On a machine with other work
only the processor times mean something, as ratios of one run. `--folder` should be in memory unless the disk is
what is measured; `--only NAME` may be repeated.
"""

import argparse
import os
import shutil
import statistics
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def make_set(folder, count):
    """Makes the shaders; returns where they are."""
    shaders = folder / f"set-{count}"
    if shaders.exists():
        return shaders
    contents = [(path.name, path.read_bytes()) for path in sorted((ROOT / "corpus/shaders").rglob("*.dxil"))]
    partial = folder / "set.partial"
    shutil.rmtree(partial, ignore_errors=True)
    for number in range(count):
        below = partial / f"{number // 200:04}"
        if number % 200 == 0:
            below.mkdir(parents=True)
        name, content = contents[number % len(contents)]
        (below / f"{number:08}_{name}").write_bytes(content + b"%08d" % number)
    partial.rename(shaders)
    return shaders


def configurations(folder):
    """Returns the arguments of each configuration, and what is done before it is timed."""
    report = lambda option, name: [option, str(folder / name)]
    cache = ["--cache", str(folder / "cache")]
    remove = lambda: shutil.rmtree(folder / "cache", ignore_errors=True)
    return {
        "plain": ([], None),
        "one thread": (["--jobs", "1"], None),
        "report": (report("--report", "report.json"), None),
        "junit": (report("--junit", "tests.xml"), None),
        "sarif": (report("--sarif", "log.sarif"), None),
        "html without details": ([*report("--html", "page.html"), "--details", "none"], None),
        "html": (report("--html", "page.html"), None),
        "parquet": (report("--parquet", "table.parquet"), None),
        "sync": (["--sync"], None),
        "isolate": (["--isolate"], None),
        # In this order: the first one fills what the second one reads.
        "cache, empty": (cache, remove),
        "cache, warm": (cache, None),
    }


def run(trellis, shaders, folder, arguments):
    """Runs a batch; returns wall time, processor time, kilobytes, context switches and the summary."""
    output = folder / "out"
    shutil.rmtree(output, ignore_errors=True)
    jobs = [] if "--jobs" in arguments else ["--jobs", "2"]
    command = [trellis, "batch", shaders, "-o", output, "--quiet", *jobs, *arguments]
    with open(folder / "summary", "wb") as summary:
        start = time.monotonic()
        process = subprocess.Popen([str(part) for part in command], stdout=summary)
        _, status, usage = os.wait4(process.pid, 0)
        wall = time.monotonic() - start
    if status != 0:
        sys.exit(f"{' '.join(map(str, command))}: status {status}")
    return {
        "wall": wall,
        "cpu": usage.ru_utime + usage.ru_stime,
        "system": usage.ru_stime,
        "memory": usage.ru_maxrss / 1024,
        "switches": usage.ru_nvcsw,
        "summary": (folder / "summary").read_text().strip(),
    }


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--trellis", type=Path, default=ROOT / "target/release/trellis")
    parser.add_argument("--folder", type=Path, required=True, help="for the shaders and the outputs")
    parser.add_argument("--files", type=int, default=20_000)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--only", action="append", help="a configuration, such as `plain`")
    arguments = parser.parse_args()
    arguments.folder.mkdir(parents=True, exist_ok=True)
    shaders = make_set(arguments.folder, arguments.files)
    chosen = {
        name: value
        for name, value in configurations(arguments.folder).items()
        if not arguments.only or name in arguments.only
    }
    results = {name: [] for name in chosen}
    for _ in range(arguments.rounds):
        for name, (options, before) in chosen.items():
            if before:
                before()
            results[name].append(run(arguments.trellis, shaders, arguments.folder, options))
    median = {
        name: {key: statistics.median(r[key] for r in runs) for key in runs[0] if key != "summary"}
        for name, runs in results.items()
    }
    print(f"{arguments.files} files, median of {arguments.rounds} rounds, {arguments.trellis}")
    print("| run | CPU s | of it system | CPU µs per file | wall s | files/s | memory MB | switches | CPU, plain = 1 |")
    print("|---|--:|--:|--:|--:|--:|--:|--:|--:|")
    plain = median.get("plain", {}).get("cpu")
    for name, m in median.items():
        ratio = f"{m['cpu'] / plain:.2f}" if plain else ""
        print(
            f"| {name} | {m['cpu']:.2f} | {m['system']:.2f} | {1e6 * m['cpu'] / arguments.files:.0f} | {m['wall']:.2f} "
            f"| {arguments.files / m['wall']:.0f} | {m['memory']:.1f} | {m['switches']:.0f} | {ratio} |"
        )
    if "plain" in median and "one thread" in median:
        ratios = [one["wall"] / two["wall"] for one, two in zip(results["one thread"], results["plain"])]
        print(f"throughput of two threads to one, each round: {', '.join(f'{r:.2f}' for r in ratios)}")
    for name, runs in results.items():
        print(f"{name}: {runs[-1]['summary']}")


main()
