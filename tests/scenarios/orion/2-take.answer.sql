-- No two posts have the same time here, so the result is determined.
SELECT id, at, body FROM post WHERE category = 'blog' ORDER BY at LIMIT 100;
