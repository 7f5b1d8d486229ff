"""One peer's work, in a process of its own: peer.py polars|duckdb EXPRESSION INPUT OUTPUT"""

import sys

import expressions


def run_polars(name, source, output):
    import polars

    column = expressions.polars_expression(name).alias("y")
    polars.scan_parquet(source).select(column).sink_parquet(output, compression="snappy")


def run_duckdb(name, source, output):
    import duckdb

    duckdb.execute(f"COPY (SELECT CAST({expressions.DUCKDB[name]} AS FLOAT) AS y FROM read_parquet('{source}')) "
                   f"TO '{output}' (FORMAT parquet, COMPRESSION snappy)")


if __name__ == "__main__":
    peer, expression, source_path, output_path = sys.argv[1:]
    {"polars": run_polars, "duckdb": run_duckdb}[peer](expression, source_path, output_path)
