-- What a graph's memories mean stands in their metadata: a change of it is a change of what the user's memories say.
DROP TRIGGER memories_changed;
CREATE TRIGGER memories_changed
  AFTER UPDATE OF text, memory_type, key, value, tags, who, valid_to, superseded_by, suspect_reason, metadata ON memories
  WHEN old.text IS NOT new.text OR old.memory_type IS NOT new.memory_type OR old.key IS NOT new.key
    OR old.value IS NOT new.value OR old.tags IS NOT new.tags OR old.who IS NOT new.who OR old.valid_to IS NOT new.valid_to
    OR old.superseded_by IS NOT new.superseded_by OR old.suspect_reason IS NOT new.suspect_reason
    OR old.metadata IS NOT new.metadata BEGIN
  UPDATE memory_totals SET revision = revision + 1 WHERE user_no = new.user_no;
END;
