-- The other way round: where does a word stand? Now layout 3 has it in one row, and all others have to be read to the end.
SELECT source, n FROM by_number WHERE word = 'warranty' ORDER BY source;
SELECT source, n FROM by_name WHERE word = 'warranty' ORDER BY source;
SELECT source, n FROM by_word WHERE word = 'warranty' ORDER BY source;
SELECT source, n FROM by_source WHERE word = 'warranty' ORDER BY source;
