-- What did an ad group do on a day? The prefix of the key is fixed: only its rows are read.
SELECT placement, impressions, clicks, cost FROM report
 WHERE day = '2015-11-15' AND ad_group = 'group-0002' ORDER BY clicks DESC, placement LIMIT 20;
