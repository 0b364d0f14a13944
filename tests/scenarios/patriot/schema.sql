-- Figures of all services of a company: one tuple a figure. The definition is the one that was published: seven parts in the row key, of
-- which the date contains the dash that separates the others, so that a regular expression has to say where it ends.
DEFINE RELATION apdata {
  service STRING KEY, dev STRING KEY, path STRING KEY, dt STRING KEY,
  indicator STRING KEY, target_type STRING KEY, target_value STRING KEY,
  hour STRING KEY,   -- '' for the figure of the day, else '0' to '23'
  val BIGINT };

define primary schema v1 for apdata { table "anapat",
  row suffix("-"){service}:suffix("-"){dev}:suffix("-"){path}:regexp("[0-9]{4}-[01][0-9]-[0-3][0-9]"){dt}:"-":suffix("-"){indicator}:suffix("-"){target_type}:target_value,
  family "a", qualifier hour, value val };

-- An older table: a row a day and service, a column a figure. A new figure needs a new column, and nobody can ask for "all figures of a day".
DEFINE RELATION daily_wide { service STRING KEY, day DATE KEY, pv BIGINT, dau BIGINT, sales BIGINT };
DEFINE PRIMARY SCHEMA daily_wide_rows FOR daily_wide {
  TABLE 'daily_wide', ROW suffix('/'){service}:text{day},
  FAMILY 'd', QUALIFIER attr_name[service, day], VALUE attr_value[service, day] };

-- A badly designed one: the day leads, so that all writes of a day go to one place; what is measured is one text; numbers are text, too.
DEFINE RELATION jammed { day DATE KEY, what STRING KEY, figure STRING };
DEFINE PRIMARY SCHEMA jammed_rows FOR jammed {
  TABLE 'jammed', ROW format('yyyyMMdd'){day}:'_':what, FAMILY 'x', QUALIFIER 'val', VALUE figure };

-- Which services are reported together.
DEFINE RELATION service_group { name STRING KEY, service STRING KEY };
DEFINE PRIMARY SCHEMA service_groups FOR service_group { TABLE 'service_group', ROW suffix('/'){name}:service, FAMILY 'g' };
