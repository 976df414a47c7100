-- What was something made from? Erasing, undoing and editing follow these rows, by id.

CREATE TABLE sources (
  user_no INTEGER NOT NULL REFERENCES users(user_no),
  -- What was made. 'line': a line of the profile, by its id in machine_lines.
  kind TEXT NOT NULL CHECK (kind IN ('line')),
  item TEXT NOT NULL,
  -- What was made from several sources of one telling needs them all; each telling alone is enough.
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
    JOIN sources s ON s.user_no = p.user_no AND s.item = CAST(line.key AS TEXT) AND s.origin = 'turn'
    JOIN memories m ON m.user_no = p.user_no AND m.conversation_id = s.source
  WHERE (s.turn = 0 OR EXISTS (SELECT 1 FROM json_each(m.source_turn_ids) t WHERE t.value = s.turn))
    AND m.valid_to IS NULL AND rtrim(m.text, '.。!！ ') <> ''
    AND (instr(lower(json_extract(line.value, '$.text')), rtrim(lower(m.text), '.。!！ '))
      OR instr(lower(m.text), rtrim(lower(json_extract(line.value, '$.text')), '.。!！ ')));
UPDATE profiles SET machine_lines = (
  SELECT json_group_array(json_set(json_remove(line.value, '$.origins'), '$.id', line.key) ORDER BY line.key)
  FROM json_each(machine_lines) line);
