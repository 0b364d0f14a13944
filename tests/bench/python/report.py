# SPDX-License-Identifier: LGPL-2.1-or-later
"""report.py: a run as text and as JSON."""

import datetime
import json
import os
import platform
import subprocess

import figures
import processes
import targets


def commit(top):
    done = subprocess.run(["git", "-C", str(top), "describe", "--always", "--dirty"], check=False, stdout=subprocess.PIPE,
                          stderr=subprocess.DEVNULL, text=True)
    return done.stdout.strip() or "unknown"


def processor():
    with open("/proc/cpuinfo", encoding="utf-8") as file:
        names = [line.split(":", 1)[1].strip() for line in file if line.startswith("model name")]
    return names[0] if names else platform.machine()


def describe(options, top):
    return {"rows": options.rows, "runs": options.runs, "round_seconds": options.round_seconds, "commit": commit(top),
            "cflags": compiler_flags(options.build), "processors": os.cpu_count(), "processor": processor(),
            "kernel": platform.release(), "began": datetime.datetime.now(datetime.timezone.utc).isoformat(timespec="seconds"),
            "load": os.getloadavg()[0]}


def compiler_flags(build):
    text = (build / "Makefile").read_text(encoding="utf-8")
    return next((line.split("=", 1)[1].strip() for line in text.splitlines() if line.startswith("CFLAGS =")), "")


def show_series(store, rounds, write=print):
    """For every workload and variant: the time of a unit, its ratio to the first variant, and processor times."""
    units = {title: None for title, _ in rounds.series}
    for title in units:
        variants = {label: series for (workload, label), series in rounds.series.items() if workload == title}
        first = next(iter(variants.values()))
        write(f"\n{store}: {title}")
        for label, series in variants.items():
            whole = figures.figure(series)
            us, ratio = whole["us"], figures.ratio(series, first)
            servers = "".join(f"  {name} {cpu['median']:.2f}" for name, cpu in whole["servers"].items())
            write(f"  {label:<22} {us['median']:>10.2f} µs ({us['low']:.2f}–{us['high']:.2f})".ljust(56)
                  + f"  ×{ratio['median']:<7.2f} p50 {whole['p50']['median']:>9.1f}  p99 {whole['p99']['median']:>9.1f}"
                  + f"  CPU µs: client {whole['cpu']['median']:.2f}{servers}")


def collect(meta, stores, lines, memory, more):
    all_figures = {f"{store}: {title}: {label}": figures.figure(series)
                   for store, rounds in stores.items() for (title, label), series in rounds.series.items()}
    return {"meta": meta, "lines": lines, "figures": all_figures, "memory": memory, **more}


def save(result, path):
    with open(path, "w", encoding="utf-8") as file:
        json.dump(result, file, indent=1)
        file.write("\n")


def load(path):
    with open(path, encoding="utf-8") as file:
        result = json.load(file)
    for line in result["lines"]:
        if "work" in line:  # a run of an earlier version
            line["workload"] = line.pop("work")
    return result


def show_memory(memory, write=print):
    write("\npeak memory, MiB: " + ", ".join(f"{name} {mib:.0f}" for name, mib in memory.items()))


def show_comparison(old, new, write=print):
    """Returns the number of regressions."""
    try:
        worse = figures.got_worse(old, new)
    except ValueError as reason:
        raise processes.Failure(f"no comparison: {reason}") from None
    write(f"\ncompared with the run of {old['meta']['began']} ({old['meta']['commit']}): "
          + (f"{len(worse)} worse beyond the spread" if worse else "nothing worse beyond the spread"))
    for what, before, now in worse:
        write(f"  {what}: {before:.3g} → {now:.3g}")
    return len(worse)


def show_all(result, stores, write=print):
    for store, rounds in stores.items():
        show_series(store, rounds, write)
    show_memory(result["memory"], write)
    write("")
    targets.show(result["lines"], write)
