"""Descriptions of robots in the text form that the crate's examples read (`examples/text/mod.rs`).

tables.py ROBOT_TOML: prints the table of a description. `compare.py` uses it as well. Joints are in the order in which
links name them; a joint that moves no link is left out, and so is a wheel, whose value is a speed.
"""
import math
import sys
import tomllib

UNITS = {"deg": math.pi / 180, "rad": 1.0, "mm": 1e-3, "cm": 1e-2, "m": 1.0}


def si(value):
    """A number in SI, or a text with a unit."""
    if not isinstance(value, str):
        return float(value)
    for unit, factor in UNITS.items():
        if value.endswith(unit):
            return float(value.removesuffix(unit)) * factor
    return float(value)


def read(path):
    """The joints (name, lowest, highest) and links of a description, parents first."""
    with open(path, "rb") as file:
        robot = tomllib.load(file)
    links, waiting = [], dict(robot.get("links", {}))
    while waiting:
        done = {it["name"] for it in links}
        ready = [name for name, it in waiting.items() if it.get("parent") is None or it["parent"] in done]
        if not ready:
            raise ValueError(f"{path}: links without a way to the root: {list(waiting)}")
        for name in ready:
            links.append(link(name, waiting.pop(name)))
    ranges = {name: it.get("range", robot.get("defaults", {}).get("joints", {}).get("range"))
              for name, it in robot.get("joints", {}).items()}
    joints = []
    for it in links:
        if it["joint"] in ranges:
            if it["joint"] not in (name for name, _, _ in joints):
                joints.append((it["joint"], *map(si, ranges[it["joint"]])))
        else:
            it["joint"] = None
    return joints, links


def link(name, it):
    origin = it.get("origin", {})
    axis = [float(x) for x in it.get("axis", [0, 0, 1])]
    length = math.sqrt(sum(x * x for x in axis))
    return {
        "name": name,
        "parent": it.get("parent"),
        "joint": it.get("joint"),
        "at": [si(x) for x in origin.get("at", [0, 0, 0])],
        "turn": [si(x) for x in origin.get("turn", [0, 0, 0])],
        "axis": [x / length for x in axis],
        "slides": it.get("slides", False),
        "ratio": float(it.get("ratio", 1)),
        "offset": si(it.get("offset", 0)),
        "mass": si(it.get("mass", 0)),
        "centre": [si(x) for x in it.get("centre", [0, 0, 0])],
    }


def text(joints, links):
    lines = [f"joint {name} {low!r} {high!r}" for name, low, high in joints]
    for it in links:
        numbers = lambda *all: " ".join(repr(x) for x in all)
        lines.append(" ".join([
            "link", it["name"], it["parent"] or "-", it["joint"] or "-", numbers(*it["at"], *it["turn"], *it["axis"]),
            "slides" if it["slides"] else "turns", numbers(it["ratio"], it["offset"], it["mass"], *it["centre"]),
        ]))
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    print(text(*read(sys.argv[1])), end="")
