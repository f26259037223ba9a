"""Compares the Parquet table of a batch with its JSON report and its outputs, by pyarrow and by DuckDB.

The report does not have the inputs that were not run.
"""

import json
import os
import subprocess
import tempfile
from pathlib import Path

import duckdb
import pyarrow
import pyarrow.parquet

ROOT = Path(__file__).resolve().parents[2]
TEXT, NUMBER = pyarrow.string(), pyarrow.int64()
SCHEMA = pyarrow.schema(
    [
        pyarrow.field("input", TEXT, nullable=False),
        pyarrow.field("entry_point", TEXT),
        pyarrow.field("status", TEXT, nullable=False),
        pyarrow.field("stage", TEXT),
        pyarrow.field("shader_model", TEXT),
        pyarrow.field("input_bytes", NUMBER),
        pyarrow.field("input_hash", TEXT),
        pyarrow.field("output", TEXT),
        pyarrow.field("output_bytes", NUMBER),
        pyarrow.field("output_hash", TEXT),
        pyarrow.field("words", NUMBER),
        pyarrow.field("instructions", NUMBER),
        pyarrow.field("blocks", NUMBER),
        pyarrow.field("selectors", NUMBER),
        pyarrow.field("breakable_blocks", NUMBER),
        pyarrow.field("copied_blocks", NUMBER),
        pyarrow.field("time_us", NUMBER),
        pyarrow.field("failure_kind", TEXT),
        pyarrow.field("failure_message", TEXT),
    ]
)


def expected(shader):
    """Returns the row of a result of the report."""
    measured = shader.get("measured", {})
    counters = shader.get("structurizer", {})
    error = shader.get("error", {})
    words = shader["words"] if shader["status"] == "converted" else None
    return {
        "input": shader["input"],
        "entry_point": shader.get("entry"),
        "status": shader["status"],
        "stage": shader.get("stage"),
        "shader_model": measured.get("shader_model"),
        "input_bytes": shader["input_bytes"] if measured else None,
        "input_hash": measured.get("input_hash"),
        "output": shader.get("output"),
        "output_bytes": None if words is None else 4 * words,
        "output_hash": measured.get("output_hash"),
        "words": words,
        "instructions": measured.get("instructions"),
        "blocks": measured.get("blocks"),
        "selectors": counters.get("selectors"),
        "breakable_blocks": counters.get("breakable_blocks"),
        "copied_blocks": counters.get("copies"),
        "time_us": shader["time_us"],
        "failure_kind": error.get("kind"),
        "failure_message": error.get("message"),
    }


def compare(reader, rows, wanted):
    """Ends the program at the first difference."""
    assert len(rows) == len(wanted), f"{reader}: {len(rows)} rows, expected {len(wanted)}"
    for number, (row, want) in enumerate(zip(rows, wanted)):
        assert row == want, f"{reader}, row {number}:\n  {row}\nexpected\n  {want}"


def compare_batch(folder, name, inputs, not_run, *options):
    """Runs a batch that fails, and compares its table with its report and outputs; returns the table."""
    table, report, outputs = f"{folder}/{name}.parquet", folder / f"{name}.json", folder / name
    program = os.environ.get("TRELLIS_PROGRAM", "cargo run --quiet --bin trellis --").split()
    command = [*program, "batch", *inputs, *options]
    files = ["--output", outputs, "--parquet", table, "--report", report]
    status = subprocess.run([*command, *files], cwd=ROOT, capture_output=True).returncode
    assert status == 1, f"{name}: the batch ended with {status}"

    report = json.loads(report.read_text())
    wanted = [expected(shader) for shader in report["shaders"]]
    wanted += [dict.fromkeys(SCHEMA.names) | {"input": str(path), "status": "not-run"} for path in not_run]

    read = pyarrow.parquet.read_table(table)
    assert read.schema.equals(SCHEMA), f"pyarrow:\n{read.schema}\nexpected\n{SCHEMA}"
    compare("pyarrow", read.to_pylist(), wanted)

    query = duckdb.sql(f"SELECT * FROM '{table}'")
    types = [str(column) for column in query.types]
    assert types == ["VARCHAR" if f.type == TEXT else "BIGINT" for f in SCHEMA], types
    names = query.columns
    compare("DuckDB", [dict(zip(names, row)) for row in query.fetchall()], wanted)

    total, words = duckdb.sql(
        f"SELECT count(*), sum(words) FROM '{table}' WHERE status = 'converted'"
    ).fetchall()[0]
    totals = report["totals"]
    assert (total, words or 0) == (totals["converted"], totals["words"]), (total, words)
    for row in wanted:
        if row["output"] is not None:
            size = (outputs / row["output"]).stat().st_size
            assert size == row["output_bytes"], row
    print(f"pyarrow {pyarrow.__version__} and DuckDB {duckdb.__version__}: {len(wanted)} rows as in the report")
    return table


def main(folder):
    # Files that are not shaders, and one that does not exist.
    broken, short, manifest = (folder / "broken" / name for name in ["a.dxil", "ü \"'.dxil", "manifest.json"])
    broken.parent.mkdir()
    broken.write_text("no shader")
    short.write_text("DXBC")
    manifest.write_text('{"shaders": [{"path": "none.dxil"}]}')
    table = compare_batch(folder, "corpus", ["corpus/shaders/manifest.json", broken.parent, manifest], [])
    models = duckdb.sql(f"SELECT count(DISTINCT shader_model) FROM '{table}'").fetchall()[0][0]
    kinds = duckdb.sql(f"SELECT count(DISTINCT failure_kind) FROM '{table}'").fetchall()[0][0]
    assert models >= 5 and kinds == 2, (models, kinds)
    # The rest of a batch that stops at its first failure.
    compare_batch(folder, "late", [broken, short], [short], "--fail-fast", "--jobs", "1")


with tempfile.TemporaryDirectory() as name:
    main(Path(name))
