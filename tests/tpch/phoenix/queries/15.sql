-- Derived tables in place of WITH; the maximum is joined: if it is a subquery of WHERE, Phoenix 5.2.1 returns all suppliers.
SELECT s_suppkey, s_name, s_address, s_phone, total_revenue
  FROM supplier JOIN (SELECT l_suppkey AS supplier_no, sum(l_extendedprice * (1 - l_discount)) AS total_revenue
                        FROM lineitem
                       WHERE l_shipdate >= DATE '1996-01-01' AND l_shipdate < DATE '1996-04-01'
                       GROUP BY l_suppkey) AS revenue ON s_suppkey = supplier_no
       JOIN (SELECT max(r) AS best
               FROM (SELECT sum(l_extendedprice * (1 - l_discount)) AS r
                       FROM lineitem
                      WHERE l_shipdate >= DATE '1996-01-01' AND l_shipdate < DATE '1996-04-01'
                      GROUP BY l_suppkey) AS revenues) AS bests ON total_revenue = best
 ORDER BY s_suppkey;
