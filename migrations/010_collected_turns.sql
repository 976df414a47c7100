-- What specification 001 fixes of saved conversations: the user's mark on a message, and the records under its own names.

-- 1: the user collected this turn. Cleaning up by age leaves it.
ALTER TABLE turns ADD COLUMN is_collected INTEGER NOT NULL DEFAULT 0 CHECK (is_collected IN (0, 1));
CREATE INDEX turns_collected ON turns(user_no, conversation_id, turn_number) WHERE is_collected = 1;

-- For whoever opens this file with a program of their own: the four records of 001, to be read only.
CREATE VIEW conversation AS
  SELECT u.user_id, c.public_id AS session_id, t.turn_number AS turn_id, t.role, t.content, t.created_at AS create_time,
    t.is_collected
  FROM turns t JOIN conversations c ON c.id = t.conversation_id JOIN users u ON u.user_no = t.user_no;

CREATE VIEW atomic_memory AS
  SELECT u.user_id, m.id, m.occurred_at AS timestamp, m.text AS content, m.tags, m.conversation_id AS session_id,
    m.created_at AS create_time
  FROM memories m JOIN users u ON u.user_no = m.user_no WHERE m.memory_type = 'episodic';

CREATE VIEW user_profile AS
  SELECT u.user_id, p.document AS content, p.updated_at FROM profiles p JOIN users u ON u.user_no = p.user_no;

CREATE VIEW session_summary AS
  SELECT u.user_id, s.conversation_id AS session_id, s.title, s.snippet, s.created_at
  FROM session_summaries s JOIN users u ON u.user_no = s.user_no WHERE s.title IS NOT NULL;
