SELECT hour, max(n), count(*) FROM
 (SELECT substr(at, 1, 13) || ':00:00.000Z' AS hour, object, count(*) AS n FROM event
   WHERE service = 'blog' AND category = 'tag' AND subcategory = 'food' GROUP BY 1, 2)
 GROUP BY hour ORDER BY hour;
