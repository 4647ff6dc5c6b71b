"""Writes the figures of the last runs as Markdown. Called by `run` after each comparison. The law: a ratio is the
median of those of the rounds, with the least and the greatest; what was not measured says so."""
import json
import statistics
import textwrap

import plots
import tables

HEAD = """# Ours beside its peers

Written by `tests/bench/compare/run`; not by hand. A ratio is our time divided by the peer's: below 1, ours is quicker.
In each round ours is measured and the peer right after it, on the same processor; a ratio is the median of those of all
rounds, with the least and the greatest behind it. Absolute times are an aside: they are this machine's, of that moment.
"""

SCALE = "how a turn of ours grows"
SCALE_TEXT = ("`cargo bench -p tests --bench scale`, without a peer. Each series is a whole turn in which one "
              "thing grows. A size that no longer fits into the processor's own cache costs more for each: that is the "
              "step at the end of some series.")


def short(number):
    """Three digits."""
    return f"{number:,.0f}" if number >= 100 else f"{number:.1f}" if number >= 10 else f"{number:.2f}"


def small(number):
    return short(number) if number >= 1 else f"{number:.3g}"


def spread(ratios):
    return f"{small(statistics.median(ratios))} ({small(min(ratios))}..{small(max(ratios))})"


def row(work, peer, lines):
    missing = next((it["missing"] for it in lines if "missing" in it), None)
    if missing:
        return f"| {work} | {peer} | MISSING: {missing.replace('|', '/')} | | |"
    ours, theirs = ([it[key] for it in lines] for key in ("ours_ns", "peer_ns"))
    ratio = spread([a / b for a, b in zip(ours, theirs)])
    return f"| {work} | {peer} | {ratio} | {short(statistics.median(ours))} | {short(statistics.median(theirs))} |"


def section(name, table, path):
    title = f"\n## {name}: {table.title}\n\n{textwrap.fill(table.text, 120)}\n"
    if not path.exists():
        return title + "\nNot measured yet.\n"
    head, *lines = map(json.loads, path.read_text().splitlines())
    machine = head["machine"]
    rounds = max((it.get("round", 0) + 1 for it in lines), default=0)
    told = place(machine, f"{rounds} rounds{', quick' if machine['quick'] else ''}")
    groups = {}
    for line in lines:
        groups.setdefault((line["work"], line["peer"]), []).append(line)
    rows = [row(*key, group) for key, group in groups.items()]
    headline = f"| work | peer | ours / peer | ours, {table.unit} | peer, {table.unit} |\n|---|---|---|---|---|\n"
    measured = {key: [it["ours_ns"] / it["peer_ns"] for it in group]
                for key, group in groups.items() if "missing" not in group[0]}
    shown = plots.ratios(name, table.title, measured)
    return f"{title}\n{told}.\n\n{headline}" + "\n".join(rows) + f"\n\n{shown}\n"


def place(machine, rounds):
    """When and where it was measured."""
    return (f"{machine['date']}, commit {machine['commit']}, {machine['model']}, {machine['cores']} cores, "
            f"Linux {machine['kernel']}, {rounds}")


def scale(path):
    title = f"\n## scale: {SCALE}\n\n{textwrap.fill(SCALE_TEXT, 120)}\n"
    if not path.exists():
        return title + "\nNot measured yet.\n"
    kept = json.loads(path.read_text())
    return f"{title}\n{place(kept['machine'], 'medians of 5 passes')}.\n\n{kept['text']}\n\n{plots.growth(kept['text'])}\n"


def document(figures):
    parts = [section(name, table, figures / f"{name}.jsonl") for name, table in tables.TABLES.items()]
    parts.append(scale(figures / "scale.json"))
    return HEAD + "".join(parts)
