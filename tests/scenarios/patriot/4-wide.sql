-- The wide table becomes rows of the new layout, with one statement for each column. A figure that was never measured has no cell, and gets no row.
INSERT INTO apdata SELECT service, 'all', 'all', CAST(day AS STRING), 'pv', 'all', 'all', '', pv FROM daily_wide;
INSERT INTO apdata SELECT service, 'all', 'all', CAST(day AS STRING), 'uu', 'all', 'all', '', dau FROM daily_wide;
INSERT INTO apdata SELECT service, 'all', 'all', CAST(day AS STRING), 'sales', 'all', 'all', '', sales FROM daily_wide WHERE sales IS NOT NULL;
SELECT service, dev, path, dt, indicator, hour, val FROM apdata WHERE service IN ('blog', 'shop', 'old.school') AND dev = 'all' AND path = 'all'
 ORDER BY service, dt, indicator;
