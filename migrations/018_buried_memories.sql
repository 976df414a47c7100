-- A buried memory is kept, but shown to no model and listed only where it is asked for.
ALTER TABLE memories ADD COLUMN buried_at DATETIME;
CREATE INDEX memories_buried ON memories(user_no) WHERE buried_at IS NOT NULL;
CREATE TRIGGER memories_were_buried AFTER UPDATE OF buried_at ON memories WHEN old.buried_at IS NOT new.buried_at BEGIN
  UPDATE memory_totals SET revision = revision + 1 WHERE user_no = new.user_no;
END;

-- What was said in a muted conversation, and what is remembered from it, is kept and shown to no model.
ALTER TABLE conversations ADD COLUMN is_muted INTEGER NOT NULL DEFAULT 0;
