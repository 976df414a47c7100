-- Vectors of memories and turns, for recall by meaning. The floats are the truth; the chunks are what a search reads:
-- the same vectors in one byte a dimension, a few hundred of one user side by side.

-- Which model the vectors come from. The last row is the one that counts; the vectors of an earlier one are removed.
CREATE TABLE vector_spaces (
  space_no INTEGER PRIMARY KEY AUTOINCREMENT,
  model TEXT NOT NULL,
  dimension INTEGER NOT NULL,
  -- Vectors in a full chunk.
  chunk_slots INTEGER NOT NULL,
  -- Vectors and chunks below these numbers belong to an earlier model.
  first_vector INTEGER NOT NULL,
  first_chunk INTEGER NOT NULL,
  -- Every turn up to this id has its vector or needs none.
  turns_to INTEGER NOT NULL DEFAULT 0
);

CREATE TABLE vector_users (
  user_no INTEGER PRIMARY KEY REFERENCES users(user_no),
  -- Vectors of the present model.
  vectors INTEGER NOT NULL DEFAULT 0,
  -- Raised when chunks vanish; what was read before is worth nothing then.
  epoch INTEGER NOT NULL DEFAULT 0,
  -- Raised with every chunk that is written; the chunk keeps the number.
  version INTEGER NOT NULL DEFAULT 0,
  -- Raised when vectors leave the tail.
  tail_version INTEGER NOT NULL DEFAULT 0,
  -- Newer vectors are the tail: they are in no chunk yet.
  flushed_to INTEGER NOT NULL DEFAULT 0
);

CREATE TABLE vectors (
  vector_no INTEGER PRIMARY KEY AUTOINCREMENT,
  user_no INTEGER NOT NULL REFERENCES users(user_no),
  id TEXT NOT NULL,
  kind INTEGER NOT NULL,
  conversation_id TEXT,
  who TEXT,
  time INTEGER NOT NULL,
  -- SHA-256 of the text that was embedded, so that the same text need not be embedded twice.
  text_hash BLOB,
  -- float32, little-endian, a unit vector.
  floats BLOB NOT NULL
);
CREATE UNIQUE INDEX vectors_id ON vectors(user_no, id);
CREATE INDEX vectors_user ON vectors(user_no);
CREATE INDEX vectors_text ON vectors(user_no, text_hash) WHERE text_hash IS NOT NULL;

-- The vectors first_vector … of one user up to the next chunk, without those that were removed. `used` of 0: merged
-- into the chunk before, or all of it removed.
CREATE TABLE vector_chunks (
  chunk_no INTEGER PRIMARY KEY AUTOINCREMENT,
  user_no INTEGER NOT NULL REFERENCES users(user_no),
  version INTEGER NOT NULL,
  first_vector INTEGER NOT NULL,
  used INTEGER NOT NULL,
  -- Number, time, filters, scale and error of each vector: 44 bytes a slot.
  facts BLOB NOT NULL,
  -- int8, padded to a multiple of 32 dimensions.
  codes BLOB NOT NULL
);
CREATE INDEX vector_chunks_version ON vector_chunks(user_no, version);
CREATE INDEX vector_chunks_first ON vector_chunks(user_no, first_vector);

-- The space in which a memory has its vector; 0, or an earlier one, when it has none of the present model.
ALTER TABLE memories ADD COLUMN vector_space INTEGER NOT NULL DEFAULT 0;
CREATE INDEX memories_vector_space ON memories(vector_space);
CREATE TRIGGER memories_reworded AFTER UPDATE OF text ON memories WHEN new.text <> old.text AND new.vector_space <> 0
BEGIN
  UPDATE memories SET vector_space = 0 WHERE row = new.row;
END;
