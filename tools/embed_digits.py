#!/usr/bin/env python3
"""Turn data/digits.csv.gz into a C array: embed_digits.py IN.csv.gz OUT.c

"Optical Recognition of Handwritten Digits", E. Alpaydin and C. Kaynak, UCI Machine Learning
Repository (1998), licence CC BY 4.0: the 1,797 digits of its test part, as scikit-learn ships them
(BSD-3-Clause). A line is 64 pixels of 0 to 16, row by row, and the label.
"""
import csv
import gzip
import io
import sys

ROWS, PIXELS = 1797, 64


def main(source, target):
    text = gzip.open(source, "rb").read().decode("ascii")
    rows = [[int(cell) for cell in row] for row in csv.reader(io.StringIO(text))]
    assert len(rows) == ROWS and all(len(row) == PIXELS + 1 for row in rows)
    assert all(0 <= pixel <= 16 for row in rows for pixel in row[:-1])
    with open(target, "w", encoding="ascii") as out:
        out.write("/* Made by tools/embed_digits.py; licence of the data: CC BY 4.0. */\n")
        out.write('#include "data/digits.h"\n\n')
        for name, cells in (("pixels", [row[:-1] for row in rows]), ("labels", [row[-1:] for row in rows])):
            out.write(f"const unsigned char qs_digits_{name}[] = {{\n")
            out.writelines(",".join(map(str, row)) + ",\n" for row in cells)
            out.write("};\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
