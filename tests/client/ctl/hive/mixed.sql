USE shop;
CREATE TABLE Orders (`Day` DATE, n INT, ok BOOLEAN, total DECIMAL(12,3), note STRING)
  STORED BY 'org.apache.hadoop.hive.hbase.HBaseStorageHandler'
  WITH SERDEPROPERTIES ('hbase.columns.mapping'='o:day,:key#b,o:ok#bi,p:total#-,p:note#str');
