-- How a task ended says how many of its requests were denied, and whether all that it changed was undone. What open tasks
-- say is derived from their journal when the home is opened; older journals do not say what was left after an undo.
UPDATE tasks SET status = NULL WHERE finished = 0;
UPDATE tasks SET state = json_set(
    state,
    '$.denied',
    (SELECT count(*) FROM permission_requests
     WHERE task = tasks.id AND json_extract(choice, '$.choice') = 'deny'),
    '$.undone',
    json('false')
) WHERE finished = 1;
