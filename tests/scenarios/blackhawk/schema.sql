-- The aggregated log of a day: one tuple for each ad group at each placement.
DEFINE RELATION report {
  day DATE KEY, ad_group STRING KEY, placement STRING KEY,
  impressions BIGINT, clicks BIGINT, cost DECIMAL };

-- Designed for the query "what did this ad group do on that day": the rows of a day of an ad group are adjacent.
DEFINE PRIMARY SCHEMA report_by_group FOR report {
  TABLE 'report', ROW text{day}:suffix('/'){ad_group}:placement,
  FAMILY 'r', QUALIFIER '', VALUE impressions:clicks:cost };
