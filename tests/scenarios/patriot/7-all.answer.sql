SELECT service, dev, path, dt, indicator, target_type, target_value, hour, val FROM apdata;
