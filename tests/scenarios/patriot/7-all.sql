-- Nothing else was changed: all figures in the end.
SELECT service, dev, path, dt, indicator, target_type, target_value, hour, val FROM apdata;
