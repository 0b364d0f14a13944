SELECT start, c FROM link WHERE end = 'libc6' AND type = 'Depends' ORDER BY c DESC LIMIT 5;
SELECT end, c, json_extract(p, '$.version') FROM link WHERE start = 'apt' AND type = 'Depends' ORDER BY c DESC LIMIT 5;
SELECT type, count(*) FROM link WHERE end = 'libc6' GROUP BY type ORDER BY type;
