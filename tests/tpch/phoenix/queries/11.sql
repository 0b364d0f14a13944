-- JOIN … ON; WHERE of a derived table in place of HAVING; VALUE is a keyword.
SELECT ps_partkey, worth
  FROM (SELECT ps_partkey, sum(ps_supplycost * ps_availqty) AS worth
          FROM partsupp JOIN supplier ON ps_suppkey = s_suppkey JOIN nation ON s_nationkey = n_nationkey
         WHERE n_name = 'GERMANY'
         GROUP BY ps_partkey) AS worths
 WHERE worth > (SELECT sum(ps_supplycost * ps_availqty) * :fraction
                  FROM partsupp JOIN supplier ON ps_suppkey = s_suppkey JOIN nation ON s_nationkey = n_nationkey
                 WHERE n_name = 'GERMANY')
 ORDER BY worth DESC;
