-- Paired devices, and the nonces of the answers that they signed. Nothing is deleted: a revoked device stays known.

CREATE TABLE devices (
    number        INTEGER PRIMARY KEY, -- order of pairing
    id            TEXT    NOT NULL UNIQUE,
    name          TEXT    NOT NULL,
    scopes        TEXT    NOT NULL,    -- JSON list of DeviceScope
    sign_key      BLOB    NOT NULL,    -- P-256, uncompressed point
    seal_key      BLOB,                -- P-256, uncompressed point
    paired_at_ms  INTEGER NOT NULL,
    last_seen_ms  INTEGER,
    revoked_at_ms INTEGER
) STRICT;

CREATE TABLE answer_nonces (
    nonce   TEXT    PRIMARY KEY,
    device  TEXT    NOT NULL,
    request TEXT    NOT NULL,
    at_ms   INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
