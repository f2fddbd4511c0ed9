-- Codes have four bits for each number of a vector instead of one. They are made again from the vectors when the home is opened.
UPDATE embeddings SET code = NULL WHERE code IS NOT NULL;
UPDATE embedding_models SET center = NULL;
