"""Makes the Parquet file of the benchmark: rows_file.py ROWS FILE

Ten float32 columns, a to j, of random numbers from 0.5 to 4, which do not compress; row groups of a million rows, one of
which at a time is in memory; Snappy. The same numbers in every run.
"""

import os
import sys

import numpy as np
import pyarrow as pa
import pyarrow.parquet as parquet

NAMES = "abcdefghij"
GROUP = 1_000_000


def write(rows, path):
    """The file appears only when it is whole."""
    random = np.random.default_rng(5)
    schema = pa.schema([(name, pa.float32()) for name in NAMES])
    part = f"{path}.part"
    with parquet.ParquetWriter(part, schema, compression="snappy", use_dictionary=False) as writer:
        for first in range(0, rows, GROUP):
            count = min(GROUP, rows - first)
            columns = [random.random(count, dtype=np.float32) * np.float32(3.5) + np.float32(0.5) for _ in NAMES]
            writer.write_table(pa.table(columns, schema=schema), row_group_size=GROUP)
    os.rename(part, path)


if __name__ == "__main__":
    write(int(sys.argv[1]), sys.argv[2])
