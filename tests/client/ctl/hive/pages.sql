-- Hive 4: SHOW CREATE TABLE, as hive -e prints it
CREATE EXTERNAL TABLE `default`.`pages`(
  `url` string COMMENT 'without the scheme', 
  `hits` bigint COMMENT 'from deserializer', 
  `score` double COMMENT '', 
  `ratio` float COMMENT '', 
  `seen` timestamp COMMENT '', 
  `day` date COMMENT '', 
  `price` decimal(10,2) COMMENT '', 
  `is_new` boolean COMMENT '', 
  `level` tinyint COMMENT '', 
  `title` varchar(40) COMMENT '', 
  `lang` char(2) COMMENT '', 
  `digest` binary COMMENT '')
COMMENT 'pages; of the "crawler"'
ROW FORMAT SERDE 
  'org.apache.hadoop.hive.hbase.HBaseSerDe' 
STORED BY 
  'org.apache.hadoop.hive.hbase.HBaseStorageHandler' 
WITH SERDEPROPERTIES ( 
  'hbase.columns.mapping'=':key,cf:hits,cf:score,cf:ratio,cf:seen,cf:day,cf:price,cf:new,cf:level,cf:title,cf:lang,cf:digest', 
  'serialization.format'='1')
TBLPROPERTIES (
  'bucketing_version'='2', 
  'hbase.table.name'='web:pages', 
  'transient_lastDdlTime'='1700000000')
