-- What was put down to be remembered, as a fact or as a preference about one subject. A newer preference takes the place of an older
-- one about the same; which one holds is looked up, so that forgetting the newer brings back the older.

ALTER TABLE memories ADD COLUMN kind TEXT NOT NULL DEFAULT 'said' CHECK (kind IN ('said', 'fact', 'preference'));
ALTER TABLE memories ADD COLUMN about TEXT; -- of a preference, in lower case
ALTER TABLE forgotten_memories ADD COLUMN kind TEXT NOT NULL DEFAULT 'said' CHECK (kind IN ('said', 'fact', 'preference'));
ALTER TABLE forgotten_memories ADD COLUMN about TEXT;
CREATE INDEX memories_about ON memories (about, id) WHERE about IS NOT NULL;
CREATE INDEX memories_kept ON memories (id) WHERE kind <> 'said';
