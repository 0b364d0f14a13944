-- A job wrote figures under names that mean nothing. Which ones are there, and how many?
SELECT service, indicator, count(*) FROM apdata WHERE indicator LIKE 'unknown%' GROUP BY service, indicator ORDER BY service, indicator;
-- Those of one service go: its rows are read, and what matches is deleted.
DELETE FROM apdata WHERE service = 'game' AND indicator LIKE 'unknown%';
-- The rest goes, too.
DELETE FROM apdata WHERE indicator LIKE 'unknown%';
SELECT count(*), count(DISTINCT indicator), sum(val) FROM apdata;
