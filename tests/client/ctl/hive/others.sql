CREATE DATABASE IF NOT EXISTS shop COMMENT 'a; b';
DROP TABLE IF EXISTS shop.old;
SET hive.execution.engine=tez;
CREATE TABLE shop.files (k string, v array<int>) PARTITIONED BY (day date)
  CLUSTERED BY (k) SORTED BY (k ASC) INTO 4 BUCKETS
  ROW FORMAT DELIMITED FIELDS TERMINATED BY ',' LINES TERMINATED BY '\n' STORED AS ORC
  LOCATION 'hdfs://x/y' TBLPROPERTIES ('orc.compress'='ZLIB');
CREATE VIEW shop.seen AS SELECT * FROM shop.files WHERE k <> ';';
INSERT INTO shop.files VALUES ('a', array(1));
CREATE TABLE shop.copy STORED BY 'org.apache.hadoop.hive.hbase.HBaseStorageHandler'
  WITH SERDEPROPERTIES ('hbase.columns.mapping'=':key,f:v') AS SELECT k, k AS v FROM shop.files;
CREATE TABLE implicit (k string, v int NOT NULL, CONSTRAINT pk PRIMARY KEY (k) DISABLE NOVALIDATE)
  STORED BY 'org.apache.hadoop.hive.hbase.HBaseStorageHandler'
  WITH SERDEPROPERTIES ('hbase.columns.mapping'='f:v')
CREATE TABLE implicit (k string, v int)
  STORED BY 'org.apache.hadoop.hive.hbase.HBaseStorageHandler'
  WITH SERDEPROPERTIES ('hbase.columns.mapping'='f:v')
