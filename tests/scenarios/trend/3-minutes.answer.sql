SELECT substr(at, 1, 15) || '0:00.000Z' AS ten, count(*) FROM event
 WHERE service = 'blog' AND category = 'tag' AND subcategory = 'food' AND object = 'ramen' AND at >= '2014-12-31T23:00:00Z'
 GROUP BY ten ORDER BY ten;
