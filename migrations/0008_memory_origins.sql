-- Where a memory comes from, and whether a person let it leave the folder that it comes from. Of what was remembered before,
-- the journal says it; what it does not say is a tool's, the least trusted.

ALTER TABLE memories ADD COLUMN origin TEXT NOT NULL DEFAULT 'tool'
    CHECK (origin IN ('person', 'planner', 'tool', 'command', 'file', 'page'));
ALTER TABLE memories ADD COLUMN promoted_at_ms INTEGER;
UPDATE memories SET origin =
    CASE role
        WHEN 'user' THEN 'person'
        WHEN 'assistant' THEN 'planner'
        ELSE coalesce((
            SELECT CASE
                WHEN tool = 'shell' THEN 'command'
                WHEN tool IN ('code', 'search', 'organize') THEN 'file'
                WHEN tool IN ('browser', 'web', 'fetch') THEN 'page'
                ELSE 'tool' END
            FROM events JOIN tool_executions ON call = json_extract(event, '$.call')
            WHERE events.seq = memories.id AND events.type = 'tool_finished'
        ), 'tool')
    END;

ALTER TABLE forgotten_memories ADD COLUMN origin TEXT NOT NULL DEFAULT 'tool'
    CHECK (origin IN ('person', 'planner', 'tool', 'command', 'file', 'page'));
ALTER TABLE forgotten_memories ADD COLUMN promoted_at_ms INTEGER;
UPDATE forgotten_memories SET origin =
    CASE role
        WHEN 'user' THEN 'person'
        WHEN 'assistant' THEN 'planner'
        ELSE coalesce((
            SELECT CASE
                WHEN tool = 'shell' THEN 'command'
                WHEN tool IN ('code', 'search', 'organize') THEN 'file'
                WHEN tool IN ('browser', 'web', 'fetch') THEN 'page'
                ELSE 'tool' END
            FROM events JOIN tool_executions ON call = json_extract(event, '$.call')
            WHERE events.seq = forgotten_memories.id AND events.type = 'tool_finished'
        ), 'tool')
    END;
