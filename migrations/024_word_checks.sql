-- A check value for the words of each row, so that a bit that flips in them is found, and mended.
ALTER TABLE turns ADD COLUMN words_check INTEGER;
ALTER TABLE memories ADD COLUMN words_check INTEGER;
ALTER TABLE memory_history ADD COLUMN words_check INTEGER;
ALTER TABLE profiles ADD COLUMN words_check INTEGER;
ALTER TABLE session_summaries ADD COLUMN words_check INTEGER;
ALTER TABLE summaries ADD COLUMN words_check INTEGER;
ALTER TABLE conversations ADD COLUMN words_check INTEGER;

-- A memory file as it was last seen: its time, and the CRC of its bytes.
ALTER TABLE memory_files ADD COLUMN seen_as TEXT;

-- The words of earlier programs are taken as they stand.
UPDATE turns SET words_check = check_of(content, role, created_at, speaker, external_id, metadata);
UPDATE memories SET words_check = check_of(text, memory_type, category, key, value, tags, conversation_id, who, source,
  source_turn_ids, occurred_at, valid_from, valid_to, superseded_by, suspect_reason,
  external_id, metadata, project_root);
UPDATE memory_history SET words_check = check_of(previous_text);
UPDATE profiles SET words_check = check_of(document, machine_lines, unwanted);
UPDATE session_summaries SET words_check = check_of(title, snippet);
UPDATE summaries SET words_check = check_of(summary, key_symbols, key_decisions);
UPDATE conversations SET words_check = check_of(summary);

-- Programs from before, which may still have the file open, write words without one.
CREATE TRIGGER turns_unchecked AFTER UPDATE OF content, role, created_at, speaker, external_id, metadata
  ON turns WHEN new.words_check = old.words_check BEGIN
  UPDATE turns SET words_check = NULL
    WHERE id = new.id AND words_check = old.words_check AND
    (new.content, new.role, new.created_at, new.speaker, new.external_id, new.metadata) IS NOT
    (old.content, old.role, old.created_at, old.speaker, old.external_id, old.metadata);
END;
CREATE TRIGGER memories_unchecked AFTER UPDATE OF text, memory_type, category, key, value, tags, conversation_id, who, source,
    source_turn_ids, occurred_at, valid_from, valid_to, superseded_by, suspect_reason,
    external_id, metadata, project_root
  ON memories WHEN new.words_check = old.words_check BEGIN
  UPDATE memories SET words_check = NULL
    WHERE row = new.row AND words_check = old.words_check AND
    (new.text, new.memory_type, new.category, new.key, new.value, new.tags,
    new.conversation_id, new.who, new.source, new.source_turn_ids, new.occurred_at,
    new.valid_from, new.valid_to, new.superseded_by, new.suspect_reason, new.external_id,
    new.metadata, new.project_root) IS NOT
    (old.text, old.memory_type, old.category, old.key, old.value, old.tags,
    old.conversation_id, old.who, old.source, old.source_turn_ids, old.occurred_at,
    old.valid_from, old.valid_to, old.superseded_by, old.suspect_reason, old.external_id,
    old.metadata, old.project_root);
END;
CREATE TRIGGER memory_history_unchecked AFTER UPDATE OF previous_text
  ON memory_history WHEN new.words_check = old.words_check BEGIN
  UPDATE memory_history SET words_check = NULL
    WHERE line_no = new.line_no AND words_check = old.words_check AND
    (new.previous_text) IS NOT
    (old.previous_text);
END;
CREATE TRIGGER profiles_unchecked AFTER UPDATE OF document, machine_lines, unwanted
  ON profiles WHEN new.words_check = old.words_check BEGIN
  UPDATE profiles SET words_check = NULL
    WHERE user_no = new.user_no AND words_check = old.words_check AND
    (new.document, new.machine_lines, new.unwanted) IS NOT
    (old.document, old.machine_lines, old.unwanted);
END;
CREATE TRIGGER session_summaries_unchecked AFTER UPDATE OF title, snippet
  ON session_summaries WHEN new.words_check = old.words_check BEGIN
  UPDATE session_summaries SET words_check = NULL
    WHERE user_no = new.user_no AND conversation_id = new.conversation_id AND words_check = old.words_check AND
    (new.title, new.snippet) IS NOT
    (old.title, old.snippet);
END;
CREATE TRIGGER summaries_unchecked AFTER UPDATE OF summary, key_symbols, key_decisions
  ON summaries WHEN new.words_check = old.words_check BEGIN
  UPDATE summaries SET words_check = NULL
    WHERE id = new.id AND words_check = old.words_check AND
    (new.summary, new.key_symbols, new.key_decisions) IS NOT
    (old.summary, old.key_symbols, old.key_decisions);
END;
CREATE TRIGGER conversations_unchecked AFTER UPDATE OF summary
  ON conversations WHEN new.words_check = old.words_check BEGIN
  UPDATE conversations SET words_check = NULL
    WHERE id = new.id AND words_check = old.words_check AND
    (new.summary) IS NOT
    (old.summary);
END;
