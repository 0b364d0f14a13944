-- One source is cleared: whole rows are deleted in layouts 1 and 2, one column of every row in layout 3, one row in layout 4.
DELETE FROM by_number WHERE source = 3;
DELETE FROM by_name WHERE source = 'BSD';
DELETE FROM by_word WHERE source = 'BSD';
DELETE FROM by_source WHERE source = 'BSD';
SELECT source, count(*), sum(n) FROM by_number GROUP BY source ORDER BY source;
SELECT source, count(*), sum(n) FROM by_name GROUP BY source ORDER BY source;
SELECT source, count(*), sum(n) FROM by_word GROUP BY source ORDER BY source;
SELECT source, count(*), sum(n) FROM by_source GROUP BY source ORDER BY source;
