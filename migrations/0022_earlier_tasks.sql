-- Finds the ended tasks of a folder, without sub-tasks, for the notes of a later task there.
CREATE INDEX tasks_ended_in ON tasks (workspace, number) WHERE parent_task IS NULL AND finished = 1;
