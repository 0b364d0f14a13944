-- A month of a page. All key parts before the date are known, and the date is bounded: one range of rows.
SELECT dt, val FROM apdata
 WHERE service = 'blog' AND dev = 'sp' AND path = 'top' AND dt BETWEEN '2013-06-01' AND '2013-06-30'
   AND indicator = 'pv' AND target_type = 'all' AND hour = '' ORDER BY dt;
