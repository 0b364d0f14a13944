-- JOIN … ON, the table that is scanned first.
SELECT s_acctbal, s_name, n_name, p_partkey, p_mfgr, s_address, s_phone, s_comment
  FROM partsupp JOIN part ON p_partkey = ps_partkey JOIN supplier ON s_suppkey = ps_suppkey
       JOIN nation ON s_nationkey = n_nationkey JOIN region ON n_regionkey = r_regionkey
 WHERE p_size = 15 AND p_type LIKE '%BRASS' AND r_name = 'EUROPE'
   AND ps_supplycost = (SELECT min(ps2.ps_supplycost)
                          FROM partsupp ps2 JOIN supplier s2 ON s2.s_suppkey = ps2.ps_suppkey
                               JOIN nation n2 ON s2.s_nationkey = n2.n_nationkey JOIN region r2 ON n2.n_regionkey = r2.r_regionkey
                         WHERE ps2.ps_partkey = p_partkey AND r2.r_name = 'EUROPE')
 ORDER BY s_acctbal DESC, n_name, s_name, p_partkey
 LIMIT 100;
