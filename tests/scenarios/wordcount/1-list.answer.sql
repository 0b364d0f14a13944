SELECT word, n FROM by_number WHERE source = 2 ORDER BY word;
SELECT word, n FROM by_name WHERE source = 'Artistic' ORDER BY word;
SELECT word, n FROM by_word WHERE source = 'Artistic' ORDER BY word;
SELECT word, n FROM by_source WHERE source = 'Artistic' ORDER BY word;
