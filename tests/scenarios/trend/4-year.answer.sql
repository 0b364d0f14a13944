SELECT day, sum(n) FROM
 (SELECT day, n, subcategory, object FROM trend_day
   UNION ALL SELECT substr(at, 1, 10), 1, subcategory, object FROM event)
 WHERE subcategory = 'food' AND object = 'ramen' GROUP BY day ORDER BY day;
