-- From now on every write goes to both layouts, and queries by ad group have the same results as before.
INSERT INTO report VALUES ('2015-12-30', 'group-0002', 'maps-001', 1000, 10, 1.70);
UPDATE report SET clicks = clicks + 1 WHERE day = '2015-12-30' AND ad_group = 'group-0002' AND placement = 'maps-001';
SELECT clicks, cost FROM report USING SCHEMA report_by_group WHERE day = '2015-12-30' AND ad_group = 'group-0002';
SELECT clicks, cost FROM report USING SCHEMA report_by_placement WHERE day = '2015-12-30' AND placement = 'maps-001';
SELECT day, ad_group, placement, impressions, clicks, cost FROM report USING SCHEMA report_by_placement WHERE day = '2015-11-15'
 ORDER BY placement, ad_group;
