-- What plans cost: cached tokens, tokens of thoughts and money, by the backend that answered; and how far each task's
-- to-do list is. The sums are worked out from the journal once; what plans cost then was not written down.

DROP TABLE usage;

CREATE TABLE usage (
    quarter_ms       INTEGER NOT NULL, -- when the quarter of an hour began
    task             TEXT    NOT NULL,
    backend          TEXT    NOT NULL, -- the one that answered
    model            TEXT    NOT NULL, -- empty where the backend has none
    plans            INTEGER NOT NULL,
    input_tokens     INTEGER NOT NULL,
    output_tokens    INTEGER NOT NULL,
    cached_tokens    INTEGER NOT NULL,
    reasoning_tokens INTEGER NOT NULL,
    cost_micros      INTEGER,          -- null where no price was known
    PRIMARY KEY (quarter_ms, task, backend, model)
) STRICT, WITHOUT ROWID;

INSERT INTO usage
    SELECT at_ms / 900000 * 900000, task,
           coalesce(json_extract(event, '$.backend'), (SELECT backend FROM tasks WHERE id = events.task), '') AS backend,
           ifnull(json_extract(event, '$.model'), '') AS model,
           count(*),
           CAST(min(total(json_extract(event, '$.usage.input_tokens')), 9e18) AS INTEGER) AS input,
           CAST(min(total(json_extract(event, '$.usage.output_tokens')), 9e18) AS INTEGER) AS output,
           CAST(min(total(json_extract(event, '$.usage.cached_tokens')), 9e18) AS INTEGER),
           CAST(min(total(json_extract(event, '$.usage.reasoning_tokens')), 9e18) AS INTEGER),
           NULL
    FROM events WHERE type = 'planned' GROUP BY 1, 2, 3, 4 HAVING input > 0 OR output > 0;

ALTER TABLE tasks ADD COLUMN model TEXT;
ALTER TABLE tasks ADD COLUMN cost_micros INTEGER;
ALTER TABLE tasks ADD COLUMN todo TEXT; -- JSON
