"""Writes a home's database anew in format 3, as an older program would have: `older.py DATABASE MIGRATIONS`."""

import os
import pathlib
import sqlite3
import sys

database, migrations = map(pathlib.Path, sys.argv[1:])
older = database.with_suffix(".older")
db = sqlite3.connect(older, isolation_level=None)
for step in sorted(migrations.glob("*.sql"))[:3]:
    db.executescript(step.read_text())
db.execute("ATTACH ? AS newer", [str(database)])


def columns(schema, table):
    return [row[1] for row in db.execute(f"PRAGMA {schema}.table_info({table})")]


tables = [name for (name,) in db.execute("SELECT name FROM main.sqlite_schema WHERE type = 'table'")]
for table in tables:
    # What the full-text index is made of is its own business, and memories had other names.
    older_columns = columns("main", table)
    if not table.startswith("memories") and set(older_columns) <= set(columns("newer", table)):
        names = ", ".join(f'"{name}"' for name in older_columns)
        db.execute(f"INSERT INTO main.{table} ({names}) SELECT {names} FROM newer.{table}")
db.executescript("""
    INSERT INTO main.memories (id, session, task, role, text, at_ms)
        SELECT id, session, task, role, text, at_ms FROM newer.memories;
    INSERT INTO main.messages SELECT id, session, id FROM newer.memories;
    INSERT INTO memories_text (memories_text) VALUES ('rebuild');
""")
(mark,) = db.execute("PRAGMA newer.application_id").fetchone()
db.executescript(f"PRAGMA application_id = {mark}; PRAGMA user_version = 3; DETACH newer; PRAGMA journal_mode = WAL")
db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
db.close()
for suffix in ("-wal", "-shm"):
    database.with_name(database.name + suffix).unlink(missing_ok=True)
os.replace(older, database)
