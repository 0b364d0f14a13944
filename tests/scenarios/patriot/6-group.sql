-- One report over a group of services, from all sources of their figures.
SELECT substr(dt, 1, 4) AS year, indicator, count(*) AS figures, sum(val) AS total FROM apdata
 WHERE service IN (SELECT service FROM service_group WHERE name = 'community') AND target_type = 'all' AND hour = ''
 GROUP BY year, indicator ORDER BY year, indicator;
