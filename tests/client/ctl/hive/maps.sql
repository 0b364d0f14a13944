CREATE TABLE maps (row_key string, tags map<string,int>, times map<string,timestamp>, flags map<string,boolean>)
STORED BY 'org.apache.hadoop.hive.hbase.HBaseStorageHandler'
WITH SERDEPROPERTIES ("hbase.columns.mapping" = ":key,t:,u:at_.*,v:#s:b");
