-- Derived tables in place of WITH.
SELECT s_suppkey, s_name, s_address, s_phone, total_revenue
  FROM supplier JOIN (SELECT l_suppkey AS supplier_no, sum(l_extendedprice * (1 - l_discount)) AS total_revenue
                        FROM lineitem
                       WHERE l_shipdate >= DATE '1996-01-01' AND l_shipdate < DATE '1996-04-01'
                       GROUP BY l_suppkey) AS revenue ON s_suppkey = supplier_no
 WHERE total_revenue = (SELECT max(r) FROM (SELECT sum(l_extendedprice * (1 - l_discount)) AS r
                                              FROM lineitem
                                             WHERE l_shipdate >= DATE '1996-01-01' AND l_shipdate < DATE '1996-04-01'
                                             GROUP BY l_suppkey) AS revenues)
 ORDER BY s_suppkey;
