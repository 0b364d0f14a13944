-- Figures of all services of a company: one tuple for each figure. The definition is the published one: seven parts in the row key. The
-- date contains dashes, which are the separator, so that a regular expression has to declare its end.
DEFINE RELATION apdata {
  service STRING KEY, dev STRING KEY, path STRING KEY, dt STRING KEY,
  indicator STRING KEY, target_type STRING KEY, target_value STRING KEY,
  hour STRING KEY,   -- '' for the figure of the day, else '0' to '23'
  val BIGINT };

define primary schema v1 for apdata { table "anapat",
  row suffix("-"){service}:suffix("-"){dev}:suffix("-"){path}:regexp("[0-9]{4}-[01][0-9]-[0-3][0-9]"){dt}:"-":suffix("-"){indicator}:suffix("-"){target_type}:target_value,
  family "a", qualifier hour, value val };

-- An older table: a row for each day and service, a column for each figure. A new figure needs a new column, and a query for all figures of
-- a day is not possible.
DEFINE RELATION daily_wide { service STRING KEY, day DATE KEY, pv BIGINT, dau BIGINT, sales BIGINT };
DEFINE PRIMARY SCHEMA daily_wide_rows FOR daily_wide {
  TABLE 'daily_wide', ROW suffix('/'){service}:text{day},
  FAMILY 'd', QUALIFIER attr_name[service, day], VALUE attr_value[service, day] };

-- A badly designed table: the day is the first part of the key, so that all writes of a day go to one region. The key is one text, and
-- numbers are text, too.
DEFINE RELATION jammed { day DATE KEY, what STRING KEY, figure STRING };
DEFINE PRIMARY SCHEMA jammed_rows FOR jammed {
  TABLE 'jammed', ROW format('yyyyMMdd'){day}:'_':what, FAMILY 'x', QUALIFIER 'val', VALUE figure };

-- Which services are reported together.
DEFINE RELATION service_group { name STRING KEY, service STRING KEY };
DEFINE PRIMARY SCHEMA service_groups FOR service_group { TABLE 'service_group', ROW suffix('/'){name}:service, FAMILY 'g' };
