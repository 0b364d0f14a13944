-- A second layout of the same tuples, led by (day, placement). From its definition on every write goes to it, too, but it is not read before
-- BACKFILL has put all older tuples there, while programs go on writing and asking.
DEFINE SCHEMA report_by_placement FOR report {
  TABLE 'report_by_placement', ROW text{day}:suffix('/'){placement}:ad_group,
  FAMILY 'r', QUALIFIER '', VALUE impressions:clicks:cost };
BACKFILL SCHEMA report_by_placement;
