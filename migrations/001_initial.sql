-- The conversation log of specification 003: its tables and columns by name, and what Mneme adds to them.

CREATE TABLE schema_version (
  version INTEGER PRIMARY KEY,
  applied_at DATETIME DEFAULT CURRENT_TIMESTAMP
);

-- Numbers that are handed out once and never again.
CREATE TABLE counters (
  name TEXT PRIMARY KEY,
  value INTEGER NOT NULL
) WITHOUT ROWID;

CREATE TABLE users (
  user_no INTEGER PRIMARY KEY AUTOINCREMENT,
  user_id TEXT NOT NULL UNIQUE,
  -- Raised when index segments change: flush, merge, removal.
  index_version INTEGER NOT NULL DEFAULT 0,
  -- Raised when a conversation's project or summary changes; see conversations.change_no.
  change_no INTEGER NOT NULL DEFAULT 0
);

CREATE TABLE conversations (
  -- The caller's id; when another user already has the same one, the id with the user's number behind it.
  id TEXT PRIMARY KEY,
  project_root TEXT NOT NULL,
  created_at DATETIME DEFAULT CURRENT_TIMESTAMP,
  last_active DATETIME,
  summary TEXT,
  turn_count INTEGER DEFAULT 0,
  conversation_no INTEGER NOT NULL UNIQUE,
  user_no INTEGER NOT NULL REFERENCES users(user_no),
  -- The caller's id, unique for the user.
  public_id TEXT NOT NULL,
  -- Number of the newest turn ever stored; removed numbers are not given again.
  last_turn INTEGER NOT NULL DEFAULT 0,
  -- Every turn up to this number is inside a summary.
  summarized_to INTEGER NOT NULL DEFAULT 0,
  change_no INTEGER NOT NULL DEFAULT 0
);
CREATE UNIQUE INDEX conversations_public ON conversations(user_no, public_id);
CREATE INDEX conversations_changed ON conversations(user_no, change_no);

CREATE TABLE turns (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  conversation_id TEXT NOT NULL,
  role TEXT NOT NULL,
  content TEXT NOT NULL,
  symbols TEXT,
  created_at DATETIME DEFAULT CURRENT_TIMESTAMP,
  user_no INTEGER NOT NULL,
  turn_number INTEGER NOT NULL,
  speaker TEXT,
  external_id TEXT,
  metadata TEXT,
  FOREIGN KEY (conversation_id) REFERENCES conversations(id)
);
CREATE UNIQUE INDEX turns_number ON turns(conversation_id, turn_number);
CREATE UNIQUE INDEX turns_external ON turns(conversation_id, external_id) WHERE external_id IS NOT NULL;
CREATE INDEX turns_user ON turns(user_no);

CREATE TABLE symbol_index (
  symbol TEXT NOT NULL,
  conversation_id TEXT NOT NULL,
  turn_id INTEGER NOT NULL,
  relevance REAL NOT NULL,
  context TEXT,
  PRIMARY KEY (symbol, conversation_id, turn_id)
);
CREATE INDEX idx_symbol ON symbol_index(symbol);
CREATE INDEX idx_relevance ON symbol_index(relevance DESC);

CREATE TABLE summaries (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  conversation_id TEXT NOT NULL,
  start_turn INTEGER NOT NULL,
  end_turn INTEGER NOT NULL,
  summary TEXT NOT NULL,
  created_at DATETIME DEFAULT CURRENT_TIMESTAMP,
  key_symbols TEXT NOT NULL DEFAULT '[]',
  key_decisions TEXT NOT NULL DEFAULT '[]',
  FOREIGN KEY (conversation_id) REFERENCES conversations(id)
);
CREATE UNIQUE INDEX summaries_span ON summaries(conversation_id, start_turn);

-- Working memory: the seven fields of specification 000, one row for each living conversation.
CREATE TABLE working_memory (
  user_no INTEGER NOT NULL REFERENCES users(user_no),
  session_id TEXT NOT NULL,
  current_topic TEXT,
  context_variables TEXT NOT NULL DEFAULT '{}',
  turn_count INTEGER NOT NULL,
  last_emotion TEXT,
  created_at DATETIME NOT NULL,
  updated_at DATETIME NOT NULL,
  PRIMARY KEY (user_no, session_id)
) WITHOUT ROWID;

-- The full-text index over turns: immutable segments of one user, each with the lists of its terms in chunks.
-- A term is stored as a 53-bit hash, so that the index holds no words. Turns newer than the last segment
-- are read from `turns` itself.
CREATE TABLE index_segments (
  segment_no INTEGER PRIMARY KEY AUTOINCREMENT,
  user_no INTEGER NOT NULL REFERENCES users(user_no),
  -- 1: being written by a merge, not yet to be read.
  building INTEGER NOT NULL DEFAULT 0,
  building_since DATETIME,
  documents INTEGER NOT NULL,
  first_row INTEGER NOT NULL,
  last_row INTEGER NOT NULL,
  -- Number, time, length … of each turn: 32 bytes a turn.
  turn_columns BLOB NOT NULL,
  -- Least term and row of each chunk: 16 bytes a chunk.
  directory BLOB NOT NULL,
  -- Bloom filter over the terms.
  filter BLOB NOT NULL
);
CREATE INDEX index_segments_user ON index_segments(user_no, first_row);

CREATE TABLE index_chunks (
  chunk_no INTEGER PRIMARY KEY AUTOINCREMENT,
  segment_no INTEGER NOT NULL,
  lists BLOB NOT NULL
);
CREATE INDEX index_chunks_segment ON index_chunks(segment_no);

CREATE TABLE speakers (
  speaker_no INTEGER PRIMARY KEY AUTOINCREMENT,
  user_no INTEGER NOT NULL REFERENCES users(user_no),
  name TEXT NOT NULL,
  UNIQUE (user_no, name)
);
