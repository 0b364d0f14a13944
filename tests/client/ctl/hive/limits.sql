-- what is not possible, or not for writing
CREATE TABLE escaped (k string, v string)
  ROW FORMAT DELIMITED ESCAPED BY '\\' NULL DEFINED AS ''
  STORED BY 'org.apache.hadoop.hive.hbase.HBaseStorageHandler'
  WITH SERDEPROPERTIES ('hbase.columns.mapping'=':key,f:v');
CREATE TABLE fixed_time (k string, v string)
  STORED BY 'org.apache.hadoop.hive.hbase.HBaseStorageHandler'
  WITH SERDEPROPERTIES ('hbase.columns.mapping'=':key,f:v', 'hbase.put.timestamp'='1325376000000');
CREATE TABLE left_out (k string, u uniontype<int,string>, d date, n int, twice int, m map<int,string>)
  STORED BY 'org.apache.hadoop.hive.hbase.HBaseStorageHandler'
  WITH SERDEPROPERTIES ('hbase.columns.mapping'=':key,f:u,f:d#b,f:n,f:n,g:#b:s');
CREATE TABLE bad_key (k decimal(5,1), v string)
  STORED BY 'org.apache.hadoop.hive.hbase.HBaseStorageHandler'
  WITH SERDEPROPERTIES ('hbase.columns.mapping'=':key#b,f:v');
CREATE TABLE avro (k string, doc struct<a:int>, docs map<string,struct<a:int>>)
  STORED BY 'org.apache.hadoop.hive.hbase.HBaseStorageHandler'
  WITH SERDEPROPERTIES ('hbase.columns.mapping'=':key,f:doc,g:', 'f.doc.serialization.type'='avro', 'g.serialization.type'='avro');
