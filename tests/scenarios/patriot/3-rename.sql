-- The indicator "dau" gets the new name "uu" for two years. The indicator is part of the row key: every figure is copied to its new row,
SELECT service, count(*), sum(val) FROM apdata WHERE indicator = 'dau' GROUP BY service ORDER BY service;
INSERT INTO apdata (service, dev, path, dt, indicator, target_type, target_value, hour, val)
  SELECT service, dev, path, dt, 'uu' AS indicator, target_type, target_value, hour, val FROM apdata WHERE indicator = 'dau';
-- and the old rows are deleted.
DELETE FROM apdata WHERE indicator = 'dau';
SELECT service, indicator, target_type, count(*), sum(val), min(dt), max(dt) FROM apdata
 GROUP BY service, indicator, target_type ORDER BY service, indicator, target_type;
