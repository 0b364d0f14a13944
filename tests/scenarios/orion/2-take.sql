-- One operator takes the 100 posts of a category that wait longest. Each goes from state 0 to state 1, so its row moves: the new row is
-- put and the old one deleted atomically, under locks of both keys, after the post was read again and is still waiting.
UPDATE post SET state = 1 WHERE category = 'blog' AND state = 0 ORDER BY at LIMIT 100 RETURNING id, at, body;
