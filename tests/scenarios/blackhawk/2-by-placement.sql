-- What happened at a placement on a day? The whole day is read, and nearly all of it is discarded.
SELECT ad_group, impressions, clicks, cost FROM report
 WHERE day = '2015-11-15' AND placement = 'maps-001' ORDER BY clicks DESC, ad_group;
