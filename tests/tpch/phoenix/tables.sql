-- The tables of TPC-H as a user of Phoenix would make them for reports: rows that do not change, so that the columns of a row are one
-- cell; parts of 10 MB that are read in parallel; no request for the definition before each statement.
CREATE TABLE region (r_regionkey INTEGER NOT NULL PRIMARY KEY, r_name CHAR(25), r_comment VARCHAR(152)) :options;

CREATE TABLE nation (n_nationkey INTEGER NOT NULL PRIMARY KEY, n_name CHAR(25), n_regionkey INTEGER, n_comment VARCHAR(152)) :options;

CREATE TABLE supplier (s_suppkey INTEGER NOT NULL PRIMARY KEY, s_name CHAR(25), s_address VARCHAR(40), s_nationkey INTEGER,
                       s_phone CHAR(15), s_acctbal DECIMAL(15, 2), s_comment VARCHAR(101)) :options;

CREATE TABLE part (p_partkey INTEGER NOT NULL PRIMARY KEY, p_name VARCHAR(55), p_mfgr CHAR(25), p_brand CHAR(10), p_type VARCHAR(25),
                   p_size INTEGER, p_container CHAR(10), p_retailprice DECIMAL(15, 2), p_comment VARCHAR(23)) :options;

CREATE TABLE partsupp (ps_partkey INTEGER NOT NULL, ps_suppkey INTEGER NOT NULL, ps_availqty INTEGER, ps_supplycost DECIMAL(15, 2),
                       ps_comment VARCHAR(199), CONSTRAINT pk PRIMARY KEY (ps_partkey, ps_suppkey)) :options;

CREATE TABLE customer (c_custkey INTEGER NOT NULL PRIMARY KEY, c_name VARCHAR(25), c_address VARCHAR(40), c_nationkey INTEGER,
                       c_phone CHAR(15), c_acctbal DECIMAL(15, 2), c_mktsegment CHAR(10), c_comment VARCHAR(117)) :options;

CREATE TABLE orders (o_orderkey INTEGER NOT NULL PRIMARY KEY, o_custkey INTEGER, o_orderstatus CHAR(1), o_totalprice DECIMAL(15, 2),
                     o_orderdate DATE, o_orderpriority CHAR(15), o_clerk CHAR(15), o_shippriority INTEGER,
                     o_comment VARCHAR(79)) :options;

CREATE TABLE lineitem (l_orderkey INTEGER NOT NULL, l_partkey INTEGER, l_suppkey INTEGER, l_linenumber INTEGER NOT NULL,
                       l_quantity DECIMAL(15, 2), l_extendedprice DECIMAL(15, 2), l_discount DECIMAL(15, 2), l_tax DECIMAL(15, 2),
                       l_returnflag CHAR(1), l_linestatus CHAR(1), l_shipdate DATE, l_commitdate DATE, l_receiptdate DATE,
                       l_shipinstruct CHAR(25), l_shipmode CHAR(10), l_comment VARCHAR(44),
                       CONSTRAINT pk PRIMARY KEY (l_orderkey, l_linenumber)) :options;
