/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Foreign.java: the other side of the tests: HBase's Java client and Phoenix's JDBC driver.
 *
 *   java -cp CLASSPATH Foreign.java HOST:PORT
 *
 * HOST:PORT is HBase's ZooKeeper. A line of standard input is a command, its words separated by tabs:
 *
 *   create TABLE FAMILY            put TABLE ROW FAMILY QUALIFIER VALUE (bytes in hex)
 *   cells TABLE                    ROW FAMILY:QUALIFIER VALUE of each cell, in hex
 *   write TABLE                    writes the tuples of bytes-and-ordered as Java programs do
 *   read TABLE                     reads them as such a program does
 *   sql STATEMENT                  through Phoenix; NULL is \N, an array its elements with U+001F before each
 *   arrays STATEMENT ARRAY ...     the same with a parameter for each ARRAY: the type of its elements, and they; \N is NULL
 *
 * The answer is some lines and a line ".", or "! MESSAGE".
 */
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.sql.Array;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.Statement;
import java.sql.Types;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.Order;
import org.apache.hadoop.hbase.util.OrderedBytes;
import org.apache.hadoop.hbase.util.PositionedByteRange;
import org.apache.hadoop.hbase.util.SimplePositionedMutableByteRange;

public class Foreign {
  static Connection hbase;
  static java.sql.Connection phoenix;
  static String zookeeper;
  static final List<String> answer = new ArrayList<>();

  // ---- HBase

  static void create(String table, String family) throws Exception {
    try (Admin admin = hbase.getAdmin()) {
      admin.createTable(TableDescriptorBuilder.newBuilder(TableName.valueOf(table))
          .setColumnFamily(ColumnFamilyDescriptorBuilder.of(family)).build());
    }
  }

  static void put(String table, byte[] row, byte[] family, byte[] qualifier, byte[] value) throws Exception {
    try (Table opened = hbase.getTable(TableName.valueOf(table))) {
      opened.put(new Put(row).addColumn(family, qualifier, value));
    }
  }

  static String hex(byte[] bytes) {
    StringBuilder text = new StringBuilder();
    for (byte each : bytes) {
      text.append(String.format("%02x", each));
    }
    return text.toString();
  }

  static byte[] bytes(String hex) {
    byte[] result = new byte[hex.length() / 2];
    for (int i = 0; i < result.length; i++) {
      result[i] = (byte) Integer.parseInt(hex.substring(2 * i, 2 * i + 2), 16);
    }
    return result;
  }

  static void cells(String table) throws Exception {
    try (Table opened = hbase.getTable(TableName.valueOf(table));
        ResultScanner scanner = opened.getScanner(new Scan())) {
      for (Result row : scanner) {
        for (Cell cell : row.rawCells()) {
          answer.add(hex(CellUtil.cloneRow(cell)) + "\t" + Bytes.toString(CellUtil.cloneFamily(cell)) + ":"
              + Bytes.toString(CellUtil.cloneQualifier(cell)) + "\t" + hex(CellUtil.cloneValue(cell)));
        }
      }
    }
  }

  // ---- tuples of every type, written and read with HBase's own classes

  /** One tuple; the row is OrderedBytes of text and number, the number descending, and the cells are both encodings. */
  static class Tuple {
    String name;
    int i;
    long l;
    float f;
    double d;
    boolean b;
    BigDecimal n;
    String s; // may be null: OrderedBytes has a form for it

    static Tuple of(String name, int i, long l, float f, double d, boolean b, String n, String s) {
      Tuple tuple = new Tuple();
      tuple.name = name;
      tuple.i = i;
      tuple.l = l;
      tuple.f = f;
      tuple.d = d;
      tuple.b = b;
      tuple.n = new BigDecimal(n);
      tuple.s = s;
      return tuple;
    }

    byte[] row() {
      PositionedByteRange out = range();
      int length = OrderedBytes.encodeString(out, name, Order.ASCENDING);
      length += OrderedBytes.encodeInt64(out, l, Order.DESCENDING);
      return taken(out, length);
    }

    @Override
    public String toString() {
      return name + "\t" + i + "\t" + l + "\t" + f + "\t" + d + "\t" + b + "\t" + n.toPlainString() + "\t"
          + (s == null ? "\\N" : s);
    }
  }

  static final Tuple[] TUPLES = {
    Tuple.of("edge", Integer.MAX_VALUE, Long.MAX_VALUE, Float.MAX_VALUE, Double.MAX_VALUE, true, "99999999999999999999.5", "z"),
    Tuple.of("edge", Integer.MIN_VALUE, Long.MIN_VALUE, -Float.MAX_VALUE, -Double.MAX_VALUE, false, "-0.001", null),
    Tuple.of("one", 1, 1, 1.5f, 2.5, true, "1", ""),
    Tuple.of("one", -1, -1, -1.5f, -2.5, false, "-1.25", "\u00e9\u20ac"),
    Tuple.of("ones", 0, 0, 0f, 0, false, "0", "after one"),
  };

  static PositionedByteRange range() {
    return new SimplePositionedMutableByteRange(4096);
  }

  static byte[] taken(PositionedByteRange out, int length) {
    byte[] result = new byte[length];
    System.arraycopy(out.getBytes(), 0, result, 0, length);
    return result;
  }

  static byte[] orderedValue(Tuple tuple, Order order) {
    PositionedByteRange out = range();
    int length = OrderedBytes.encodeInt32(out, tuple.i, order);
    length += OrderedBytes.encodeFloat32(out, tuple.f, order);
    length += OrderedBytes.encodeFloat64(out, tuple.d, order);
    length += OrderedBytes.encodeInt8(out, (byte) (tuple.b ? 1 : 0), order);
    length += OrderedBytes.encodeNumeric(out, tuple.n, order);
    length += tuple.s == null ? OrderedBytes.encodeNull(out, order) : OrderedBytes.encodeString(out, tuple.s, order);
    return taken(out, length);
  }

  static final byte[] FAMILY = Bytes.toBytes("f");

  static void write(String table) throws Exception {
    try (Table opened = hbase.getTable(TableName.valueOf(table))) {
      for (Tuple tuple : TUPLES) {
        Put put = new Put(tuple.row());
        put.addColumn(FAMILY, Bytes.toBytes("i"), Bytes.toBytes(tuple.i));
        put.addColumn(FAMILY, Bytes.toBytes("f"), Bytes.toBytes(tuple.f));
        put.addColumn(FAMILY, Bytes.toBytes("d"), Bytes.toBytes(tuple.d));
        put.addColumn(FAMILY, Bytes.toBytes("b"), Bytes.toBytes(tuple.b));
        put.addColumn(FAMILY, Bytes.toBytes("n"), Bytes.toBytes(tuple.n));
        if (tuple.s != null) {
          put.addColumn(FAMILY, Bytes.toBytes("s"), Bytes.toBytes(tuple.s));
        }
        opened.put(put);
        Put up = new Put(Bytes.add(Bytes.toBytes("up-"), tuple.row()));
        up.addColumn(FAMILY, Bytes.toBytes("v"), orderedValue(tuple, Order.ASCENDING));
        Put down = new Put(Bytes.add(Bytes.toBytes("down-"), tuple.row()));
        down.addColumn(FAMILY, Bytes.toBytes("v"), orderedValue(tuple, Order.DESCENDING));
        opened.put(List.of(up, down));
      }
    }
  }

  static void readKey(byte[] row, int skip, Tuple tuple) {
    PositionedByteRange in = new SimplePositionedMutableByteRange(row);
    in.setPosition(skip);
    tuple.name = OrderedBytes.decodeString(in);
    tuple.l = OrderedBytes.decodeInt64(in);
    if (in.getRemaining() != 0) {
      throw new IllegalStateException("bytes after the key of " + hex(row));
    }
  }

  static Tuple readBytes(Result row) {
    Tuple tuple = new Tuple();
    readKey(row.getRow(), 0, tuple);
    tuple.i = Bytes.toInt(row.getValue(FAMILY, Bytes.toBytes("i")));
    tuple.f = Bytes.toFloat(row.getValue(FAMILY, Bytes.toBytes("f")));
    tuple.d = Bytes.toDouble(row.getValue(FAMILY, Bytes.toBytes("d")));
    tuple.b = Bytes.toBoolean(row.getValue(FAMILY, Bytes.toBytes("b")));
    tuple.n = Bytes.toBigDecimal(row.getValue(FAMILY, Bytes.toBytes("n")));
    byte[] s = row.getValue(FAMILY, Bytes.toBytes("s"));
    tuple.s = s == null ? null : Bytes.toString(s);
    return tuple;
  }

  static Tuple readOrdered(Result row, int skip) {
    Tuple tuple = new Tuple();
    readKey(row.getRow(), skip, tuple);
    PositionedByteRange in = new SimplePositionedMutableByteRange(row.getValue(FAMILY, Bytes.toBytes("v")));
    tuple.i = OrderedBytes.decodeInt32(in);
    tuple.f = OrderedBytes.decodeFloat32(in);
    tuple.d = OrderedBytes.decodeFloat64(in);
    tuple.b = OrderedBytes.decodeInt8(in) != 0;
    tuple.n = OrderedBytes.decodeNumericAsBigDecimal(in);
    tuple.s = OrderedBytes.isNull(in) ? null : OrderedBytes.decodeString(in);
    return tuple;
  }

  static void read(String table) throws Exception {
    try (Table opened = hbase.getTable(TableName.valueOf(table));
        ResultScanner scanner = opened.getScanner(new Scan())) {
      for (Result row : scanner) {
        String start = Bytes.toString(row.getRow(), 0, Math.min(row.getRow().length, 5));
        if (start.startsWith("up-")) {
          answer.add("up\t" + readOrdered(row, 3));
        } else if (start.startsWith("down-")) {
          answer.add("down\t" + readOrdered(row, 5));
        } else {
          answer.add("bytes\t" + readBytes(row));
        }
      }
    }
  }

  // ---- Phoenix

  static final String BEFORE_ELEMENT = "\u001f";

  static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSS'Z'").withZone(ZoneOffset.UTC);

  static String text(Object value) throws Exception {
    if (value == null) {
      return "\\N";
    }
    if (value instanceof byte[]) {
      return hex((byte[]) value);
    }
    if (value instanceof Array) {
      StringBuilder line = new StringBuilder();
      Object elements = ((Array) value).getArray();
      for (int i = 0; i < java.lang.reflect.Array.getLength(elements); i++) {
        line.append(BEFORE_ELEMENT).append(text(java.lang.reflect.Array.get(elements, i)));
      }
      return line.toString();
    }
    if (value instanceof BigDecimal) {
      return ((BigDecimal) value).toPlainString();
    }
    if (value instanceof java.util.Date) {
      return TIME.format(Instant.ofEpochMilli(((java.util.Date) value).getTime()));
    }
    return value.toString();
  }

  static void connect() throws Exception {
    if (phoenix == null) {
      phoenix = DriverManager.getConnection("jdbc:phoenix:" + zookeeper);
      phoenix.setAutoCommit(true);
    }
  }

  /** An element of an array, of the class that Phoenix expects. */
  static Object element(String type, String text) {
    if (text.equals("\\N")) {
      return null;
    }
    switch (type.replace("UNSIGNED_", "")) {
      case "TINYINT":
        return Byte.valueOf(text);
      case "SMALLINT":
        return Short.valueOf(text);
      case "INTEGER":
      case "INT":
        return Integer.valueOf(text);
      case "BIGINT":
      case "LONG":
        return Long.valueOf(text);
      case "FLOAT":
        return Float.valueOf(text);
      case "DOUBLE":
        return Double.valueOf(text);
      case "DECIMAL":
        return new BigDecimal(text);
      case "BOOLEAN":
        return Boolean.valueOf(text);
      case "DATE":
        return new java.sql.Date(Instant.parse(text).toEpochMilli());
      case "TIME":
        return new java.sql.Time(Instant.parse(text).toEpochMilli());
      case "TIMESTAMP":
        return new java.sql.Timestamp(Instant.parse(text).toEpochMilli());
      case "BINARY":
        return bytes(text);
      default:
        return text;
    }
  }

  static void arrays(String[] words) throws Exception {
    connect();
    try (PreparedStatement run = phoenix.prepareStatement(words[1])) {
      for (int i = 2; i < words.length; i++) {
        if (words[i].equals("\\N")) {
          run.setNull(i - 1, Types.ARRAY);
          continue;
        }
        String[] parts = words[i].split(BEFORE_ELEMENT, -1);
        Object[] elements = new Object[parts.length - 1];
        for (int j = 0; j < elements.length; j++) {
          elements[j] = element(parts[0], parts[j + 1]);
        }
        run.setArray(i - 1, phoenix.createArrayOf(parts[0], elements));
      }
      run.executeUpdate();
    }
  }

  static void sql(String statement) throws Exception {
    connect();
    try (Statement run = phoenix.createStatement()) {
      if (!run.execute(statement)) {
        return;
      }
      ResultSet rows = run.getResultSet();
      int n = rows.getMetaData().getColumnCount();
      while (rows.next()) {
        StringBuilder line = new StringBuilder();
        for (int i = 1; i <= n; i++) {
          Object value = rows.getObject(i);
          line.append(i > 1 ? "\t" : "").append(text(value));
        }
        answer.add(line.toString());
      }
    }
  }

  // ---- commands

  static void run(String[] words) throws Exception {
    switch (words[0]) {
      case "create":
        create(words[1], words[2]);
        break;
      case "put":
        put(words[1], bytes(words[2]), Bytes.toBytes(words[3]), bytes(words[4]), bytes(words[5]));
        break;
      case "cells":
        cells(words[1]);
        break;
      case "write":
        write(words[1]);
        break;
      case "read":
        read(words[1]);
        break;
      case "sql":
        sql(words[1]);
        break;
      case "arrays":
        arrays(words);
        break;
      default:
        throw new IllegalArgumentException("no command " + words[0]);
    }
  }

  public static void main(String[] arguments) throws Exception {
    PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
    Configuration configuration = HBaseConfiguration.create();
    int colon = arguments[0].lastIndexOf(':');
    zookeeper = arguments[0];
    configuration.set("hbase.zookeeper.quorum", arguments[0].substring(0, colon));
    configuration.set("hbase.zookeeper.property.clientPort", arguments[0].substring(colon + 1));
    configuration.set("hbase.defaults.for.version.skip", "true");
    hbase = ConnectionFactory.createConnection(configuration);
    BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String line = in.readLine(); line != null; line = in.readLine()) {
      answer.clear();
      try {
        run(line.split("\t", -1));
        answer.forEach(out::println);
        out.println(".");
      } catch (Exception failure) {
        out.println("! " + failure.toString().replace('\n', ' '));
      }
    }
    System.exit(0);
  }
}
