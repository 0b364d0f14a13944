-- The newest packages that need libc6, the newest that apt needs, and how many of each type lead to libc6. Each is a scan of
-- adjacent rows; the first two end after five of them.
SELECT start, c FROM link WHERE end = 'libc6' AND type = 'Depends' ORDER BY c DESC LIMIT 5;
SELECT end, c, p['version'] AS version FROM link WHERE start = 'apt' AND type = 'Depends' ORDER BY c DESC LIMIT 5;
SELECT type, count(*) FROM link WHERE end = 'libc6' GROUP BY type ORDER BY type;
