-- What a task does or waits for, as the next event needs it. Of the tasks that are open already it is derived from their
-- journal when the home is opened.
ALTER TABLE tasks ADD COLUMN status TEXT; -- JSON; NULL once the task has ended
