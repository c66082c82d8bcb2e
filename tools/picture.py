#!/usr/bin/env python3
"""Draw a run's history as SVG: loss to the left, accuracy to the right.

usage: picture.py RUN_FOLDER OUT.svg
"""
import csv
import json
import pathlib
import sys

WIDTH, HEIGHT, PANEL, TOP, LEFT = 760, 300, 300, 64, 56
COLOURS = {"": "#1f6feb", "val_": "#d2691e"}
STYLE = """<style>text{font:13px sans-serif;fill:#444}.h{font-size:15px;fill:#111}
.grid{stroke:#ddd}.line{fill:none;stroke-width:2}</style>"""


def scale(values, low, high):
    spread = (high - low) or 1
    return [(value - low) / spread for value in values]


def panel(rows, name, x0):
    series = {prefix: [float(row[prefix + name]) for row in rows]
              for prefix in COLOURS if rows[0].get(prefix + name)}
    flat = [value for values in series.values() for value in values]
    low, high = min(flat), max(flat)
    bottom = HEIGHT - 40
    parts = [f'<text class="h" x="{x0}" y="{TOP - 14}">{name}</text>']
    for share in (0, 0.5, 1):
        y = bottom - share * (bottom - TOP)
        parts.append(f'<line class="grid" x1="{x0}" x2="{x0 + PANEL}" y1="{y}" y2="{y}"/>'
                     f'<text x="{x0 - 8}" y="{y + 4}" text-anchor="end">'
                     f'{low + share * (high - low):.3f}</text>')
    for prefix, values in series.items():
        places = [f"{x0 + PANEL * i / max(1, len(values) - 1):.1f},{bottom - v * (bottom - TOP):.1f}"
                  for i, v in enumerate(scale(values, low, high))]
        parts.append(f'<polyline class="line" stroke="{COLOURS[prefix]}" '
                     f'points="{" ".join(places)}"/>')
    parts.append(f'<text x="{x0}" y="{bottom + 20}">epoch 1</text>'
                 f'<text x="{x0 + PANEL}" y="{bottom + 20}" text-anchor="end">{len(rows)}</text>')
    return parts


def caption(run):
    result = run["result"]
    parts = [f"{result['model']}: {result['params']:,} parameters, {result['device']}"]
    if result["final"].get("test_accuracy") is not None:
        parts.append(f"test accuracy {result['final']['test_accuracy']:.4f}")
    return " · ".join(parts)


def legend(rows):
    """Which line is which, where there are two."""
    if not rows[0].get("val_loss"):
        return []
    return [f'<text x="{WIDTH - 20}" y="{24 + 18 * i}" text-anchor="end" fill="{colour}" '
            f'style="fill:{colour}">{"validation" if prefix else "training"}</text>'
            for i, (prefix, colour) in enumerate(COLOURS.items())]


def main():
    folder, out = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
    rows = list(csv.DictReader((folder / "history.csv").open()))
    run = json.loads((folder / "run.json").read_text())
    body = [STYLE, '<rect width="100%" height="100%" fill="#fff"/>',
            f'<text class="h" x="{LEFT}" y="24">{caption(run)}</text>', *legend(rows),
            *panel(rows, "loss", LEFT)]
    if "accuracy" in rows[0]:
        body += panel(rows, "accuracy", LEFT + PANEL + 84)
    out.write_text(f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}">\n'
                   + "\n".join(body) + "\n</svg>\n")


if __name__ == "__main__":
    main()
