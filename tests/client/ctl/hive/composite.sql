-- the example of Hive's wiki, with more types
CREATE EXTERNAL TABLE delimited_example(key struct<f1:string, f2:int,day:date>, value string)
ROW FORMAT DELIMITED
  COLLECTION ITEMS TERMINATED BY '~'
STORED BY 'org.apache.hadoop.hive.hbase.HBaseStorageHandler'
WITH SERDEPROPERTIES (
  'hbase.columns.mapping'=':key,f:c1');
