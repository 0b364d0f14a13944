-- Every post has its verdict, and no post is waiting or in work any more.
SELECT state, verdict, count(*), min(id), max(id), sum(at) FROM post GROUP BY state, verdict ORDER BY state, verdict;
SELECT category, state, at, id, verdict, body FROM post;
