-- A job wrote figures with wrong names. Which names are there, and how many figures?
SELECT service, indicator, count(*) FROM apdata WHERE indicator LIKE 'unknown%' GROUP BY service, indicator ORDER BY service, indicator;
-- Delete those of one service: its rows are read, and matching ones are deleted.
DELETE FROM apdata WHERE service = 'game' AND indicator LIKE 'unknown%';
-- Delete the others, too.
DELETE FROM apdata WHERE indicator LIKE 'unknown%';
SELECT count(*), count(DISTINCT indicator), sum(val) FROM apdata;
