-- A year of one tag, day by day. Between the rows of two days are those of all other tags: 365 rows by key, in one request, and
-- not a scan of the year.
SELECT day, n FROM trend_day
 WHERE service = 'blog' AND day BETWEEN '2014-01-01' AND '2014-12-31' AND category = 'tag' AND subcategory = 'food' AND object = 'ramen'
 ORDER BY day;
