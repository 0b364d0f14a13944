SELECT source, n FROM by_number WHERE word = 'warranty' ORDER BY source;
SELECT source, n FROM by_name WHERE word = 'warranty' ORDER BY source;
SELECT source, n FROM by_word WHERE word = 'warranty' ORDER BY source;
SELECT source, n FROM by_source WHERE word = 'warranty' ORDER BY source;
