-- Joins in which few rows of one relation find their partners by key. All systems run them as they are; the relation that is looked up
-- is the first one, which Phoenix scans.
SELECT '10,000 orders, their lineitems', count(*), sum(l_extendedprice), max(o_orderpriority)
  FROM lineitem JOIN orders ON l_orderkey = o_orderkey
 WHERE o_orderdate >= DATE '1995-01-01' AND o_orderdate < DATE '1995-06-10';

SELECT '10,000 lineitems, their orders', count(*), sum(o_totalprice), sum(l_quantity)
  FROM orders JOIN lineitem ON o_orderkey = l_orderkey
 WHERE l_shipdate >= DATE '1995-01-01' AND l_shipdate < DATE '1995-02-12';

SELECT '1,000 orders, their lineitems', count(*), sum(l_extendedprice), max(o_orderpriority)
  FROM lineitem JOIN orders ON l_orderkey = o_orderkey
 WHERE o_orderdate >= DATE '1995-01-01' AND o_orderdate < DATE '1995-01-17';

SELECT '1,000 orders, their customers', count(*), sum(c_acctbal), max(o_orderpriority)
  FROM customer JOIN orders ON c_custkey = o_custkey
 WHERE o_orderdate >= DATE '1995-01-01' AND o_orderdate < DATE '1995-01-17';

SELECT '600 customers, their orders', count(*), sum(o_totalprice), sum(c_acctbal)
  FROM orders JOIN customer ON o_custkey = c_custkey
 WHERE c_nationkey = 7;

SELECT '60 orders, their lineitems', count(*), sum(l_extendedprice), max(o_orderpriority)
  FROM lineitem JOIN orders ON l_orderkey = o_orderkey
 WHERE o_orderdate = DATE '1995-01-01';
