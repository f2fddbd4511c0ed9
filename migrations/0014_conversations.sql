-- What a person made of a conversation. Its title is with the task that it began with; that it was put away is with the task
-- that was its newest then, so that a follow-up brings it back.
ALTER TABLE tasks ADD COLUMN title TEXT; -- NULL: what was said first
ALTER TABLE tasks ADD COLUMN archived INTEGER NOT NULL DEFAULT 0;
