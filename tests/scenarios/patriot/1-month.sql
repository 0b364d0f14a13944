-- A page's month. Everything in front of the date is known and the date is bounded: one range of rows.
SELECT dt, val FROM apdata
 WHERE service = 'blog' AND dev = 'sp' AND path = 'top' AND dt BETWEEN '2013-06-01' AND '2013-06-30'
   AND indicator = 'pv' AND target_type = 'all' AND hour = '' ORDER BY dt;
