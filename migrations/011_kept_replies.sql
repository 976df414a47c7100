-- An answer that was still being made when something of the user was removed may quote it: it is not kept either.
ALTER TABLE request_replies ADD COLUMN erased INTEGER NOT NULL DEFAULT 0;

DROP TRIGGER replies_without_memories;
DROP TRIGGER replies_without_turns;
CREATE TRIGGER replies_without_memories AFTER DELETE ON memories BEGIN
  UPDATE request_replies SET body = NULL, erased = 1 WHERE user_no = old.user_no AND erased = 0;
END;
CREATE TRIGGER replies_without_turns AFTER DELETE ON turns BEGIN
  UPDATE request_replies SET body = NULL, erased = 1 WHERE user_no = old.user_no AND erased = 0;
END;
