-- How long may what was read of a user's memories be kept? Numbers that tell, without looking, whether it is still so.

-- Raised by one with every change to what memories_fts holds of a memory: what was read of the index is good until then.
ALTER TABLE memory_totals ADD COLUMN indexed INTEGER NOT NULL DEFAULT 0;
-- Raised by every update of a record, whatever the column: with the revision it tells whether a record that was read
-- before may be another now.
ALTER TABLE memory_totals ADD COLUMN writes INTEGER NOT NULL DEFAULT 0;

DROP TRIGGER memories_added;
CREATE TRIGGER memories_added AFTER INSERT ON memories BEGIN
  INSERT INTO memory_totals (user_no, memories, terms, revision, indexed) VALUES (new.user_no, 1, new.term_count, 1, 1)
    ON CONFLICT (user_no) DO UPDATE SET memories = memories + 1, terms = terms + excluded.terms, revision = revision + 1,
      indexed = indexed + 1;
END;
DROP TRIGGER memories_removed;
CREATE TRIGGER memories_removed AFTER DELETE ON memories BEGIN
  UPDATE memory_totals SET memories = memories - 1, terms = terms - old.term_count, revision = revision + 1,
    indexed = indexed + 1 WHERE user_no = old.user_no;
END;
-- Tags are words by which a memory is found, too.
DROP TRIGGER memories_changed;
CREATE TRIGGER memories_changed
  AFTER UPDATE OF text, memory_type, key, value, tags, who, valid_to, superseded_by, suspect_reason ON memories
  WHEN old.text IS NOT new.text OR old.memory_type IS NOT new.memory_type OR old.key IS NOT new.key
    OR old.value IS NOT new.value OR old.tags IS NOT new.tags OR old.who IS NOT new.who OR old.valid_to IS NOT new.valid_to
    OR old.superseded_by IS NOT new.superseded_by OR old.suspect_reason IS NOT new.suspect_reason BEGIN
  UPDATE memory_totals SET revision = revision + 1 WHERE user_no = new.user_no;
END;
DROP TRIGGER IF EXISTS memories_reindexed;
CREATE TRIGGER memories_reindexed AFTER UPDATE OF text, key, value, tags, who, term_count ON memories
  WHEN old.text IS NOT new.text OR old.key IS NOT new.key OR old.value IS NOT new.value OR old.tags IS NOT new.tags
    OR old.who IS NOT new.who OR old.term_count <> new.term_count BEGIN
  UPDATE memory_totals SET indexed = indexed + 1 WHERE user_no = new.user_no;
END;
DROP TRIGGER IF EXISTS memories_written;
CREATE TRIGGER memories_written AFTER UPDATE ON memories BEGIN
  UPDATE memory_totals SET writes = writes + 1 WHERE user_no = new.user_no;
END;
