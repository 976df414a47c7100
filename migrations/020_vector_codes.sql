-- What a search reads of each vector, a byte a dimension, lies in a row beside its floats; chunks of many vectors go.
DROP TABLE vector_chunks;
DROP TABLE vector_users;
ALTER TABLE vector_spaces DROP COLUMN chunk_slots;
ALTER TABLE vector_spaces DROP COLUMN first_chunk;
CREATE TABLE vector_codes (
  vector_no INTEGER PRIMARY KEY REFERENCES vectors(vector_no) ON DELETE CASCADE,
  user_no INTEGER NOT NULL,
  kind INTEGER NOT NULL,
  time INTEGER NOT NULL,
  -- Numbers for the names of the conversation and of who; 0 for none.
  conversation INTEGER NOT NULL,
  who INTEGER NOT NULL,
  -- The factor from a code to its component, and the bound on what that loses.
  scale REAL NOT NULL,
  error REAL NOT NULL,
  -- int8, padded to a multiple of 32 dimensions.
  codes BLOB NOT NULL
);
CREATE INDEX vector_codes_user ON vector_codes(user_no);
-- The program makes the codes of the vectors that are there.
INSERT INTO counters (name, value) SELECT 'codes_due', 1 WHERE EXISTS (SELECT 1 FROM vectors);
