CREATE TABLE `nested`(
  `id` int,
  `place` struct<`street`:string,no:int,geo:struct<lat:double,lon:double>>,
  `tags` array<string>,
  `counts` map<string,int>,
  `events` map<string,array<int>>)
ROW FORMAT SERDE 'org.apache.hadoop.hive.hbase.HBaseSerDe'
STORED BY 'org.apache.hadoop.hive.hbase.HBaseStorageHandler'
WITH SERDEPROPERTIES (
  'collection.delim'='\u0002', 'mapkey.delim'='\003',
  'hbase.columns.mapping'=':key,a:place,a:tags,a:counts,e:', 'serialization.format'='1')
