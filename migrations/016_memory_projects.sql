-- What a memory says holds everywhere, when it is about the user, or in one project.

-- NULL: the user's. '': from before, said in a project and not looked at since; it holds everywhere until then.
ALTER TABLE memories ADD COLUMN project_root TEXT;
UPDATE memories SET project_root = '' WHERE conversation_id IS NOT NULL AND EXISTS (
  SELECT 1 FROM conversations c
    WHERE c.user_no = memories.user_no AND c.public_id = memories.conversation_id AND c.project_root > '');
CREATE INDEX memories_undecided ON memories(user_no) WHERE project_root = '';
-- Which projects are known.
CREATE INDEX memories_project ON memories(user_no, project_root) WHERE project_root > '';
CREATE INDEX conversations_project ON conversations(user_no, project_root);

DROP TRIGGER memories_edited;
CREATE TRIGGER memories_edited AFTER UPDATE OF id, memory_type, text, category, key, value, tags, conversation_id, who,
  occurred_at, created_at, updated_at, confidence, source, importance, valid_from, valid_to, superseded_by, suspect_reason,
  suspect_since, source_turn_ids, external_id, metadata, project_root ON memories WHEN new.document = old.document BEGIN
  UPDATE memories SET document = (SELECT documents + 1 FROM memory_totals WHERE user_no = new.user_no) WHERE row = new.row;
END;
DROP TRIGGER memories_changed;
CREATE TRIGGER memories_changed
  AFTER UPDATE OF text, memory_type, key, value, tags, who, valid_to, superseded_by, suspect_reason, metadata, project_root
  ON memories
  WHEN old.text IS NOT new.text OR old.memory_type IS NOT new.memory_type OR old.key IS NOT new.key
    OR old.value IS NOT new.value OR old.tags IS NOT new.tags OR old.who IS NOT new.who OR old.valid_to IS NOT new.valid_to
    OR old.superseded_by IS NOT new.superseded_by OR old.suspect_reason IS NOT new.suspect_reason
    OR old.metadata IS NOT new.metadata OR old.project_root IS NOT new.project_root BEGIN
  UPDATE memory_totals SET revision = revision + 1 WHERE user_no = new.user_no;
END;
DROP TRIGGER vector_outbox_edited;
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
      OR old.external_id IS NOT new.external_id OR old.metadata IS NOT new.metadata
      OR old.project_root IS NOT new.project_root)
    AND EXISTS (SELECT 1 FROM vectors WHERE user_no = new.user_no AND id = new.id) BEGIN
  INSERT OR REPLACE INTO vector_outbox (user_no, id, noted_at, begun)
    VALUES (new.user_no, new.id, CAST(unixepoch('subsec') * 1000 AS INTEGER),
      coalesce((SELECT begun FROM vector_outbox WHERE user_no = new.user_no AND id = new.id AND applied_at IS NULL), 0));
END;
