/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * TpchPhoenix.java: TPC-H with Phoenix's JDBC driver.
 *
 *   java -cp CLASSPATH TpchPhoenix.java HOST:PORT SECONDS
 *
 * HOST:PORT is HBase's ZooKeeper; a statement takes at most SECONDS. A line of standard input is a command, its words separated by tabs:
 *
 *   execute STATEMENT    anything but a query
 *   query STATEMENT      the rows: each value after a letter for its type (n: NULL, d: number, t: date, s: text)
 *   load TABLE FILE      UPSERTs the rows of a CSV file with a header, in batches
 *   compact              writes the memory of all tables of the HBase to disk, and merges their files
 *
 * The answer is some lines and a line ".", or "! MESSAGE".
 */
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.Date;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Types;
import java.util.Collections;
import java.util.List;
import java.util.Properties;
import org.apache.commons.csv.CSVFormat;
import org.apache.commons.csv.CSVParser;
import org.apache.commons.csv.CSVRecord;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.CompactionState;
import org.apache.phoenix.jdbc.PhoenixConnection;

public class TpchPhoenix {
  static final int BATCH = 5000;
  static final int LONGEST_MS = 3600 * 1000; // of what is not a query, such as CREATE INDEX
  static final int POLL_MS = 200;

  final Connection connection;
  final int seconds;
  final PrintStream out;

  TpchPhoenix(String zookeeper, int seconds, PrintStream out) throws SQLException {
    this.seconds = seconds;
    this.out = out;
    Properties properties = new Properties();
    for (String name : List.of("phoenix.query.timeoutMs", "hbase.rpc.timeout", "hbase.client.operation.timeout",
                               "hbase.client.scanner.timeout.period")) {
      properties.setProperty(name, String.valueOf(LONGEST_MS));
    }
    connection = DriverManager.getConnection("jdbc:phoenix:" + zookeeper, properties);
    connection.setAutoCommit(false);
  }

  // ---- statements

  void execute(String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
      connection.commit();
    }
  }

  static String text(Object value) {
    if (value == null) {
      return "n";
    }
    if (value instanceof BigDecimal) {
      return "d" + ((BigDecimal) value).toPlainString();
    }
    if (value instanceof Number) {
      return "d" + value;
    }
    if (value instanceof java.util.Date) {
      return "t" + new Date(((java.util.Date) value).getTime());
    }
    return "s" + value;
  }

  void query(String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.setQueryTimeout(seconds);
      try (ResultSet rows = statement.executeQuery(sql)) {
        int n = rows.getMetaData().getColumnCount();
        StringBuilder answer = new StringBuilder();
        while (rows.next()) {
          for (int i = 1; i <= n; i++) {
            answer.append(text(rows.getObject(i))).append(i < n ? '\t' : '\n');
          }
        }
        out.print(answer);
      }
    }
  }

  // ---- rows

  static void bind(PreparedStatement upsert, int column, int type, String value) throws SQLException {
    switch (type) {
      case Types.INTEGER:
        upsert.setInt(column, Integer.parseInt(value));
        break;
      case Types.DECIMAL:
        upsert.setBigDecimal(column, new BigDecimal(value));
        break;
      case Types.DATE:
        upsert.setDate(column, Date.valueOf(value));
        break;
      default:
        upsert.setString(column, value);
    }
  }

  int[] types(String table, String columns) throws SQLException {
    try (PreparedStatement select = connection.prepareStatement("SELECT " + columns + " FROM " + table)) {
      ResultSetMetaData found = select.getMetaData();
      int[] types = new int[found.getColumnCount()];
      for (int i = 0; i < types.length; i++) {
        types[i] = found.getColumnType(i + 1);
      }
      return types;
    }
  }

  void load(String table, String file) throws Exception {
    Path path = Path.of(file);
    String columns;
    try (BufferedReader header = Files.newBufferedReader(path)) {
      columns = header.readLine();
    }
    int[] types = types(table, columns);
    String marks = String.join(", ", Collections.nCopies(types.length, "?"));
    try (CSVParser rows = CSVFormat.DEFAULT.withHeader().parse(Files.newBufferedReader(path));
         PreparedStatement upsert = connection.prepareStatement("UPSERT INTO " + table + " (" + columns + ") VALUES (" + marks + ")")) {
      for (CSVRecord row : rows) {
        for (int i = 0; i < types.length; i++) {
          bind(upsert, i + 1, types[i], row.get(i));
        }
        upsert.executeUpdate(); // keeps the row until the commit
        if (row.getRecordNumber() % BATCH == 0) {
          connection.commit();
        }
      }
      connection.commit();
    }
  }

  void compact() throws Exception {
    try (Admin admin = connection.unwrap(PhoenixConnection.class).getQueryServices().getAdmin()) {
      TableName[] tables = admin.listTableNames();
      for (TableName table : tables) {
        admin.flush(table);
        admin.majorCompact(table);
      }
      Thread.sleep(POLL_MS);
      for (TableName table : tables) {
        while (admin.getCompactionState(table) != CompactionState.NONE) {
          Thread.sleep(POLL_MS);
        }
      }
    }
  }

  // ---- commands

  void run(String[] words) throws Exception {
    switch (words[0]) {
      case "execute":
        execute(words[1]);
        break;
      case "query":
        query(words[1]);
        break;
      case "load":
        load(words[1], words[2]);
        break;
      case "compact":
        compact();
        break;
      default:
        throw new IllegalArgumentException("no command " + words[0]);
    }
  }

  public static void main(String[] arguments) throws Exception {
    PrintStream out = new PrintStream(System.out, false, StandardCharsets.UTF_8);
    TpchPhoenix phoenix = new TpchPhoenix(arguments[0], Integer.parseInt(arguments[1]), out);
    BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String line = in.readLine(); line != null; line = in.readLine()) {
      try {
        phoenix.run(line.split("\t", -1));
        out.println(".");
      } catch (Exception | Error failure) { // also StackOverflowError of a statement
        out.println("! " + failure.toString().replace('\n', ' '));
      }
      out.flush();
    }
    System.exit(0); // the driver's own threads go on otherwise
  }
}
