-- What was something made from? Erasing, undoing and editing follow these rows, by id.

CREATE TABLE sources (
  user_no INTEGER NOT NULL REFERENCES users(user_no),
  -- What was made. 'line': a line of the profile, by its id in machine_lines. Of a memory, by its id: 'memory': the memory,
  -- 'update': something that was added to it, 'doubt': that fell on it, 'rest': it is what had been left of another one.
  kind TEXT NOT NULL CHECK (kind IN ('line', 'memory', 'update', 'doubt', 'rest')),
  item TEXT NOT NULL,
  -- What was made from several sources of one telling needs them all; each telling alone is enough. 0 of a memory.
  telling INTEGER NOT NULL,
  -- What it was made from: a memory by its id, or a turn by its conversation and number.
  origin TEXT NOT NULL CHECK (origin IN ('memory', 'turn')),
  source TEXT NOT NULL,
  -- 0: a memory, or no turn of the conversation in particular.
  turn INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (user_no, kind, item, telling, origin, source, turn)
) STRICT, WITHOUT ROWID;
CREATE INDEX sources_of ON sources(user_no, origin, source, turn);
CREATE TRIGGER profiles_removed AFTER DELETE ON profiles BEGIN
  DELETE FROM sources WHERE user_no = old.user_no AND kind = 'line';
END;

-- Lines from before point to their turns,
INSERT INTO sources (user_no, kind, item, telling, origin, source, turn)
  SELECT DISTINCT p.user_no, 'line', CAST(line.key AS TEXT), telling.key, 'turn',
    json_extract(telling.value, '$.conversationId'), coalesce(turn.value, 0)
  FROM profiles p, json_each(p.machine_lines) line, json_each(line.value, '$.origins') telling
    LEFT JOIN json_each(telling.value, '$.turnIds') turn
  WHERE json_type(telling.value, '$.conversationId') = 'text';
-- and to the memories from the same turns whose words they say.
INSERT INTO sources (user_no, kind, item, telling, origin, source)
  SELECT DISTINCT p.user_no, 'line', CAST(line.key AS TEXT), 1000, 'memory', m.id
  FROM profiles p, json_each(p.machine_lines) line
    JOIN sources s ON s.user_no = p.user_no AND s.kind = 'line' AND s.item = CAST(line.key AS TEXT) AND s.origin = 'turn'
    JOIN memories m ON m.user_no = p.user_no AND m.conversation_id = s.source
  WHERE (s.turn = 0 OR EXISTS (SELECT 1 FROM json_each(m.source_turn_ids) t WHERE t.value = s.turn))
    AND m.valid_to IS NULL AND rtrim(m.text, '.。!！ ') <> ''
    AND (instr(lower(json_extract(line.value, '$.text')), rtrim(lower(m.text), '.。!！ '))
      OR instr(lower(m.text), rtrim(lower(json_extract(line.value, '$.text')), '.。!！ ')));
UPDATE profiles SET machine_lines = (
  SELECT json_group_array(json_set(json_remove(line.value, '$.origins'), '$.id', line.key) ORDER BY line.key)
  FROM json_each(machine_lines) line);

-- What a memory was made from stands in its own fields, as the specifications name them. The table repeats it so that it can
-- be found by its sources; nothing but these triggers writes it there. Metadata is free JSON: what has another shape names
-- no source.
CREATE VIEW memory_sources (row, user_no, id, kind, origin, source, turn) AS
  SELECT m.row, m.user_no, m.id, 'memory', 'turn', m.conversation_id, iif(typeof(turn.value) = 'integer', turn.value, 0)
    FROM memories m LEFT JOIN json_each(m.source_turn_ids) turn;
CREATE VIEW metadata_sources (row, user_no, id, kind, origin, source, turn) AS
  SELECT m.row, m.user_no, m.id, 'memory', 'turn',
      json_extract(iif(told.type = 'object', told.value, NULL), '$.conversation_id'),
      iif(typeof(turn.value) = 'integer', turn.value, 0)
    FROM memories m, json_each(m.metadata, '$.sources') told
      LEFT JOIN json_each(iif(told.type = 'object', told.value, NULL), '$.turn_ids') turn
  UNION ALL
  SELECT m.row, m.user_no, m.id, 'update', 'turn',
      json_extract(iif(told.type = 'object', told.value, NULL), '$.chat_id'),
      iif(json_type(iif(told.type = 'object', told.value, NULL), '$.turn_id') = 'integer',
        json_extract(iif(told.type = 'object', told.value, NULL), '$.turn_id'), 0)
    FROM memories m, json_each(m.metadata, '$.updates') told
  UNION ALL
  SELECT m.row, m.user_no, m.id, 'doubt', 'memory', m.metadata ->> '$.doubted_by', 0 FROM memories m
  UNION ALL
  SELECT m.row, m.user_no, m.id, 'rest', 'memory', m.metadata ->> '$.derived_from', 0 FROM memories m;
CREATE TRIGGER memories_made AFTER INSERT ON memories WHEN new.conversation_id IS NOT NULL BEGIN
  INSERT OR IGNORE INTO sources SELECT user_no, kind, id, 0, origin, source, turn FROM memory_sources
    WHERE row = new.row AND typeof(source) = 'text';
END;
CREATE TRIGGER memories_made_of_metadata AFTER INSERT ON memories
  WHEN instr(new.metadata, '"sources"') OR instr(new.metadata, '"updates"') OR instr(new.metadata, '"doubted_by"')
    OR instr(new.metadata, '"derived_from"') BEGIN
  INSERT OR IGNORE INTO sources SELECT user_no, kind, id, 0, origin, source, turn FROM metadata_sources
    WHERE row = new.row AND typeof(source) = 'text';
END;
CREATE TRIGGER memories_made_anew AFTER UPDATE OF conversation_id, source_turn_ids, metadata ON memories
  WHEN old.conversation_id IS NOT new.conversation_id OR old.source_turn_ids IS NOT new.source_turn_ids
    OR old.metadata IS NOT new.metadata BEGIN
  DELETE FROM sources WHERE user_no = old.user_no AND kind IN ('memory', 'update', 'doubt', 'rest') AND item = old.id;
  INSERT OR IGNORE INTO sources SELECT user_no, kind, id, 0, origin, source, turn FROM memory_sources
    WHERE row = new.row AND typeof(source) = 'text';
  INSERT OR IGNORE INTO sources SELECT user_no, kind, id, 0, origin, source, turn FROM metadata_sources
    WHERE row = new.row AND typeof(source) = 'text';
END;
CREATE TRIGGER memories_unmade AFTER DELETE ON memories BEGIN
  DELETE FROM sources WHERE user_no = old.user_no AND kind IN ('memory', 'update', 'doubt', 'rest') AND item = old.id;
END;
INSERT OR IGNORE INTO sources SELECT user_no, kind, id, 0, origin, source, turn FROM memory_sources
  WHERE typeof(source) = 'text';
INSERT OR IGNORE INTO sources SELECT user_no, kind, id, 0, origin, source, turn FROM metadata_sources
  WHERE typeof(source) = 'text';
