-- The badly designed table: its texts are split, and its numbers are converted from text.
INSERT INTO apdata (service, dev, path, dt, indicator, target_type, target_value, hour, val)
  SELECT split_part(what, '.', 1), split_part(what, '.', 2), split_part(what, '.', 3), to_char(day, 'YYYY-MM-DD'),
         CASE split_part(what, '.', 4) WHEN 'dau' THEN 'uu' ELSE split_part(what, '.', 4) END, 'all', 'all', '', CAST(figure AS BIGINT)
    FROM jammed;
SELECT service, dev, path, dt, indicator, val FROM apdata WHERE dt < '2011-04-01' ORDER BY service, dev, path, dt, indicator;
