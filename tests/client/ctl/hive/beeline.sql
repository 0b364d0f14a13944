+----------------------------------------------------+
|                   createtab_stmt                   |
+----------------------------------------------------+
| CREATE EXTERNAL TABLE `ops.hosts`(                 |
|   `host` string COMMENT 'from deserializer',       |
|   `cpu` double COMMENT 'from deserializer')        |
| ROW FORMAT SERDE                                   |
|   'org.apache.hadoop.hive.hbase.HBaseSerDe'        |
| STORED BY                                          |
|   'org.apache.hadoop.hive.hbase.HBaseStorageHandler' |
| WITH SERDEPROPERTIES (                             |
|   'hbase.columns.mapping'=':key,m:cpu#b',          |
|   'serialization.format'='1')                      |
| TBLPROPERTIES (                                    |
|   'transient_lastDdlTime'='1700000000')            |
+----------------------------------------------------+
