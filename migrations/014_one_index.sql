-- One index for turns and memories: memories are documents of the same kind of segments as turns. The full-text table of
-- specification 000 keeps no second copy of the words, and what is new is told by one number, the document.

DROP TRIGGER memory_feed_added;
DROP TRIGGER memory_feed_changed;
DROP TRIGGER memory_feed_removed;
DROP TRIGGER memories_added;
DROP TRIGGER memories_removed;
DROP TRIGGER memories_resized;
DROP TRIGGER memories_changed;
DROP TRIGGER memories_reindexed;
DROP TRIGGER memories_written;

-- Which document of the index says what the memory is now: ascending for each user, never used again. Whatever changes in a
-- memory, but for the count of its accesses, makes a new document. Readers of what has changed follow this number, too.
ALTER TABLE memories ADD COLUMN document INTEGER NOT NULL DEFAULT 0;
UPDATE memories SET document = f.place FROM (
  SELECT memory_row, row_number() OVER (PARTITION BY user_no ORDER BY change_no) AS place FROM memory_feed
) f WHERE f.memory_row = memories.row;
UPDATE memory_feed_marks SET mark =
  (SELECT count(*) FROM memory_feed f WHERE f.user_no = memory_feed_marks.user_no AND f.change_no <= mark);
DROP TABLE memory_feed;
ALTER TABLE memories DROP COLUMN term_count;
CREATE UNIQUE INDEX memories_document ON memories(user_no, document);
-- Of use to a model of meaning only, and made anew where one is used.
DROP INDEX memories_vector_space;
-- Ascending, so that new entries fill their pages; read from its end.
DROP INDEX memories_newest;
CREATE INDEX memories_newest ON memories(user_no, updated_at, id DESC, valid_to, superseded_by, category, memory_type);

ALTER TABLE memory_totals DROP COLUMN terms;
ALTER TABLE memory_totals DROP COLUMN indexed;
ALTER TABLE memory_totals DROP COLUMN writes;
-- The number of the last document.
ALTER TABLE memory_totals ADD COLUMN documents INTEGER NOT NULL DEFAULT 0;
UPDATE memory_totals SET documents = coalesce((SELECT max(document) FROM memories m WHERE m.user_no = memory_totals.user_no), 0);

-- Documents that exist no more, until no segment names them, numbered for each user and kind.
CREATE TABLE index_holes (
  kind TEXT NOT NULL,
  user_no INTEGER NOT NULL,
  hole_no INTEGER NOT NULL,
  document INTEGER NOT NULL,
  PRIMARY KEY (kind, user_no, hole_no)
) WITHOUT ROWID;
ALTER TABLE users ADD COLUMN turn_holes INTEGER NOT NULL DEFAULT 0;
ALTER TABLE users ADD COLUMN memory_holes INTEGER NOT NULL DEFAULT 0;

-- As index_segments and index_chunks, for memories; rows are numbers of documents. An older program, which may still have
-- the file open, must not take these for segments of turns.
CREATE TABLE memory_segments (
  segment_no INTEGER PRIMARY KEY AUTOINCREMENT,
  user_no INTEGER NOT NULL REFERENCES users(user_no),
  building INTEGER NOT NULL DEFAULT 0,
  building_since DATETIME,
  documents INTEGER NOT NULL,
  first_row INTEGER NOT NULL,
  last_row INTEGER NOT NULL,
  memory_columns BLOB NOT NULL,
  directory BLOB NOT NULL,
  filter BLOB NOT NULL
);
CREATE INDEX memory_segments_user ON memory_segments(user_no, first_row);
CREATE TABLE memory_chunks (
  chunk_no INTEGER PRIMARY KEY AUTOINCREMENT,
  segment_no INTEGER NOT NULL,
  lists BLOB NOT NULL
);
CREATE INDEX memory_chunks_segment ON memory_chunks(segment_no);
ALTER TABLE users ADD COLUMN memory_index_version INTEGER NOT NULL DEFAULT 0;

-- A program writes the number of the document itself, so that it need not read back what it wrote; where it does not, the
-- triggers give one.
CREATE TRIGGER memories_added AFTER INSERT ON memories BEGIN
  INSERT INTO memory_totals (user_no, memories, revision, documents) VALUES (new.user_no, 1, 1, max(1, new.document))
    ON CONFLICT (user_no) DO UPDATE SET memories = memories + 1, revision = revision + 1,
      documents = CASE new.document WHEN 0 THEN documents + 1 ELSE max(documents, new.document) END;
  UPDATE memories SET document = (SELECT documents FROM memory_totals WHERE user_no = new.user_no)
    WHERE row = new.row AND new.document = 0;
END;
CREATE TRIGGER memories_removed AFTER DELETE ON memories BEGIN
  UPDATE memory_totals SET memories = memories - 1, revision = revision + 1 WHERE user_no = old.user_no;
  UPDATE users SET memory_holes = memory_holes + 1 WHERE user_no = old.user_no;
  INSERT INTO index_holes (kind, user_no, hole_no, document)
    SELECT 'memory', user_no, memory_holes, old.document FROM users WHERE user_no = old.user_no;
END;
CREATE TRIGGER memories_replaced AFTER UPDATE OF document ON memories
  WHEN old.document > 0 AND new.document <> old.document BEGIN
  UPDATE memory_totals SET documents = max(documents, new.document) WHERE user_no = new.user_no;
  UPDATE users SET memory_holes = memory_holes + 1 WHERE user_no = old.user_no;
  INSERT INTO index_holes (kind, user_no, hole_no, document)
    SELECT 'memory', user_no, memory_holes, old.document FROM users WHERE user_no = old.user_no;
END;
CREATE TRIGGER memories_edited AFTER UPDATE OF id, memory_type, text, category, key, value, tags, conversation_id, who,
  occurred_at, created_at, updated_at, confidence, source, importance, valid_from, valid_to, superseded_by, suspect_reason,
  suspect_since, source_turn_ids, external_id, metadata ON memories WHEN new.document = old.document BEGIN
  UPDATE memories SET document = (SELECT documents + 1 FROM memory_totals WHERE user_no = new.user_no) WHERE row = new.row;
END;
-- 10: a memory that was used more often than this is looked at again (specification 002, R6.4).
CREATE TRIGGER memories_used AFTER UPDATE OF access_count ON memories
  WHEN old.access_count <= 10 AND new.access_count > 10 AND new.document = old.document BEGIN
  UPDATE memories SET document = (SELECT documents + 1 FROM memory_totals WHERE user_no = new.user_no) WHERE row = new.row;
END;
CREATE TRIGGER memories_changed
  AFTER UPDATE OF text, memory_type, key, value, tags, who, valid_to, superseded_by, suspect_reason, metadata ON memories
  WHEN old.text IS NOT new.text OR old.memory_type IS NOT new.memory_type OR old.key IS NOT new.key
    OR old.value IS NOT new.value OR old.tags IS NOT new.tags OR old.who IS NOT new.who OR old.valid_to IS NOT new.valid_to
    OR old.superseded_by IS NOT new.superseded_by OR old.suspect_reason IS NOT new.suspect_reason
    OR old.metadata IS NOT new.metadata BEGIN
  UPDATE memory_totals SET revision = revision + 1 WHERE user_no = new.user_no;
END;

-- The terms of a memory as before, but only in the lists: the table gives no text back. Who removes an entry says which
-- terms it had, and secure-delete takes them out of the lists at once.
CREATE VIRTUAL TABLE IF NOT EXISTS memories_fts USING fts5(
  terms,
  tokenize = "ascii tokenchars '!""#$%&()*+,-./:;<=>?@[\]^_`{|}~'"
);
CREATE VIRTUAL TABLE memories_fts_lean USING fts5(
  terms,
  content = '',
  tokenize = "ascii tokenchars '!""#$%&()*+,-./:;<=>?@[\]^_`{|}~'"
);
INSERT INTO memories_fts_lean (memories_fts_lean, rank) VALUES ('secure-delete', 1);
INSERT INTO memories_fts_lean (rowid, terms) SELECT rowid, terms FROM memories_fts;
DROP TABLE memories_fts;
ALTER TABLE memories_fts_lean RENAME TO memories_fts;
