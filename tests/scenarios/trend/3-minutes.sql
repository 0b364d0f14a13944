-- The last hour in steps of ten minutes: six rows, by key.
SELECT at, n FROM trend_minutes
 WHERE service = 'blog' AND at IN ('2014-12-31T23:00:00Z', '2014-12-31T23:10:00Z', '2014-12-31T23:20:00Z', '2014-12-31T23:30:00Z',
                                   '2014-12-31T23:40:00Z', '2014-12-31T23:50:00Z')
   AND category = 'tag' AND subcategory = 'food' AND object = 'ramen' ORDER BY at;
