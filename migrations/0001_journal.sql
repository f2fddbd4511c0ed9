-- The journal and the readable tables that are written in the same transaction as the event they come from.
-- Times are milliseconds since the Unix epoch; columns named after a word of the protocol hold its JSON.

CREATE TABLE sessions (
    id            TEXT PRIMARY KEY,
    created_at_ms INTEGER NOT NULL,
    updated_at_ms INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE tasks (
    number        INTEGER PRIMARY KEY, -- order of creation
    id            TEXT    NOT NULL UNIQUE,
    session       TEXT    NOT NULL,
    goal          TEXT    NOT NULL,
    profile       TEXT    NOT NULL,
    backend       TEXT    NOT NULL,
    workspace     TEXT    NOT NULL,
    state         TEXT    NOT NULL,    -- JSON of TaskState
    finished      INTEGER NOT NULL,    -- 1 once the state is `stopped`
    tokens        INTEGER NOT NULL,
    created_at_ms INTEGER NOT NULL,
    updated_at_ms INTEGER NOT NULL
) STRICT;
CREATE INDEX tasks_unfinished ON tasks (number) WHERE finished = 0;

CREATE TABLE events (
    seq   INTEGER PRIMARY KEY, -- global, rising, without gaps
    task  TEXT    NOT NULL,
    at_ms INTEGER NOT NULL,
    type  TEXT    NOT NULL,
    event TEXT    NOT NULL,    -- JSON of TaskEvent
    chain BLOB    NOT NULL     -- BLAKE3 of this event and the chain before it
) STRICT;
CREATE INDEX events_of_task ON events (task, seq);

CREATE TABLE messages (
    seq     INTEGER PRIMARY KEY, -- the event that said it
    session TEXT    NOT NULL,
    memory  INTEGER NOT NULL     -- what was said
) STRICT;
CREATE INDEX messages_of_session ON messages (session, seq, memory);

CREATE TABLE tool_executions (
    call           TEXT PRIMARY KEY,
    task           TEXT NOT NULL,
    tool           TEXT NOT NULL,
    planned_at_ms  INTEGER NOT NULL,
    effect         TEXT,
    decision       TEXT,
    risk           TEXT,
    summary        TEXT,
    digest         TEXT,
    started_at_ms  INTEGER,
    finished_at_ms INTEGER,
    duration_ms    INTEGER,
    status         TEXT,
    exit_code      INTEGER,
    result         TEXT
) STRICT, WITHOUT ROWID;
CREATE INDEX tool_executions_of_task ON tool_executions (task);

CREATE TABLE permission_requests (
    id             TEXT    PRIMARY KEY,
    task           TEXT    NOT NULL,
    call           TEXT    NOT NULL,
    request        TEXT    NOT NULL, -- JSON of PermissionRequest
    created_at_ms  INTEGER NOT NULL,
    expires_at_ms  INTEGER NOT NULL,
    status         TEXT    NOT NULL CHECK (status IN ('open', 'answered', 'withdrawn')),
    choice         TEXT,             -- JSON of Choice
    answerer       TEXT,             -- JSON of Answerer
    closed_at_ms   INTEGER
) STRICT, WITHOUT ROWID;
CREATE INDEX permission_requests_open ON permission_requests (task, created_at_ms) WHERE status = 'open';

CREATE TABLE questions (
    id             TEXT    PRIMARY KEY,
    task           TEXT    NOT NULL,
    question       TEXT    NOT NULL, -- JSON of Question
    created_at_ms  INTEGER NOT NULL,
    status         TEXT    NOT NULL CHECK (status IN ('open', 'answered', 'withdrawn')),
    answer         TEXT,
    closed_at_ms   INTEGER
) STRICT, WITHOUT ROWID;
CREATE INDEX questions_open ON questions (task, created_at_ms) WHERE status = 'open';

CREATE TABLE grants (
    number        INTEGER PRIMARY KEY, -- order of creation
    id            TEXT    NOT NULL UNIQUE,
    workspace     TEXT    NOT NULL,
    task          TEXT,                -- the task it ends with
    "grant"       TEXT    NOT NULL,    -- JSON of Grant as it was given
    expires_at_ms INTEGER,
    revoked_at_ms INTEGER
) STRICT;
CREATE INDEX grants_unrevoked ON grants (number) WHERE revoked_at_ms IS NULL;
CREATE INDEX grants_of_task ON grants (task) WHERE task IS NOT NULL;

CREATE TABLE memories (
    id      INTEGER PRIMARY KEY,
    session TEXT    NOT NULL,
    task    TEXT    NOT NULL,
    role    TEXT    NOT NULL CHECK (role IN ('user', 'assistant', 'tool')),
    text    TEXT    NOT NULL,
    at_ms   INTEGER NOT NULL
) STRICT;

-- The full-text index over memories; it holds no copy of the text. Rows are written by `memories.rs`.
CREATE VIRTUAL TABLE memories_text USING fts5 (
    text, content = 'memories', content_rowid = 'id', tokenize = 'unicode61 remove_diacritics 2'
);

CREATE TABLE commands (
    id      TEXT    PRIMARY KEY,
    outcome TEXT    NOT NULL, -- JSON of CommandOutcome
    at_ms   INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
