-- What the doors that listen need: who may come in, and what was answered to a request that may come again.

-- Keys of programs. The key itself is nowhere: only its SHA-256 is.
CREATE TABLE api_keys (
  id TEXT PRIMARY KEY,
  name TEXT NOT NULL,
  hash TEXT NOT NULL UNIQUE,
  scope TEXT NOT NULL CHECK (scope IN ('read', 'write', 'admin')),
  -- NULL: good for every user. No reference to users, since a key may be made before its user stores anything.
  user_id TEXT,
  created_at DATETIME NOT NULL
) WITHOUT ROWID;

-- Answers to requests with an Idempotency-Key. key: SHA-256 of the key, fingerprint: of the request.
CREATE TABLE request_replies (
  user_no INTEGER NOT NULL REFERENCES users(user_no),
  key TEXT NOT NULL,
  fingerprint TEXT NOT NULL,
  -- NULL while the request is being worked on.
  status INTEGER,
  -- NULL while it is worked on, and when something of the user was removed since: an answer quotes what was stored.
  body TEXT,
  created_at DATETIME NOT NULL,
  PRIMARY KEY (user_no, key)
) WITHOUT ROWID;
CREATE INDEX request_replies_age ON request_replies(created_at);

CREATE TRIGGER replies_without_memories AFTER DELETE ON memories BEGIN
  UPDATE request_replies SET body = NULL WHERE user_no = old.user_no AND body IS NOT NULL;
END;
CREATE TRIGGER replies_without_turns AFTER DELETE ON turns BEGIN
  UPDATE request_replies SET body = NULL WHERE user_no = old.user_no AND body IS NOT NULL;
END;
CREATE TRIGGER replies_without_changed_words AFTER UPDATE OF text ON memories WHEN old.text IS NOT new.text BEGIN
  UPDATE request_replies SET body = NULL WHERE user_no = new.user_no AND body IS NOT NULL;
END;
