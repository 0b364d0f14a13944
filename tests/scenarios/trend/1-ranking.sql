-- Which tags do users write most often today? A day is 24 ranges, one for each hour, in one statement: after the hour, the
-- key has the category, and only rows of one category are read.
SELECT object, sum(n) AS total FROM trend_hour
 WHERE service = 'blog' AND at >= '2014-12-31T00:00:00Z' AND at <= '2014-12-31T23:00:00Z' AND category = 'tag' AND subcategory = 'food'
 GROUP BY object ORDER BY total DESC, object LIMIT 10;
