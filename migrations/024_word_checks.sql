-- A check value for the words of each row, so that a bit that flips in them is found, and mended.
ALTER TABLE users ADD COLUMN words_check INTEGER;
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
UPDATE users SET words_check = check_of(user_id);
UPDATE turns SET words_check = check_of(content, role, created_at, speaker, external_id, metadata, conversation_id);
UPDATE memories SET words_check = check_of(text, id, memory_type, category, key, value, tags, conversation_id, who, source,
  source_turn_ids, occurred_at, created_at, updated_at, valid_from, valid_to,
  superseded_by, suspect_reason, suspect_since, external_id, metadata, project_root,
  buried_at);
UPDATE memory_history SET words_check = check_of(previous_text, event, created_at);
UPDATE profiles SET words_check = check_of(document, machine_lines, unwanted);
UPDATE session_summaries SET words_check = check_of(title, snippet, conversation_id);
UPDATE summaries SET words_check = check_of(summary, key_symbols, key_decisions, conversation_id);
UPDATE conversations SET words_check = check_of(summary, id, public_id, project_root, created_at);

-- Programs from before, which may still have the file open, write words without one.
CREATE TRIGGER users_unchecked AFTER UPDATE OF user_id
  ON users WHEN new.words_check = old.words_check BEGIN
  UPDATE users SET words_check = NULL
    WHERE user_no = new.user_no AND words_check = old.words_check AND
    (new.user_id) IS NOT
    (old.user_id);
END;
CREATE TRIGGER turns_unchecked AFTER UPDATE OF content, role, created_at, speaker, external_id, metadata, conversation_id
  ON turns WHEN new.words_check = old.words_check BEGIN
  UPDATE turns SET words_check = NULL
    WHERE id = new.id AND words_check = old.words_check AND
    (new.content, new.role, new.created_at, new.speaker, new.external_id, new.metadata,
    new.conversation_id) IS NOT
    (old.content, old.role, old.created_at, old.speaker, old.external_id, old.metadata,
    old.conversation_id);
END;
CREATE TRIGGER memories_unchecked AFTER UPDATE OF text, id, memory_type, category, key, value, tags, conversation_id, who, source,
    source_turn_ids, occurred_at, created_at, updated_at, valid_from, valid_to,
    superseded_by, suspect_reason, suspect_since, external_id, metadata, project_root,
    buried_at
  ON memories WHEN new.words_check = old.words_check BEGIN
  UPDATE memories SET words_check = NULL
    WHERE row = new.row AND words_check = old.words_check AND
    (new.text, new.id, new.memory_type, new.category, new.key, new.value, new.tags,
    new.conversation_id, new.who, new.source, new.source_turn_ids, new.occurred_at,
    new.created_at, new.updated_at, new.valid_from, new.valid_to, new.superseded_by,
    new.suspect_reason, new.suspect_since, new.external_id, new.metadata, new.project_root,
    new.buried_at) IS NOT
    (old.text, old.id, old.memory_type, old.category, old.key, old.value, old.tags,
    old.conversation_id, old.who, old.source, old.source_turn_ids, old.occurred_at,
    old.created_at, old.updated_at, old.valid_from, old.valid_to, old.superseded_by,
    old.suspect_reason, old.suspect_since, old.external_id, old.metadata, old.project_root,
    old.buried_at);
END;
CREATE TRIGGER memory_history_unchecked AFTER UPDATE OF previous_text, event, created_at
  ON memory_history WHEN new.words_check = old.words_check BEGIN
  UPDATE memory_history SET words_check = NULL
    WHERE line_no = new.line_no AND words_check = old.words_check AND
    (new.previous_text, new.event, new.created_at) IS NOT
    (old.previous_text, old.event, old.created_at);
END;
CREATE TRIGGER profiles_unchecked AFTER UPDATE OF document, machine_lines, unwanted
  ON profiles WHEN new.words_check = old.words_check BEGIN
  UPDATE profiles SET words_check = NULL
    WHERE user_no = new.user_no AND words_check = old.words_check AND
    (new.document, new.machine_lines, new.unwanted) IS NOT
    (old.document, old.machine_lines, old.unwanted);
END;
CREATE TRIGGER session_summaries_unchecked AFTER UPDATE OF title, snippet, conversation_id
  ON session_summaries WHEN new.words_check = old.words_check BEGIN
  UPDATE session_summaries SET words_check = NULL
    WHERE user_no = new.user_no AND conversation_id = new.conversation_id AND words_check = old.words_check AND
    (new.title, new.snippet, new.conversation_id) IS NOT
    (old.title, old.snippet, old.conversation_id);
END;
CREATE TRIGGER summaries_unchecked AFTER UPDATE OF summary, key_symbols, key_decisions, conversation_id
  ON summaries WHEN new.words_check = old.words_check BEGIN
  UPDATE summaries SET words_check = NULL
    WHERE id = new.id AND words_check = old.words_check AND
    (new.summary, new.key_symbols, new.key_decisions, new.conversation_id) IS NOT
    (old.summary, old.key_symbols, old.key_decisions, old.conversation_id);
END;
CREATE TRIGGER conversations_unchecked AFTER UPDATE OF summary, id, public_id, project_root, created_at
  ON conversations WHEN new.words_check = old.words_check BEGIN
  UPDATE conversations SET words_check = NULL
    WHERE id = new.id AND words_check = old.words_check AND
    (new.summary, new.id, new.public_id, new.project_root, new.created_at) IS NOT
    (old.summary, old.id, old.public_id, old.project_root, old.created_at);
END;
