-- What memories mean, as vectors of a sentence model. All of it can be made again from the memories.

CREATE TABLE embedding_models (
    id          INTEGER PRIMARY KEY,
    name        TEXT    NOT NULL,
    dimension   INTEGER NOT NULL CHECK (dimension > 0),
    is_current  INTEGER NOT NULL CHECK (is_current IN (0, 1)),
    outdated_to INTEGER NOT NULL, -- embeddings up to this id are to be made again
    center      BLOB, -- the mean of the vectors, once there are enough of them for codes
    UNIQUE (name, dimension)
) STRICT;
CREATE UNIQUE INDEX embedding_model_current ON embedding_models (is_current) WHERE is_current = 1;

-- Ids are never used twice, so that what came since an id is what is above it.
CREATE TABLE embeddings (
    id     INTEGER PRIMARY KEY AUTOINCREMENT,
    memory INTEGER NOT NULL UNIQUE,
    model  INTEGER NOT NULL,
    code   BLOB -- a bit for each number of the vector: whether it is above that of the center
) STRICT;
CREATE INDEX embeddings_of_model ON embeddings (model, id);

-- Apart from the codes, which are read together.
CREATE TABLE embedding_vectors (
    id     INTEGER PRIMARY KEY, -- of the embedding
    vector BLOB NOT NULL -- little-endian floats of 32 bits; its length is 1
) STRICT;

-- Memories that no vector was made for yet. What tools said is found by its words alone.
CREATE TABLE pending_embeddings (
    memory   INTEGER PRIMARY KEY,
    attempts INTEGER NOT NULL DEFAULT 0
) STRICT;
INSERT INTO pending_embeddings (memory) SELECT id FROM memories WHERE role <> 'tool';
