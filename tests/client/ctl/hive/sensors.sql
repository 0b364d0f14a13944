/* everything binary, but for what says otherwise */
create external table if not exists plant.sensors (
  id bigint, n int, small smallint, tiny tinyint, on_ boolean, f float, d double, raw binary, name string,
  as_text int comment "one in text"
)
stored by "org.apache.hadoop.hive.hbase.HBaseStorageHandler"
with serdeproperties ("hbase.columns.mapping" = ":key,
   v:n,v:small,v:tiny,
   v:on,v:f,v:d,v:raw, m:name, m:t#s")
tblproperties ("hbase.table.default.storage.type" = "binary", "hbase.table.name"="sensors");
