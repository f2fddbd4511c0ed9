-- Tasks that wait for their turn have a place, which a person can change. Those that wait already are in the order of the
-- events that queued them: their creation, or the first time that they were let go on after they last paused.

ALTER TABLE tasks ADD COLUMN queue_rank TEXT; -- while the state is `queued`: of two, the one that is less starts first
UPDATE tasks SET queue_rank = printf('8%015x', (
    SELECT min(seq) FROM events
    WHERE task = tasks.id AND type IN ('created', 'resumed') AND seq > (
        SELECT coalesce(max(seq), 0) FROM events WHERE task = tasks.id AND type IN ('paused', 'interrupted')
    )
)) WHERE json_extract(state, '$.state') = 'queued';
CREATE UNIQUE INDEX tasks_queued ON tasks (queue_rank) WHERE queue_rank IS NOT NULL;
