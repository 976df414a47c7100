-- Which memories are new or have changed, in order, so that background work reads what it has not seen and no more.

-- One line a memory: its latest change. Lines hold no text.
CREATE TABLE memory_feed (
  change_no INTEGER PRIMARY KEY AUTOINCREMENT,
  user_no INTEGER NOT NULL,
  memory_row INTEGER NOT NULL UNIQUE
);
CREATE INDEX memory_feed_user ON memory_feed(user_no, change_no);
INSERT INTO memory_feed (user_no, memory_row) SELECT user_no, row FROM memories ORDER BY row;

CREATE TRIGGER memory_feed_added AFTER INSERT ON memories BEGIN
  INSERT INTO memory_feed (user_no, memory_row) VALUES (new.user_no, new.row);
END;
-- 10: a memory that was used more often than this is looked at again (specification 002, R6.4).
CREATE TRIGGER memory_feed_changed AFTER UPDATE OF text, memory_type, who, valid_to, superseded_by, access_count
  ON memories
  WHEN old.text IS NOT new.text OR old.memory_type IS NOT new.memory_type OR old.who IS NOT new.who
    OR old.valid_to IS NOT new.valid_to OR old.superseded_by IS NOT new.superseded_by
    OR (old.access_count <= 10 AND new.access_count > 10) BEGIN
  DELETE FROM memory_feed WHERE memory_row = new.row;
  INSERT INTO memory_feed (user_no, memory_row) VALUES (new.user_no, new.row);
END;
CREATE TRIGGER memory_feed_removed AFTER DELETE ON memories BEGIN
  DELETE FROM memory_feed WHERE memory_row = old.row;
END;

-- How far each reader of the feed has come.
CREATE TABLE memory_feed_marks (
  user_no INTEGER NOT NULL,
  reader TEXT NOT NULL,
  mark INTEGER NOT NULL,
  PRIMARY KEY (user_no, reader)
) WITHOUT ROWID;
