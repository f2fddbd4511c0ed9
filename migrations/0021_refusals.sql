-- A refusal is about the paths that a call touches, for the rest of its task and of that task's sub-tasks.
ALTER TABLE permission_requests ADD COLUMN touches TEXT; -- JSON of the paths; NULL: none
ALTER TABLE permission_requests ADD COLUMN answered_seq INTEGER; -- the event of the answer
UPDATE permission_requests SET answered_seq = answers.seq
    FROM (SELECT json_extract(event, '$.request') AS request, min(seq) AS seq
          FROM events WHERE type = 'permission_answered' GROUP BY 1) AS answers
    WHERE answers.request = permission_requests.id AND status = 'answered';
CREATE INDEX permission_requests_touching ON permission_requests (task) WHERE touches IS NOT NULL;
CREATE INDEX events_shared_refusals ON events (task) WHERE type = 'refusal_shared';
