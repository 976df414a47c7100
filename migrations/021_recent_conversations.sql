-- The newest conversations of a user are asked for by every context.
CREATE INDEX conversations_active ON conversations(user_no, last_active, conversation_no);
