SELECT service, count(*), sum(val) FROM apdata WHERE indicator = 'dau' GROUP BY service ORDER BY service;
INSERT INTO apdata SELECT service, dev, path, dt, 'uu', target_type, target_value, hour, val FROM apdata WHERE indicator = 'dau';
DELETE FROM apdata WHERE indicator = 'dau';
SELECT service, indicator, target_type, count(*), sum(val), min(dt), max(dt) FROM apdata
 GROUP BY service, indicator, target_type ORDER BY service, indicator, target_type;
