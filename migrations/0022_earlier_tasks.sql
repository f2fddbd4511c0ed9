-- The ended tasks of a folder, without sub-tasks: a later task there is told about them.
CREATE INDEX tasks_ended_in ON tasks (workspace, number) WHERE parent_task IS NULL AND finished = 1;
