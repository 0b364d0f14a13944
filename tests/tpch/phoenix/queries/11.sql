-- JOIN … ON; VALUE is a keyword. The limit is joined: of HAVING with a subquery, and of WHERE above a group, Phoenix 5.2.1 returns all.
SELECT ps_partkey, worth
  FROM (SELECT ps_partkey, sum(ps_supplycost * ps_availqty) AS worth
          FROM partsupp JOIN supplier ON ps_suppkey = s_suppkey JOIN nation ON s_nationkey = n_nationkey
         WHERE n_name = 'GERMANY'
         GROUP BY ps_partkey) AS worths,
       (SELECT sum(ps_supplycost * ps_availqty) * :fraction AS least
          FROM partsupp JOIN supplier ON ps_suppkey = s_suppkey JOIN nation ON s_nationkey = n_nationkey
         WHERE n_name = 'GERMANY') AS limits
 WHERE worth > least
 ORDER BY worth DESC;
