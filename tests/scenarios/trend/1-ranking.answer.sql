SELECT object, count(*) AS total FROM event
 WHERE service = 'blog' AND category = 'tag' AND subcategory = 'food'
 GROUP BY object ORDER BY total DESC, object LIMIT 10;
