SELECT service, indicator, count(*) FROM apdata WHERE indicator LIKE 'unknown%' GROUP BY service, indicator ORDER BY service, indicator;
DELETE FROM apdata WHERE service = 'game' AND indicator LIKE 'unknown%';
DELETE FROM apdata WHERE indicator LIKE 'unknown%';
SELECT count(*), count(DISTINCT indicator), sum(val) FROM apdata;
