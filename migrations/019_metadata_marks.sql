-- Metadata of a memory repeats no column: a text of one private character (U+E000) in `thing`, `time`, `chatid` or `who` stands
-- for text, occurred_at, conversation_id or who. Rows of before stay as they are; a program that knows no marks reads this file no more.
SELECT 1;
