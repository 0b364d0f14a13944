WITH done AS (SELECT 2 AS state, CASE WHEN body LIKE '%spam%' THEN 'delete' ELSE 'keep' END AS verdict, id, at FROM post)
SELECT state, verdict, count(*), min(id), max(id), sum(at) FROM done GROUP BY state, verdict ORDER BY state, verdict;
SELECT category, 2, at, id, CASE WHEN body LIKE '%spam%' THEN 'delete' ELSE 'keep' END, body FROM post;
