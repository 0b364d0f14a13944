-- JOIN … ON.
SELECT sum(l_extendedprice) / 7.0 AS avg_yearly
  FROM lineitem JOIN part ON p_partkey = l_partkey
 WHERE p_brand = 'Brand#23' AND p_container = 'MED BOX'
   AND l_quantity < (SELECT 0.2 * avg(l2.l_quantity) FROM lineitem l2 WHERE l2.l_partkey = p_partkey);
