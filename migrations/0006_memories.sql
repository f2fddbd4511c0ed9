-- A memory is named by the event that said it, knows the folder of its task, and can be edited and forgotten. What was
-- said in a session is its memories, so there is no other list of that.

DROP TABLE memories_text;
ALTER TABLE memories RENAME TO unnamed_memories;

CREATE TABLE memories (
    id           INTEGER PRIMARY KEY, -- the event that said it
    session      TEXT    NOT NULL,
    task         TEXT    NOT NULL,
    workspace    TEXT    NOT NULL,
    role         TEXT    NOT NULL CHECK (role IN ('user', 'assistant', 'tool')),
    at_ms        INTEGER NOT NULL,
    edited_at_ms INTEGER,
    text         TEXT    NOT NULL
) STRICT;
INSERT INTO memories (id, session, task, workspace, role, at_ms, text)
    SELECT messages.seq, said.session, said.task, tasks.workspace, said.role, said.at_ms, said.text
    FROM messages JOIN unnamed_memories AS said ON said.id = messages.memory JOIN tasks ON tasks.id = said.task
    ORDER BY messages.seq;
DROP TABLE messages;
DROP TABLE unnamed_memories;
CREATE INDEX memories_of_session ON memories (session, id);
CREATE INDEX memories_of_task ON memories (task, id);
CREATE INDEX memories_of_workspace ON memories (workspace, id);
CREATE INDEX memories_by_text ON memories (substr(text, 1, 64)); -- finds what says the very same

-- The full-text index over memories; it holds no copy of the text. Rows are written by `memories.rs`. What is taken out
-- of it leaves no word behind.
CREATE VIRTUAL TABLE memories_text USING fts5 (
    text, content = 'memories', content_rowid = 'id', tokenize = 'unicode61 remove_diacritics 2'
);
INSERT INTO memories_text (memories_text, rank) VALUES ('secure-delete', 1);
INSERT INTO memories_text (memories_text) VALUES ('rebuild');

-- What was forgotten: all of a memory but its text, and the event that had it forgotten.
CREATE TABLE forgotten_memories (
    id           INTEGER PRIMARY KEY,
    session      TEXT    NOT NULL,
    task         TEXT    NOT NULL,
    workspace    TEXT    NOT NULL,
    role         TEXT    NOT NULL CHECK (role IN ('user', 'assistant', 'tool')),
    at_ms        INTEGER NOT NULL,
    edited_at_ms INTEGER,
    forgotten_by INTEGER NOT NULL
) STRICT;
CREATE INDEX forgotten_memories_together ON forgotten_memories (forgotten_by);

-- What a person did with the memories of a task.
CREATE INDEX events_of_memories ON events (task, seq)
    WHERE type IN ('memory_edited', 'memory_forgotten', 'memory_restored');
