-- The words of one source and their counts. In layouts 1 and 2 they are a range of rows, in layout 4 one row; in
-- layout 3 one column of every row of the table.
SELECT word, n FROM by_number WHERE source = 2 ORDER BY word;
SELECT word, n FROM by_name WHERE source = 'Artistic' ORDER BY word;
SELECT word, n FROM by_word WHERE source = 'Artistic' ORDER BY word;
SELECT word, n FROM by_source WHERE source = 'Artistic' ORDER BY word;
