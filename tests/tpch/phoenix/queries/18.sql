-- JOIN … ON, the table that is scanned first.
SELECT c_name, c_custkey, o_orderkey, o_orderdate, o_totalprice, sum(l_quantity)
  FROM lineitem JOIN orders ON o_orderkey = l_orderkey JOIN customer ON c_custkey = o_custkey
 WHERE o_orderkey IN (SELECT l2.l_orderkey FROM lineitem l2 GROUP BY l2.l_orderkey HAVING sum(l2.l_quantity) > 300)
 GROUP BY c_name, c_custkey, o_orderkey, o_orderdate, o_totalprice
 ORDER BY o_totalprice DESC, o_orderdate
 LIMIT 100;
