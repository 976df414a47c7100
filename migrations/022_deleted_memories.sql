-- How many memories were deleted, and when; nothing that they said is kept.
CREATE TABLE memory_deletions (
  user_no INTEGER NOT NULL,
  deleted_at DATETIME NOT NULL,
  memories INTEGER NOT NULL,
  PRIMARY KEY (user_no, deleted_at)
);
