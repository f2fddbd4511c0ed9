-- A task may be a sub-task: a call of another task handed it over.
ALTER TABLE tasks ADD COLUMN parent_task TEXT; -- NULL: a person did
ALTER TABLE tasks ADD COLUMN parent_call TEXT;
CREATE INDEX tasks_by_parent ON tasks (parent_task) WHERE parent_task IS NOT NULL;
