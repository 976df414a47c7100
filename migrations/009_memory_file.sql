-- The memory file of each user (specification 004): where it lies and what stands in it, without a word of it. Texts are
-- known by their SHA-256 only, so that deleting a memory leaves nothing of it here.

CREATE TABLE memory_files (
  user_no INTEGER PRIMARY KEY REFERENCES users(user_no),
  path TEXT NOT NULL UNIQUE,
  -- JSON list: files such as CLAUDE.md in which a block shows the same entries.
  blocks TEXT NOT NULL DEFAULT '[]',
  written_at DATETIME,
  digested_at DATETIME
);

CREATE TABLE memory_file_entries (
  user_no INTEGER NOT NULL REFERENCES users(user_no),
  -- No reference to memories: an entry outlives its memory until it was struck from the file.
  memory_id TEXT NOT NULL,
  -- What the comment behind the entry says.
  entry_id TEXT NOT NULL,
  -- 1: the words are the person's, written in the file.
  by_person INTEGER NOT NULL DEFAULT 0,
  -- listed, left (made room for newer ones), removed (by the person), replaced (changed by the person), struck (ended,
  -- superseded or deleted elsewhere); NULL: the file with it was never seen written.
  state TEXT CHECK (state IN ('listed', 'left', 'removed', 'replaced', 'struck')),
  -- What a write that has begun makes of it; NULL: nothing is being written.
  next_state TEXT CHECK (next_state IN ('listed', 'left', 'removed', 'replaced', 'struck')),
  next_hash TEXT,
  -- JSON list: hashes of its texts in the file, newest first; older ones are still in backups.
  hashes TEXT NOT NULL DEFAULT '[]',
  -- Hash of the memory's text when the entry was written.
  memory_hash TEXT NOT NULL,
  changed_at DATETIME NOT NULL,
  PRIMARY KEY (user_no, memory_id)
) WITHOUT ROWID;
