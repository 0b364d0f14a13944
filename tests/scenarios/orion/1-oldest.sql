-- How long is the queue, and which posts wait longest?
SELECT category, count(*) FROM post WHERE state = 0 GROUP BY category ORDER BY category;
SELECT at, id, body FROM post WHERE category = 'blog' AND state = 0 ORDER BY at LIMIT 5;
