-- The same relations with a schema for each access path. A tuple is one cell in each schema. Most schemas hold all attributes, so
-- that no query has to look up the rest in another one.
DEFINE RELATION region { r_regionkey INT KEY, r_name CHAR(25) NOT NULL, r_comment VARCHAR(152) NOT NULL };
DEFINE PRIMARY SCHEMA region_by_key FOR region
  { TABLE 'region', ROW flipped{r_regionkey}, FAMILY 'f', VALUE size{r_name}:r_comment };

DEFINE RELATION nation { n_nationkey INT KEY, n_name CHAR(25) NOT NULL, n_regionkey INT NOT NULL, n_comment VARCHAR(152) NOT NULL };
DEFINE PRIMARY SCHEMA nation_by_key FOR nation
  { TABLE 'nation', ROW flipped{n_nationkey}, FAMILY 'f', VALUE n_regionkey:size{n_name}:n_comment };
DEFINE SCHEMA nation_by_region FOR nation
  { TABLE 'nation_region', ROW flipped{n_regionkey}:flipped{n_nationkey}, FAMILY 'f', VALUE n_name };

DEFINE RELATION supplier { s_suppkey INT KEY, s_name CHAR(25) NOT NULL, s_address VARCHAR(40) NOT NULL, s_nationkey INT NOT NULL,
                           s_phone CHAR(15) NOT NULL, s_acctbal NUMERIC(15, 2) NOT NULL, s_comment VARCHAR(101) NOT NULL };
DEFINE PRIMARY SCHEMA supplier_by_key FOR supplier
  { TABLE 'supplier', ROW flipped{s_suppkey}, FAMILY 'f',
    VALUE s_nationkey:size{s_acctbal}:size{s_name}:size{s_address}:size{s_phone}:s_comment };
DEFINE SCHEMA supplier_by_nation FOR supplier
  { TABLE 'supplier_nation', ROW flipped{s_nationkey}:flipped{s_suppkey}, FAMILY 'f',
    VALUE size{s_acctbal}:size{s_name}:size{s_address}:size{s_phone}:s_comment };

DEFINE RELATION part { p_partkey INT KEY, p_name VARCHAR(55) NOT NULL, p_mfgr CHAR(25) NOT NULL, p_brand CHAR(10) NOT NULL,
                       p_type VARCHAR(25) NOT NULL, p_size INT NOT NULL, p_container CHAR(10) NOT NULL,
                       p_retailprice NUMERIC(15, 2) NOT NULL, p_comment VARCHAR(23) NOT NULL };
DEFINE PRIMARY SCHEMA part_by_key FOR part
  { TABLE 'part', ROW flipped{p_partkey}, FAMILY 'f',
    VALUE p_size:size{p_brand}:size{p_type}:size{p_container}:size{p_name}:size{p_mfgr}:size{p_retailprice}:p_comment };
DEFINE SCHEMA part_by_brand FOR part
  { TABLE 'part_brand', ROW size{p_brand}:size{p_container}:flipped{p_partkey}, FAMILY 'f',
    VALUE p_size:size{p_type}:size{p_mfgr}:p_name };
DEFINE SCHEMA part_by_size FOR part
  { TABLE 'part_size', ROW flipped{p_size}:flipped{p_partkey}, FAMILY 'f', VALUE size{p_brand}:size{p_type}:p_mfgr };

DEFINE RELATION partsupp { ps_partkey INT KEY, ps_suppkey INT KEY, ps_availqty INT NOT NULL, ps_supplycost NUMERIC(15, 2) NOT NULL,
                           ps_comment VARCHAR(199) NOT NULL };
DEFINE PRIMARY SCHEMA partsupp_by_part FOR partsupp
  { TABLE 'partsupp', ROW flipped{ps_partkey}:flipped{ps_suppkey}, FAMILY 'f',
    VALUE ps_availqty:size{ps_supplycost}:ps_comment };
DEFINE SCHEMA partsupp_by_supplier FOR partsupp
  { TABLE 'partsupp_supplier', ROW flipped{ps_suppkey}:flipped{ps_partkey}, FAMILY 'f', VALUE ps_availqty:ps_supplycost };

DEFINE RELATION customer { c_custkey INT KEY, c_name VARCHAR(25) NOT NULL, c_address VARCHAR(40) NOT NULL, c_nationkey INT NOT NULL,
                           c_phone CHAR(15) NOT NULL, c_acctbal NUMERIC(15, 2) NOT NULL, c_mktsegment CHAR(10) NOT NULL,
                           c_comment VARCHAR(117) NOT NULL };
DEFINE PRIMARY SCHEMA customer_by_key FOR customer
  { TABLE 'customer', ROW flipped{c_custkey}, FAMILY 'f',
    VALUE c_nationkey:size{c_acctbal}:size{c_mktsegment}:size{c_phone}:size{c_name}:size{c_address}:c_comment };
DEFINE SCHEMA customer_by_nation FOR customer
  { TABLE 'customer_nation', ROW flipped{c_nationkey}:flipped{c_custkey}, FAMILY 'f', VALUE size{c_acctbal}:c_mktsegment };
DEFINE SCHEMA customer_by_segment FOR customer
  { TABLE 'customer_segment', ROW size{c_mktsegment}:flipped{c_custkey}, FAMILY 'f', VALUE c_nationkey };

DEFINE RELATION orders { o_orderkey INT KEY, o_custkey INT NOT NULL, o_orderstatus CHAR(1) NOT NULL,
                         o_totalprice NUMERIC(15, 2) NOT NULL, o_orderdate DATE NOT NULL, o_orderpriority CHAR(15) NOT NULL,
                         o_clerk CHAR(15) NOT NULL, o_shippriority INT NOT NULL, o_comment VARCHAR(79) NOT NULL };
DEFINE PRIMARY SCHEMA orders_by_key FOR orders
  { TABLE 'orders', ROW flipped{o_orderkey}, FAMILY 'f',
    VALUE o_custkey:o_orderdate:o_shippriority:size{o_totalprice}:size{o_orderstatus}:size{o_orderpriority}:size{o_clerk}:o_comment };
DEFINE SCHEMA orders_by_customer FOR orders
  { TABLE 'orders_customer', ROW flipped{o_custkey}:flipped{o_orderkey}, FAMILY 'f',
    VALUE o_orderdate:o_shippriority:size{o_totalprice}:o_comment };
DEFINE SCHEMA orders_by_date FOR orders
  { TABLE 'orders_date', ROW flipped{o_orderdate}:flipped{o_orderkey}, FAMILY 'f', VALUE o_custkey:o_shippriority:o_orderpriority };

DEFINE RELATION lineitem { l_orderkey INT KEY, l_partkey INT NOT NULL, l_suppkey INT NOT NULL, l_linenumber INT KEY,
                           l_quantity NUMERIC(15, 2) NOT NULL, l_extendedprice NUMERIC(15, 2) NOT NULL,
                           l_discount NUMERIC(15, 2) NOT NULL, l_tax NUMERIC(15, 2) NOT NULL, l_returnflag CHAR(1) NOT NULL,
                           l_linestatus CHAR(1) NOT NULL, l_shipdate DATE NOT NULL, l_commitdate DATE NOT NULL,
                           l_receiptdate DATE NOT NULL, l_shipinstruct CHAR(25) NOT NULL, l_shipmode CHAR(10) NOT NULL,
                           l_comment VARCHAR(44) NOT NULL };
DEFINE PRIMARY SCHEMA lineitem_by_order FOR lineitem
  { TABLE 'lineitem', ROW flipped{l_orderkey}:flipped{l_linenumber}, FAMILY 'f',
    VALUE l_partkey:l_suppkey:l_shipdate:l_commitdate:l_receiptdate:size{l_quantity}:size{l_extendedprice}:size{l_discount}
      :size{l_tax}:size{l_returnflag}:size{l_linestatus}:size{l_shipmode}:size{l_shipinstruct}:l_comment };
DEFINE SCHEMA lineitem_by_part FOR lineitem
  { TABLE 'lineitem_part', ROW flipped{l_partkey}:flipped{l_suppkey}:flipped{l_orderkey}:flipped{l_linenumber}, FAMILY 'f',
    VALUE l_shipdate:size{l_quantity}:size{l_extendedprice}:size{l_discount}:size{l_shipmode}:l_shipinstruct };
DEFINE SCHEMA lineitem_by_supplier FOR lineitem
  { TABLE 'lineitem_supplier', ROW flipped{l_suppkey}:flipped{l_orderkey}:flipped{l_linenumber}, FAMILY 'f',
    VALUE l_partkey:l_shipdate:l_commitdate:l_receiptdate:size{l_quantity}:size{l_extendedprice}:l_discount };
DEFINE SCHEMA lineitem_by_shipdate FOR lineitem
  { TABLE 'lineitem_shipdate', ROW flipped{l_shipdate}:flipped{l_orderkey}:flipped{l_linenumber}, FAMILY 'f',
    VALUE l_partkey:l_suppkey:size{l_quantity}:size{l_extendedprice}:size{l_discount}:size{l_tax}:size{l_returnflag}:l_linestatus };
DEFINE SCHEMA lineitem_by_receipt FOR lineitem
  { TABLE 'lineitem_receipt', ROW flipped{l_receiptdate}:flipped{l_orderkey}:flipped{l_linenumber}, FAMILY 'f',
    VALUE l_shipdate:l_commitdate:l_shipmode };
