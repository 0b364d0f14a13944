-- Three counters for each thing that is counted: of a day, of an hour, and of ten minutes. They are three relations, since each
-- has a key of its own; they share one table, where a family each keeps them apart.

DEFINE RELATION trend_day {
  service STRING KEY, day DATE KEY, category STRING KEY, subcategory STRING KEY, object STRING KEY, n BIGINT };
DEFINE PRIMARY SCHEMA trend_d FOR trend_day {
  TABLE 'trend',
  ROW suffix('_'){service}:format('yyyyMMdd'){day}:'_':suffix('_'){category}:suffix('_'){subcategory}:object,
  FAMILY 'd', QUALIFIER 'n', VALUE n };

-- 2014050113: any minute of that hour would look the same, so a time that is no full hour is refused.
DEFINE RELATION trend_hour {
  service STRING KEY, at TIMESTAMP KEY, category STRING KEY, subcategory STRING KEY, object STRING KEY, n BIGINT };
DEFINE PRIMARY SCHEMA trend_h FOR trend_hour {
  TABLE 'trend',
  ROW suffix('_'){service}:format('yyyyMMddHH'){at}:'_':suffix('_'){category}:suffix('_'){subcategory}:object,
  FAMILY 'h', QUALIFIER 'n', VALUE n };

-- 201405011350: the program counts in steps of ten minutes, so the last digit is a 0.
DEFINE RELATION trend_minutes {
  service STRING KEY, at TIMESTAMP KEY, category STRING KEY, subcategory STRING KEY, object STRING KEY, n BIGINT };
DEFINE PRIMARY SCHEMA trend_m FOR trend_minutes {
  TABLE 'trend',
  ROW suffix('_'){service}:format('yyyyMMddHHmm'){at}:'_':suffix('_'){category}:suffix('_'){subcategory}:object,
  FAMILY 'm', QUALIFIER 'n', VALUE n };
