-- The reverse: which sources have a word? Now layout 3 has it in one row, and all other tables have to be read completely.
SELECT source, n FROM by_number WHERE word = 'warranty' ORDER BY source;
SELECT source, n FROM by_name WHERE word = 'warranty' ORDER BY source;
SELECT source, n FROM by_word WHERE word = 'warranty' ORDER BY source;
SELECT source, n FROM by_source WHERE word = 'warranty' ORDER BY source;
