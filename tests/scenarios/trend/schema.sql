-- Three counters for each object: of a day, of an hour, and of ten minutes. They are three relations, since each has another key.
-- They share one table, in which each has its own family. Plain writes let HBase add to a counter itself.

DEFINE RELATION trend_day {
  service STRING KEY, day DATE KEY, category STRING KEY, subcategory STRING KEY, object STRING KEY, n BIGINT } WITH (writes = plain);
DEFINE PRIMARY SCHEMA trend_d FOR trend_day {
  TABLE 'trend',
  ROW suffix('_'){service}:format('yyyyMMdd'){day}:'_':suffix('_'){category}:suffix('_'){subcategory}:object,
  FAMILY 'd', QUALIFIER 'n', VALUE n };

-- 2014050113: all minutes of that hour have the same text, so a time that is not a full hour is rejected.
DEFINE RELATION trend_hour {
  service STRING KEY, at TIMESTAMP KEY, category STRING KEY, subcategory STRING KEY, object STRING KEY, n BIGINT } WITH (writes = plain);
DEFINE PRIMARY SCHEMA trend_h FOR trend_hour {
  TABLE 'trend',
  ROW suffix('_'){service}:format('yyyyMMddHH'){at}:'_':suffix('_'){category}:suffix('_'){subcategory}:object,
  FAMILY 'h', QUALIFIER 'n', VALUE n };

-- 201405011350: the program counts in steps of ten minutes, so the last digit is a 0.
DEFINE RELATION trend_minutes {
  service STRING KEY, at TIMESTAMP KEY, category STRING KEY, subcategory STRING KEY, object STRING KEY, n BIGINT } WITH (writes = plain);
DEFINE PRIMARY SCHEMA trend_m FOR trend_minutes {
  TABLE 'trend',
  ROW suffix('_'){service}:format('yyyyMMddHHmm'){at}:'_':suffix('_'){category}:suffix('_'){subcategory}:object,
  FAMILY 'm', QUALIFIER 'n', VALUE n };
