-- The life of a package: a node and two relationships are created, read, changed property by property, and deleted. If
-- the time of a relationship changes, its rows in both indexes move.
INSERT INTO node VALUES ('hello-kvsql', '2024-02-29T12:00:00Z', '{"version": "1.0", "section": "misc"}', NULL);
INSERT INTO link VALUES ('hello-kvsql', 'Depends', 'libc6', '2024-02-29T12:00:00Z', '{"version": ">= 2.36"}', NULL),
                        ('apt', 'Suggests', 'hello-kvsql', '2024-02-29T12:00:00Z', NULL, NULL);
SELECT id, c, p['version'] AS version, p['section'] AS section, u FROM node WHERE id = 'hello-kvsql';
SELECT start, c FROM link WHERE end = 'libc6' AND type = 'Depends' ORDER BY c DESC LIMIT 2;
UPDATE node SET p['version'] = '1.1', p['maintainer'] = 'you', u = '2024-03-01T00:00:00Z' WHERE id = 'hello-kvsql';
UPDATE node SET p = map_remove(p, 'section') WHERE id = 'hello-kvsql';
SELECT p['version'] AS version, p['section'] AS section, p['maintainer'] AS maintainer, u FROM node WHERE id = 'hello-kvsql';
UPDATE link SET p['version'] = '>= 2.37' WHERE start = 'hello-kvsql' AND type = 'Depends' AND end = 'libc6';
UPDATE link SET c = '2000-01-01T00:00:00Z' WHERE start = 'apt' AND type = 'Suggests' AND end = 'hello-kvsql';
SELECT start, p['version'] AS version FROM link USING SCHEMA incoming WHERE end = 'libc6' AND type = 'Depends' ORDER BY c DESC LIMIT 2;
SELECT end, c FROM link WHERE start = 'apt' AND type = 'Suggests' ORDER BY c LIMIT 1;
DELETE FROM link WHERE start = 'hello-kvsql';
DELETE FROM link WHERE end = 'hello-kvsql';
DELETE FROM node WHERE id = 'hello-kvsql';
SELECT count(*) FROM link;
SELECT count(*) FROM node;
