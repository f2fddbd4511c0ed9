-- The answers to requests in the order in which they were given, so that a call that waits to be asked about finds the
-- ones since it last looked without a walk through the journal.
CREATE INDEX events_answers ON events (seq) WHERE type = 'permission_answered';
