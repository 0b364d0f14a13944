-- one family, with columns of its own, a map of some and a map of all
CREATE EXTERNAL TABLE shared_family (k STRING, name STRING, nick STRING, tags MAP<STRING, STRING>, tag_main STRING, rest MAP<STRING, STRING>)
STORED BY 'org.apache.hadoop.hive.hbase.HBaseStorageHandler'
WITH SERDEPROPERTIES ('hbase.columns.mapping' = ':key,f:name,f:n,f:tag_.*,f:tag_main,f:');
