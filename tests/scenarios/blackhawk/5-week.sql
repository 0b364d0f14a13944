-- A week, one line for each day: seven ranges.
SELECT day, count(*) AS ad_groups, sum(impressions), sum(clicks), sum(cost) FROM report
 WHERE placement = 'maps-001'
   AND day IN ('2015-11-09', '2015-11-10', '2015-11-11', '2015-11-12', '2015-11-13', '2015-11-14', '2015-11-15')
 GROUP BY day ORDER BY day;
