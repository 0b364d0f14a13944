INSERT INTO apdata SELECT service, 'all', 'all', day, 'pv', 'all', 'all', '', pv FROM daily_wide;
INSERT INTO apdata SELECT service, 'all', 'all', day, 'uu', 'all', 'all', '', dau FROM daily_wide;
INSERT INTO apdata SELECT service, 'all', 'all', day, 'sales', 'all', 'all', '', sales FROM daily_wide WHERE sales IS NOT NULL;
SELECT service, dev, path, dt, indicator, hour, val FROM apdata WHERE service IN ('blog', 'shop', 'old.school') AND dev = 'all' AND path = 'all'
 ORDER BY service, dt, indicator;
