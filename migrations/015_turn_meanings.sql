-- What turns mean, as codes of 256 bytes: made once, when a log is first searched by meaning. Another way to make them
-- begins with an empty table.
CREATE TABLE turn_meanings (
  user_no INTEGER NOT NULL REFERENCES users(user_no),
  first_row INTEGER NOT NULL,
  last_row INTEGER NOT NULL,
  -- turns.id of each, 8 bytes a turn, ascending.
  turn_rows BLOB NOT NULL,
  codes BLOB NOT NULL,
  PRIMARY KEY (user_no, first_row)
);

-- The codes of a text go with it.
CREATE TRIGGER turn_meanings_of_removed AFTER DELETE ON turns BEGIN
  DELETE FROM turn_meanings WHERE user_no = old.user_no AND first_row <= old.id AND last_row >= old.id;
END;
CREATE TRIGGER turn_meanings_of_changed AFTER UPDATE OF content ON turns WHEN old.content IS NOT new.content BEGIN
  DELETE FROM turn_meanings WHERE user_no = old.user_no AND first_row <= old.id AND last_row >= old.id;
END;
