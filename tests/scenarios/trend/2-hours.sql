-- The first of each hour. All of the 24 ranges, hour by hour, in the order of keys.
SELECT at, max(n) AS most, count(*) AS objects FROM trend_hour
 WHERE service = 'blog' AND at >= '2014-12-31T00:00:00Z' AND at <= '2014-12-31T23:00:00Z' AND category = 'tag' AND subcategory = 'food'
 GROUP BY at ORDER BY at;
