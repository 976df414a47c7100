-- A symbol stands once in the file: in its turn, and beside it how much the turn is about it. The lists of the index find turns by it.

-- A character for each symbol, in their order: the thousandths as its code point, 1 to 1000.
ALTER TABLE turns ADD COLUMN symbol_relevance TEXT;
UPDATE turns SET symbol_relevance = (
  SELECT group_concat(char(max(1, coalesce(s.relevance, 1000))), '' ORDER BY e.key) FROM json_each(turns.symbols) e
    LEFT JOIN symbol_entries s ON s.symbol = e.value AND s.turn = turns.id) WHERE symbols IS NOT NULL;
DROP TABLE symbol_entries;

-- What the view of specification 003 reads and writes, as programs from before do, which may still have the file open.
CREATE VIEW symbol_entries (symbol, turn, relevance) AS
  SELECT e.value, t.id, coalesce(unicode(substr(t.symbol_relevance, e.key + 1, 1)), 1000) FROM turns t, json_each(t.symbols) e;
CREATE TRIGGER symbol_entries_inserted INSTEAD OF INSERT ON symbol_entries BEGIN
  UPDATE turns SET symbols = json_insert(coalesce(symbols, '[]'), '$[#]', new.symbol)
    WHERE id = new.turn AND NOT EXISTS (SELECT 1 FROM json_each(symbols) WHERE value = new.symbol);
  UPDATE turns SET symbol_relevance = (
    SELECT group_concat(char(iif(value = new.symbol, max(1, new.relevance),
      coalesce(unicode(substr(symbol_relevance, key + 1, 1)), 1000))), '' ORDER BY key) FROM json_each(symbols))
    WHERE id = new.turn;
END;
CREATE TRIGGER symbol_entries_removed INSTEAD OF DELETE ON symbol_entries BEGIN
  UPDATE turns SET (symbols, symbol_relevance) = (
    SELECT nullif(json_group_array(value ORDER BY key), '[]'),
      group_concat(char(coalesce(unicode(substr(symbol_relevance, key + 1, 1)), 1000)), '' ORDER BY key)
    FROM json_each(symbols) WHERE value <> old.symbol) WHERE id = old.turn;
END;
