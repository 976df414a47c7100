-- Turns that were stored with the word that they need not be thought about can be thought about later after all.

-- The number of the first such turn; NULL when there is none. thought_to has passed it all the same.
ALTER TABLE conversations ADD COLUMN unthought_from INTEGER;
-- In an older file it was not noted: where nothing came of a conversation, nobody can have lost by thinking about it again.
UPDATE conversations SET unthought_from = 1
  WHERE last_turn > 0 AND thought_to >= last_turn
    AND NOT EXISTS (SELECT 1 FROM memories m
      WHERE m.user_no = conversations.user_no AND m.conversation_id = conversations.public_id)
    AND NOT EXISTS (SELECT 1 FROM session_summaries s
      WHERE s.user_no = conversations.user_no AND s.conversation_id = conversations.public_id);
CREATE INDEX conversations_unthought ON conversations(user_no) WHERE unthought_from IS NOT NULL;
