-- Thinking in the background: durable jobs, how far each conversation has been thought about, and what else a user has
-- besides turns and memories: profile, session summaries, settings, the count of what models were asked.

-- Every turn up to this number was thought about, or was stored with the word that it need not be.
ALTER TABLE conversations ADD COLUMN thought_to INTEGER NOT NULL DEFAULT 0;
UPDATE conversations SET thought_to = last_turn;

CREATE TABLE jobs (
  job_no INTEGER PRIMARY KEY AUTOINCREMENT,
  user_no INTEGER NOT NULL REFERENCES users(user_no),
  kind TEXT NOT NULL,
  subject TEXT NOT NULL,
  payload TEXT,
  state TEXT NOT NULL DEFAULT 'waiting' CHECK (state IN ('waiting', 'running', 'dead')),
  -- 1: enqueued while it ran; it waits again when it is done.
  again INTEGER NOT NULL DEFAULT 0,
  attempts INTEGER NOT NULL DEFAULT 0,
  last_error TEXT,
  created_at DATETIME NOT NULL,
  due_at DATETIME NOT NULL,
  -- Both NULL unless it runs. Who holds the lease knows its random word.
  lease TEXT,
  leased_until DATETIME
);
CREATE UNIQUE INDEX jobs_name ON jobs(user_no, kind, subject);
-- When a job may be taken: at its time, or when the lease of whoever runs it has run out.
CREATE INDEX jobs_next ON jobs(coalesce(leased_until, due_at), job_no) WHERE state <> 'dead';
CREATE INDEX jobs_running ON jobs(user_no, subject) WHERE state = 'running';
CREATE INDEX jobs_dead ON jobs(user_no) WHERE state = 'dead';

-- Raised by every change to what a user's memories say, so that a plan made from them can be refused when it is stale.
ALTER TABLE memory_totals ADD COLUMN revision INTEGER NOT NULL DEFAULT 0;
DROP TRIGGER memories_added;
CREATE TRIGGER memories_added AFTER INSERT ON memories BEGIN
  INSERT INTO memory_totals (user_no, memories, terms, revision) VALUES (new.user_no, 1, new.term_count, 1)
    ON CONFLICT (user_no) DO UPDATE SET memories = memories + 1, terms = terms + excluded.terms, revision = revision + 1;
END;
DROP TRIGGER memories_removed;
CREATE TRIGGER memories_removed AFTER DELETE ON memories BEGIN
  UPDATE memory_totals SET memories = memories - 1, terms = terms - old.term_count, revision = revision + 1
    WHERE user_no = old.user_no;
END;
CREATE TRIGGER memories_changed
  AFTER UPDATE OF text, memory_type, key, value, who, valid_to, superseded_by, suspect_reason ON memories
  WHEN old.text IS NOT new.text OR old.memory_type IS NOT new.memory_type OR old.key IS NOT new.key
    OR old.value IS NOT new.value OR old.who IS NOT new.who OR old.valid_to IS NOT new.valid_to
    OR old.superseded_by IS NOT new.superseded_by OR old.suspect_reason IS NOT new.suspect_reason BEGIN
  UPDATE memory_totals SET revision = revision + 1 WHERE user_no = new.user_no;
END;

-- What models were asked, a row for each day (UTC), user, step and model. User 0: users who were removed.
CREATE TABLE model_usage (
  day TEXT NOT NULL,
  user_no INTEGER NOT NULL,
  step TEXT NOT NULL,
  model TEXT NOT NULL,
  calls INTEGER NOT NULL,
  prompt_tokens INTEGER NOT NULL,
  completion_tokens INTEGER NOT NULL,
  -- US dollars, of the calls whose vendor states it; NULL when none does.
  cost REAL,
  last_at DATETIME NOT NULL,
  PRIMARY KEY (day, user_no, step, model)
) WITHOUT ROWID;

-- Settings of the whole database, each value JSON; one that is not here has its default.
CREATE TABLE settings (
  key TEXT PRIMARY KEY,
  value TEXT NOT NULL,
  updated_at DATETIME NOT NULL
) WITHOUT ROWID;

CREATE TABLE profiles (
  user_no INTEGER PRIMARY KEY REFERENCES users(user_no),
  -- The whole document, as the user sees it.
  document TEXT NOT NULL,
  -- JSON: the lines in it that the machine wrote and nobody touched; all others are the user's.
  machine_lines TEXT NOT NULL DEFAULT '[]',
  -- JSON: hashes of machine lines that the user took out.
  unwanted TEXT NOT NULL DEFAULT '[]',
  updated_at DATETIME NOT NULL,
  -- When the user last edited it.
  edited_at DATETIME
);

-- Title and snippet of a conversation. Without a title: the user removed it, and it is not written again.
CREATE TABLE session_summaries (
  user_no INTEGER NOT NULL REFERENCES users(user_no),
  conversation_id TEXT NOT NULL,
  title TEXT,
  snippet TEXT,
  created_at DATETIME NOT NULL,
  updated_at DATETIME NOT NULL,
  -- 1: the user changed it, so that the machine leaves it alone.
  edited INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (user_no, conversation_id)
) WITHOUT ROWID;
CREATE INDEX session_summaries_newest ON session_summaries(user_no, created_at) WHERE title IS NOT NULL;
