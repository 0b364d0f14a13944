-- Covered indexes with the columns that the schemas of ../schemas.sql have.
CREATE INDEX nation_region ON nation (n_regionkey) INCLUDE (n_name);
CREATE INDEX supplier_nation ON supplier (s_nationkey) INCLUDE (s_acctbal, s_name, s_address, s_phone, s_comment);
CREATE INDEX part_brand ON part (p_brand, p_container) INCLUDE (p_size, p_type, p_mfgr, p_name);
CREATE INDEX part_size ON part (p_size) INCLUDE (p_brand, p_type, p_mfgr);
CREATE INDEX partsupp_supplier ON partsupp (ps_suppkey) INCLUDE (ps_availqty, ps_supplycost);
CREATE INDEX customer_nation ON customer (c_nationkey) INCLUDE (c_acctbal, c_mktsegment);
CREATE INDEX customer_segment ON customer (c_mktsegment) INCLUDE (c_nationkey);
CREATE INDEX orders_customer ON orders (o_custkey) INCLUDE (o_orderdate, o_shippriority, o_totalprice, o_comment);
CREATE INDEX orders_date ON orders (o_orderdate) INCLUDE (o_custkey, o_shippriority, o_orderpriority);
CREATE INDEX lineitem_part ON lineitem (l_partkey, l_suppkey)
  INCLUDE (l_shipdate, l_quantity, l_extendedprice, l_discount, l_shipmode, l_shipinstruct);
CREATE INDEX lineitem_supplier ON lineitem (l_suppkey)
  INCLUDE (l_partkey, l_shipdate, l_commitdate, l_receiptdate, l_quantity, l_extendedprice, l_discount);
CREATE INDEX lineitem_shipdate ON lineitem (l_shipdate)
  INCLUDE (l_partkey, l_suppkey, l_quantity, l_extendedprice, l_discount, l_tax, l_returnflag, l_linestatus);
CREATE INDEX lineitem_receipt ON lineitem (l_receiptdate) INCLUDE (l_shipdate, l_commitdate, l_shipmode);
