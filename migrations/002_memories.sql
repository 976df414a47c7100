-- Long-term memories (specification 000 and the design, §2), their history, and the full-text index over them.

CREATE TABLE memories (
  -- user_no * 2^32 + a sequence number of that user: everything of one user is one range of rows.
  row INTEGER PRIMARY KEY,
  user_no INTEGER NOT NULL REFERENCES users(user_no),
  id TEXT NOT NULL,
  memory_type TEXT NOT NULL,
  text TEXT NOT NULL,
  category TEXT NOT NULL,
  key TEXT,
  value TEXT,
  tags TEXT NOT NULL DEFAULT '[]',
  conversation_id TEXT,
  who TEXT,
  occurred_at DATETIME NOT NULL,
  created_at DATETIME NOT NULL,
  updated_at DATETIME NOT NULL,
  confidence REAL NOT NULL,
  source TEXT NOT NULL,
  importance INTEGER NOT NULL,
  access_count INTEGER NOT NULL DEFAULT 0,
  last_accessed DATETIME,
  valid_from DATETIME NOT NULL,
  valid_to DATETIME,
  superseded_by TEXT,
  suspect_reason TEXT,
  suspect_since DATETIME,
  source_turn_ids TEXT NOT NULL DEFAULT '[]',
  external_id TEXT,
  metadata TEXT,
  -- Number of terms in memories_fts: the document length of BM25.
  term_count INTEGER NOT NULL
);
CREATE UNIQUE INDEX memories_id ON memories(user_no, id);
CREATE UNIQUE INDEX memories_external ON memories(user_no, external_id, coalesce(conversation_id, ''))
  WHERE external_id IS NOT NULL;
-- Lists are paged, counted and filtered by type and category without a look at the records.
CREATE INDEX memories_newest ON memories(user_no, updated_at DESC, id, valid_to, superseded_by, category, memory_type);
CREATE INDEX memories_past ON memories(user_no, valid_to, superseded_by)
  WHERE valid_to IS NOT NULL OR superseded_by IS NOT NULL;
CREATE INDEX memories_conversation ON memories(user_no, conversation_id) WHERE conversation_id IS NOT NULL;
CREATE INDEX memories_key ON memories(user_no, key) WHERE key IS NOT NULL;
CREATE INDEX memories_superseded ON memories(user_no, superseded_by) WHERE superseded_by IS NOT NULL;
CREATE INDEX memories_suspect ON memories(user_no) WHERE suspect_reason IS NOT NULL;

-- Edits, oldest first. The text after an edit is the text before the next one, or the present text, so no text
-- is kept twice; a line without previous_text left the text as it was.
CREATE TABLE memory_history (
  line_no INTEGER PRIMARY KEY AUTOINCREMENT,
  memory_row INTEGER NOT NULL REFERENCES memories(row),
  event TEXT NOT NULL,
  previous_text TEXT,
  created_at DATETIME NOT NULL
);
CREATE INDEX memory_history_memory ON memory_history(memory_row, line_no);

-- What BM25 needs to know of a user's memories as a whole; kept by the triggers.
CREATE TABLE memory_totals (
  user_no INTEGER PRIMARY KEY REFERENCES users(user_no),
  memories INTEGER NOT NULL,
  terms INTEGER NOT NULL
);
CREATE TRIGGER memories_added AFTER INSERT ON memories BEGIN
  INSERT INTO memory_totals (user_no, memories, terms) VALUES (new.user_no, 1, new.term_count)
    ON CONFLICT (user_no) DO UPDATE SET memories = memories + 1, terms = terms + excluded.terms;
END;
CREATE TRIGGER memories_removed AFTER DELETE ON memories BEGIN
  UPDATE memory_totals SET memories = memories - 1, terms = terms - old.term_count WHERE user_no = old.user_no;
END;
CREATE TRIGGER memories_resized AFTER UPDATE OF term_count ON memories WHEN old.term_count <> new.term_count BEGIN
  UPDATE memory_totals SET terms = terms + new.term_count - old.term_count WHERE user_no = new.user_no;
END;

-- The terms of a memory (room `text`), one blank between two, each repeated as often as it occurs. The tokenizer
-- takes everything but white space and control characters as part of a term. The table keeps its content and deletes
-- securely, so that nothing stays of a removed memory.
CREATE VIRTUAL TABLE memories_fts USING fts5(
  terms,
  tokenize = "ascii tokenchars '!""#$%&()*+,-./:;<=>?@[\]^_`{|}~'"
);
INSERT INTO memories_fts (memories_fts, rank) VALUES ('secure-delete', 1);
