"""Compares a result with double precision, row by row, within docs/numerics.md: check_rows.py EXPRESSION INPUT OUTPUT"""

import sys

import numpy as np
import pyarrow.parquet as parquet

import expressions

BATCH = 250_000


def fault(name, source, output):
    """What is wrong, or None. Row groups of the two files may end in different rows."""
    results = parquet.read_table(output, columns=["y"])
    if results["y"].null_count:
        return f"{results['y'].null_count} rows are missing"
    row = 0
    for batch in parquet.ParquetFile(source).iter_batches(batch_size=BATCH):
        given = results["y"].slice(row, batch.num_rows).to_numpy()
        row += batch.num_rows
        if len(given) != batch.num_rows:
            break
        low, high = expressions.intervals(name, {column: batch[column].to_numpy() for column in batch.schema.names})
        wrong = np.flatnonzero(~((given >= low) & (given <= high)))
        if len(wrong):
            at = wrong[0]
            return f"row {row - batch.num_rows + at} is {given[at]}, expected is between {low[at]} and {high[at]}"
    return None if row == results.num_rows else f"it has {results.num_rows} rows; the input differs"


if __name__ == "__main__":
    found = fault(*sys.argv[1:])
    if found:
        sys.exit(f"check_rows: {sys.argv[3]}: {found}.")
