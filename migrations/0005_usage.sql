-- Tokens of plans, added up as they come by quarter of an hour, task and model: what the models cost is asked for often,
-- and was worked out from the whole journal each time.

CREATE TABLE usage (
    quarter_ms    INTEGER NOT NULL, -- when the quarter of an hour began
    task          TEXT    NOT NULL,
    model         TEXT    NOT NULL, -- empty where the backend has none
    input_tokens  INTEGER NOT NULL,
    output_tokens INTEGER NOT NULL,
    PRIMARY KEY (quarter_ms, task, model)
) STRICT, WITHOUT ROWID;

INSERT INTO usage (quarter_ms, task, model, input_tokens, output_tokens)
    SELECT at_ms / 900000 * 900000, task, ifnull(json_extract(event, '$.model'), ''),
           CAST(min(total(json_extract(event, '$.usage.input_tokens')), 9e18) AS INTEGER) AS input,
           CAST(min(total(json_extract(event, '$.usage.output_tokens')), 9e18) AS INTEGER) AS output
    FROM events WHERE type = 'planned' GROUP BY 1, 2, 3 HAVING input > 0 OR output > 0;
