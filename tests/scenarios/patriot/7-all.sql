-- Nothing else was touched: every figure, in the end.
SELECT service, dev, path, dt, indicator, target_type, target_value, hour, val FROM apdata;
