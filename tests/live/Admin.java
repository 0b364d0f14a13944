/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Admin.java: operations of an administrator, or of HBase's balancer, on a table while others use it.
 *
 * tests/live/hbase admin DIR runs it. A line of standard input is a command:
 *
 *   split TABLE KEY     splits the region of KEY at KEY
 *   merge TABLE         merges the table's last two regions; neither may come from a recent split
 *   move TABLE          moves each region to another server, if there is one
 *   describe TABLE      its families and their attributes, as HBase prints them
 *   count TABLE         how many regions it has
 *   flush TABLE         writes cells in memory to files
 *   compact TABLE       flush, and a major compaction, for whose end it waits. Each region needs a cell that remains
 *   serve PREFIX        waits until each region of each table with that prefix has answered a read
 *
 * The answer is a line "ok", followed by the result if there is one, or "! MESSAGE".
 */
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.RegionMetrics;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.CompactionState;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionLocator;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.filter.FirstKeyOnlyFilter;
import org.apache.hadoop.hbase.util.Bytes;

public class Admin {
  static final int SECONDS = 60;
  static Connection connection;
  static org.apache.hadoop.hbase.client.Admin admin;

  static void split(TableName table, String key) throws Exception {
    for (RegionInfo region : admin.getRegions(table))
      if (region.containsRow(Bytes.toBytes(key)))
        admin.splitRegionAsync(region.getRegionName(), Bytes.toBytes(key)).get(SECONDS, TimeUnit.SECONDS);
  }

  static void merge(TableName table) throws Exception {
    List<RegionInfo> regions = admin.getRegions(table);
    int n = regions.size();
    byte[][] names = {regions.get(n - 2).getEncodedNameAsBytes(), regions.get(n - 1).getEncodedNameAsBytes()};
    admin.mergeRegionsAsync(names, false).get(SECONDS, TimeUnit.SECONDS);
  }

  static void move(TableName table) throws Exception {
    List<ServerName> servers = new ArrayList<>(admin.getRegionServers());
    try (RegionLocator locator = connection.getRegionLocator(table)) {
      for (RegionInfo region : admin.getRegions(table)) {
        ServerName at = locator.getRegionLocation(region.getStartKey(), true).getServerName();
        for (ServerName server : servers)
          if (!server.equals(at)) {
            admin.move(region.getEncodedNameAsBytes(), server);
            break;
          }
      }
    }
  }

  static void serve(String prefix) throws Exception {
    for (TableName table : admin.listTableNames())
      if (table.getNameAsString().startsWith(prefix) && admin.isTableEnabled(table))
        try (Table read = connection.getTable(table);
             ResultScanner rows = read.getScanner(new Scan().setFilter(new FirstKeyOnlyFilter()))) {
          while (rows.next() != null) {
          }
        }
  }

  /* Whether each region has files of a major compaction that ended after @begun, and none is running. */
  static boolean isCompacted(TableName table, long begun) throws Exception {
    for (ServerName server : admin.getRegionServers())
      for (RegionMetrics region : admin.getRegionMetrics(server, table))
        if (region.getLastMajorCompactionTimestamp() < begun)
          return false;
    return admin.getCompactionState(table) == CompactionState.NONE;
  }

  static void compact(TableName table) throws Exception {
    long begun = System.currentTimeMillis();

    admin.flush(table);
    admin.majorCompact(table);
    while (!isCompacted(table, begun)) {
      if (System.currentTimeMillis() > begun + 1000L * SECONDS)
        throw new IOException("no major compaction has ended");
      Thread.sleep(20);
    }
  }

  static String run(String[] words) throws Exception {
    if (words[0].equals("serve")) {
      serve(words[1]);
      return "ok";
    }
    TableName table = TableName.valueOf(words[1]);
    switch (words[0]) {
      case "split": split(table, words[2]); break;
      case "merge": merge(table); break;
      case "move": move(table); break;
      case "flush": admin.flush(table); break;
      case "compact": compact(table); break;
      case "describe": return "ok " + admin.getDescriptor(table).toStringCustomizedValues();
      case "count": return "ok " + admin.getRegions(table).size();
      default: throw new IllegalArgumentException("unknown command " + words[0]);
    }
    return "ok";
  }

  public static void main(String[] arguments) throws Exception {
    BufferedReader input = new BufferedReader(new InputStreamReader(System.in));
    connection = ConnectionFactory.createConnection(HBaseConfiguration.create());
    admin = connection.getAdmin();
    for (String line = input.readLine(); line != null; line = input.readLine()) {
      String answer;
      try {
        answer = run(line.split(" "));
      } catch (Exception failure) {
        answer = "! " + String.valueOf(failure.getMessage()).split("\n")[0];
      }
      System.out.println(answer);
      System.out.flush();
    }
    connection.close();
  }
}
