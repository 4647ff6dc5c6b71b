"""Pictures of the figures, drawn by `dcm-run plot`. Called by `report`. The law: a picture shows what its table tells,
over the size that grows if there are three of them, otherwise over the rounds."""
import re
import statistics

from prepare import HERE, Failed, dcm_run, do

PICTURES = HERE.parent / "results"
# Lines that can be told apart in one picture.
MOST = 9


def draw(name, title, over, columns):
    """Draws columns, each with a value for every place, or None; returns the line of Markdown that shows them."""
    places = sorted({place for values in columns.values() for place in values})
    # What has a unit of its own has a panel of its own.
    units = [unit or f"ratio {number}" for number, (_, unit) in enumerate(columns, 1)]
    head = [over] + [f"{it.replace(',', ';')} [{unit}]" for (it, _), unit in zip(columns, units)]
    lines = [[place] + [values.get(place, "") for values in columns.values()] for place in places]
    text = "\n".join(",".join(map(str, line)) for line in [head, *lines]) + "\n"
    PICTURES.mkdir(exist_ok=True)
    table = PICTURES / f"{name}.csv"
    table.write_text(text)
    picture = PICTURES / f"{name}.svg"
    try:
        do(dcm_run(), "plot", table, "--over", over, "--title", title, "--width", 800,
           "--height", 120 + 120 * len(columns), "-o", picture)
    except Failed as reason:
        return f"No picture: {reason}"
    finally:
        table.unlink()
    return f"![{title}]({PICTURES.name}/{picture.name})"


def sized(work):
    """The size in a row's name, what it counts, and the rest: `26 joints, whole turn`."""
    found = re.fullmatch(r"(\d+) (\w+?)s?(?:[,:] (.*))?", work)
    return (int(found[1]), found[2] + "s", found[3] or "") if found else None


def ratios(name, title, groups):
    """Pictures of a comparison: `groups` has the ratios of all rounds for each work and peer."""
    sizes = {it[0] for it in map(sized, (work for work, _ in groups)) if it}
    pictures = {}
    for (work, peer), values in groups.items():
        if len(sizes) > 2:
            size, over, rest = sized(work)
            columns = pictures.setdefault((rest, over), {})
            columns.setdefault((peer, ""), {})[size] = statistics.median(values)
        else:
            rest, line = ("", f"{work}: {peer}") if len(groups) <= MOST else (work, peer)
            columns = pictures.setdefault((rest, "round"), {})
            columns[line, ""] = dict(enumerate(values))
    shown = []
    for (rest, over), columns in pictures.items():
        file = re.sub(r"\W+", "-", f"{name} {rest}".strip())
        what = f"{rest}: ours / peer" if rest else f"{title}: ours / peer"
        shown.append(draw(file, what, over, columns))
    return "\n\n".join(shown)


def growth(text):
    """Pictures of the tables that the bench of scale prints."""
    shown, what, values = [], None, {}
    for line in [*text.splitlines(), ""]:
        head = re.match(r"\| (\D.*?) \| a turn, µs \|", line)
        row = re.match(r"\| (\d+) \| ([\d.]+) \|", line)
        if head:
            what, values = head[1], {}
        elif row:
            values[int(row[1])] = float(row[2])
        elif what and values:
            over = re.match(r"\w+", what)[0]
            shown.append(draw(f"scale-{over}", f"a turn with {what}", over, {("a turn", "µs"): values}))
            what = None
    return "\n\n".join(shown)
