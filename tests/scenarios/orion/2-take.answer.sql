-- No two posts have the same time here, so it is known which ones they are.
SELECT id, at, body FROM post WHERE category = 'blog' ORDER BY at LIMIT 100;
