-- Documents of folders that a person has made recallable, in passages. All of it can be read from the folders again, so no journal keeps it.

CREATE TABLE document_folders (
    id            INTEGER PRIMARY KEY,
    path          TEXT    NOT NULL UNIQUE, -- without links
    is_everywhere INTEGER NOT NULL CHECK (is_everywhere IN (0, 1)),
    looked_at_ms  INTEGER NOT NULL DEFAULT 0
) STRICT;

CREATE TABLE documents (
    id         INTEGER PRIMARY KEY,
    folder     INTEGER NOT NULL,
    path       TEXT    NOT NULL, -- below the folder
    size       INTEGER NOT NULL,
    changed_ns INTEGER NOT NULL,
    problem    TEXT, -- why it has no passages
    UNIQUE (folder, path)
) STRICT;

-- Passages are numbered from 2^40 on, far above any event, and never twice: memories and passages wait for their vectors in one
-- queue, and are told apart by their numbers.
CREATE TABLE passages (
    id       INTEGER PRIMARY KEY AUTOINCREMENT,
    document INTEGER NOT NULL,
    line     INTEGER NOT NULL, -- of the document, from 1
    text     TEXT    NOT NULL
) STRICT;
INSERT INTO sqlite_sequence (name, seq) VALUES ('passages', 1099511627775);
CREATE INDEX passages_of_document ON passages (document, id);
CREATE VIRTUAL TABLE passages_text USING fts5 (
    text, content = 'passages', content_rowid = 'id', tokenize = 'unicode61 remove_diacritics 2'
);
INSERT INTO passages_text (passages_text, rank) VALUES ('secure-delete', 1);

-- The vectors of memories and of passages are counted apart.
DROP INDEX embeddings_of_model;
CREATE INDEX embeddings_of_model ON embeddings (model, id, memory);

-- What was pruned comes back one by one; what was forgotten, with all that said the same.
ALTER TABLE forgotten_memories ADD COLUMN is_pruned INTEGER NOT NULL DEFAULT 0 CHECK (is_pruned IN (0, 1));
