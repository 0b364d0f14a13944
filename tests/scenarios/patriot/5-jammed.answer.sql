-- SQLite has no split_part: steps.py takes the texts apart in Python.
SELECT service, dev, path, dt, indicator, val FROM jammed_apart ORDER BY service, dev, path, dt, indicator;
