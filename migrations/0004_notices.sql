-- What a person is to be told of, and how far that has come. Rows are written with the event that they come from; one that
-- needs nothing more is deleted.

CREATE TABLE notices (
    number   INTEGER PRIMARY KEY, -- in which order they came
    id       TEXT    NOT NULL UNIQUE, -- of the request, the question, or the task that ended
    task     TEXT    NOT NULL,
    kind     TEXT    NOT NULL CHECK (kind IN ('request', 'question', 'ended')),
    text     TEXT    NOT NULL,
    at_ms    INTEGER NOT NULL,
    standing TEXT    NOT NULL CHECK (standing IN ('to_tell', 'telling', 'told', 'to_withdraw'))
) STRICT;
CREATE INDEX notices_of_task ON notices (task);

-- What waits already was told by the program before this one.
INSERT INTO notices (id, task, kind, text, at_ms, standing)
    SELECT id, task, 'request', json_extract(request, '$.summary'), created_at_ms, 'told'
    FROM permission_requests WHERE status = 'open' ORDER BY created_at_ms, id;
INSERT INTO notices (id, task, kind, text, at_ms, standing)
    SELECT id, task, 'question', json_extract(question, '$.text'), created_at_ms, 'told'
    FROM questions WHERE status = 'open' ORDER BY created_at_ms, id;
