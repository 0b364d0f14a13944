-- A second layout of the same tuples, by (day, placement). After its definition every write goes to it, too, but it is not read before
-- BACKFILL has written all older tuples, while programs continue to write and read.
DEFINE SCHEMA report_by_placement FOR report {
  TABLE 'report_by_placement', ROW text{day}:suffix('/'){placement}:ad_group,
  FAMILY 'r', QUALIFIER '', VALUE impressions:clicks:cost };
BACKFILL SCHEMA report_by_placement;
