-- What the log of a day is aggregated to: one tuple for an ad group at a placement.
DEFINE RELATION report {
  day DATE KEY, ad_group STRING KEY, placement STRING KEY,
  impressions BIGINT, clicks BIGINT, cost DECIMAL };

-- Written for those who ask "what did this ad group do on that day": all of an ad group's day is in adjacent rows.
DEFINE PRIMARY SCHEMA report_by_group FOR report {
  TABLE 'report', ROW text{day}:suffix('/'){ad_group}:placement,
  FAMILY 'r', QUALIFIER '', VALUE impressions:clicks:cost };
