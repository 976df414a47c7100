-- What was stored twice is stored once: the symbol index without its contexts, sources without those that memories name themselves.

-- The symbols of a turn, by turns.id.
CREATE TABLE symbol_entries (
  symbol TEXT NOT NULL,
  turn INTEGER NOT NULL,
  -- In thousandths.
  relevance INTEGER NOT NULL
);
INSERT INTO symbol_entries (symbol, turn, relevance)
  SELECT s.symbol, t.id, CAST(round(s.relevance * 1000) AS INTEGER) FROM symbol_index s
    JOIN turns t ON t.conversation_id = s.conversation_id AND t.turn_number = s.turn_id ORDER BY t.id, s.rowid;
DROP TABLE symbol_index;
CREATE UNIQUE INDEX idx_symbol ON symbol_entries(symbol, turn);
CREATE INDEX idx_relevance ON symbol_entries(relevance DESC);

-- The table of specification 003, to be read and written as such; the context stands in the turn.
CREATE VIEW symbol_index (symbol, conversation_id, turn_id, relevance, context) AS
  SELECT s.symbol, t.conversation_id, t.turn_number, s.relevance / 1000.0,
    trim(replace(replace(substr(t.content, max(1, instr(t.content, s.symbol) - 12), 40), char(13), ''), char(10), ' '))
  FROM symbol_entries s JOIN turns t ON t.id = s.turn;
CREATE TRIGGER symbol_index_inserted INSTEAD OF INSERT ON symbol_index BEGIN
  INSERT OR REPLACE INTO symbol_entries (symbol, turn, relevance)
    SELECT new.symbol, id, CAST(round(new.relevance * 1000) AS INTEGER) FROM turns
    WHERE conversation_id = new.conversation_id AND turn_number = new.turn_id;
END;
CREATE TRIGGER symbol_index_removed INSTEAD OF DELETE ON symbol_index BEGIN
  DELETE FROM symbol_entries WHERE symbol = old.symbol AND turn =
    (SELECT id FROM turns WHERE conversation_id = old.conversation_id AND turn_number = old.turn_id);
END;

ALTER TABLE sources RENAME TO other_sources;
DROP TRIGGER memories_made;
DROP TRIGGER memories_made_anew;
CREATE TRIGGER memories_made_anew AFTER UPDATE OF metadata ON memories WHEN old.metadata IS NOT new.metadata BEGIN
  DELETE FROM other_sources
    WHERE user_no = old.user_no AND kind IN ('memory', 'update', 'doubt', 'rest') AND item = old.id;
  INSERT OR IGNORE INTO other_sources SELECT user_no, kind, id, 0, origin, source, turn FROM metadata_sources
    WHERE row = new.row AND typeof(source) = 'text';
END;
DELETE FROM other_sources WHERE kind = 'memory';
INSERT OR IGNORE INTO other_sources SELECT user_no, kind, id, 0, origin, source, turn FROM metadata_sources
  WHERE kind = 'memory' AND typeof(source) = 'text';

-- All sources, those that memories name themselves among them.
CREATE VIEW sources (user_no, kind, item, telling, origin, source, turn) AS
  SELECT user_no, kind, item, telling, origin, source, turn FROM other_sources
  UNION ALL
  SELECT user_no, kind, id, 0, origin, source, turn FROM memory_sources WHERE source IS NOT NULL;
-- For programs from before, which may still have the file open.
CREATE TRIGGER sources_inserted INSTEAD OF INSERT ON sources BEGIN
  INSERT OR IGNORE INTO other_sources
    VALUES (new.user_no, new.kind, new.item, new.telling, new.origin, new.source, new.turn);
END;
CREATE TRIGGER sources_changed INSTEAD OF UPDATE ON sources BEGIN
  UPDATE OR IGNORE other_sources SET source = new.source WHERE user_no = old.user_no AND kind = old.kind
    AND item = old.item AND telling = old.telling AND origin = old.origin AND source = old.source AND turn = old.turn;
END;
CREATE TRIGGER sources_removed INSTEAD OF DELETE ON sources BEGIN
  DELETE FROM other_sources WHERE user_no = old.user_no AND kind = old.kind AND item = old.item
    AND telling = old.telling AND origin = old.origin AND source = old.source AND turn = old.turn;
END;

-- The full-text table of memories without places of terms, its rows counted from the first user's first on. Programs from
-- before keep one of their own beside it while they are at work.
CREATE VIRTUAL TABLE memory_words USING fts5(
  terms,
  content = '',
  detail = none,
  tokenize = "ascii tokenchars '!""#$%&()*+,-./:;<=>?@[\]^_`{|}~'"
);
INSERT INTO memory_words (memory_words, rank) VALUES ('secure-delete', 1);

-- Of equal times the memory that was stored last comes first.
DROP INDEX memories_newest;
CREATE INDEX memories_newest ON memories(user_no, updated_at, row, valid_to, superseded_by, category, memory_type);
