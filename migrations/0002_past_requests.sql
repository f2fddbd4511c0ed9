-- What was asked before, by time: a preview of a grant looks thirty days back.

CREATE INDEX permission_requests_by_time ON permission_requests (created_at_ms);
