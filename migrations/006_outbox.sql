-- What a vector index outside of this file (a mirror, such as Milvus) must still be told. Nothing is noted before a
-- mirror was attached; from then on every process notes what it changes, also one that knows of no mirror. What is noted
-- is that a vector has changed, never how, so that no text is kept here and the same note can be acted on twice.

-- The mirror; no row: there is none.
CREATE TABLE vector_mirror (
  mirror_no INTEGER PRIMARY KEY CHECK (mirror_no = 1),
  -- Address, database and collection, without anything secret.
  target TEXT NOT NULL,
  -- How rows of this file are told from those of others.
  store_id TEXT NOT NULL,
  -- Vectors after fill_from up to fill_to have not been noted yet: the first filling.
  fill_from INTEGER NOT NULL,
  fill_to INTEGER NOT NULL,
  -- 1: what it holds is not known, and is to be compared with the record first.
  unknown INTEGER NOT NULL DEFAULT 0,
  -- The process that applies changes, and until when (milliseconds since the epoch).
  owner TEXT,
  owned_until INTEGER
);

-- Vectors that have changed, each once, at its latest change.
CREATE TABLE vector_outbox (
  change_no INTEGER PRIMARY KEY AUTOINCREMENT,
  user_no INTEGER NOT NULL,
  id TEXT NOT NULL,
  -- Milliseconds since the epoch.
  noted_at INTEGER NOT NULL,
  -- 1: somebody began to apply it; when it is taken again the mirror may hold rows that nobody knows of.
  begun INTEGER NOT NULL DEFAULT 0,
  -- When it was applied; it stays for some seconds, until the mirror is sure to show it.
  applied_at INTEGER
);
CREATE UNIQUE INDEX vector_outbox_vector ON vector_outbox(user_no, id);
CREATE INDEX vector_outbox_user ON vector_outbox(user_no, change_no);
CREATE INDEX vector_outbox_waiting ON vector_outbox(change_no, noted_at) WHERE applied_at IS NULL;
CREATE INDEX vector_outbox_applied ON vector_outbox(applied_at) WHERE applied_at IS NOT NULL;

-- Under which of its own ids the mirror holds a vector.
CREATE TABLE vector_rows (
  vector_no INTEGER PRIMARY KEY,
  row_id INTEGER NOT NULL
);

-- Rows of the mirror that have to go, once nothing waits for the same id: the new one comes before the old one goes.
CREATE TABLE vector_gone (
  user_no INTEGER NOT NULL,
  id TEXT NOT NULL,
  row_id INTEGER NOT NULL,
  PRIMARY KEY (user_no, id, row_id)
) WITHOUT ROWID;

CREATE TRIGGER vector_outbox_added AFTER INSERT ON vectors WHEN EXISTS (SELECT 1 FROM vector_mirror) BEGIN
  INSERT OR REPLACE INTO vector_outbox (user_no, id, noted_at, begun)
    VALUES (new.user_no, new.id, CAST(unixepoch('subsec') * 1000 AS INTEGER),
      coalesce((SELECT begun FROM vector_outbox WHERE user_no = new.user_no AND id = new.id AND applied_at IS NULL), 0));
END;
CREATE TRIGGER vector_outbox_removed AFTER DELETE ON vectors WHEN EXISTS (SELECT 1 FROM vector_mirror) BEGIN
  INSERT OR REPLACE INTO vector_outbox (user_no, id, noted_at, begun)
    VALUES (old.user_no, old.id, CAST(unixepoch('subsec') * 1000 AS INTEGER),
      coalesce((SELECT begun FROM vector_outbox WHERE user_no = old.user_no AND id = old.id AND applied_at IS NULL), 0));
  INSERT OR IGNORE INTO vector_gone (user_no, id, row_id)
    SELECT old.user_no, old.id, row_id FROM vector_rows WHERE vector_no = old.vector_no;
  DELETE FROM vector_rows WHERE vector_no = old.vector_no;
END;
-- Other programs read the whole memory in the mirror, so every change of it counts.
CREATE TRIGGER vector_outbox_edited AFTER UPDATE ON memories
  WHEN EXISTS (SELECT 1 FROM vector_mirror)
    AND (old.text IS NOT new.text OR old.memory_type IS NOT new.memory_type OR old.category IS NOT new.category
      OR old.key IS NOT new.key OR old.value IS NOT new.value OR old.tags IS NOT new.tags
      OR old.conversation_id IS NOT new.conversation_id OR old.who IS NOT new.who
      OR old.occurred_at IS NOT new.occurred_at OR old.created_at IS NOT new.created_at
      OR old.updated_at IS NOT new.updated_at OR old.confidence IS NOT new.confidence
      OR old.source IS NOT new.source OR old.importance IS NOT new.importance
      OR old.access_count IS NOT new.access_count OR old.last_accessed IS NOT new.last_accessed
      OR old.valid_from IS NOT new.valid_from OR old.valid_to IS NOT new.valid_to
      OR old.superseded_by IS NOT new.superseded_by OR old.suspect_reason IS NOT new.suspect_reason
      OR old.suspect_since IS NOT new.suspect_since OR old.source_turn_ids IS NOT new.source_turn_ids
      OR old.external_id IS NOT new.external_id OR old.metadata IS NOT new.metadata)
    AND EXISTS (SELECT 1 FROM vectors WHERE user_no = new.user_no AND id = new.id) BEGIN
  INSERT OR REPLACE INTO vector_outbox (user_no, id, noted_at, begun)
    VALUES (new.user_no, new.id, CAST(unixepoch('subsec') * 1000 AS INTEGER),
      coalesce((SELECT begun FROM vector_outbox WHERE user_no = new.user_no AND id = new.id AND applied_at IS NULL), 0));
END;
