// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * JdbcClient.java: what programs do with pgjdbc. Each step prints one line: its name, and what it gives as JSON, or its SQLSTATE.
 *
 * Usage: java -cp JARS JdbcClient.java URL
 */
import java.io.StringReader;
import java.io.StringWriter;
import java.math.BigDecimal;
import java.sql.Array;
import java.sql.Connection;
import java.sql.Date;
import java.sql.DatabaseMetaData;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Timestamp;
import java.sql.Types;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Properties;
import java.util.UUID;
import org.postgresql.PGConnection;
import org.postgresql.copy.CopyManager;
import org.postgresql.util.PGobject;

public class JdbcClient {
  interface Work {
    Object run() throws Exception;
  }

  static final OffsetDateTime INSTANT = OffsetDateTime.of(2024, 7, 1, 12, 0, 0, 123000000, ZoneOffset.ofHours(2));
  static final Timestamp STAMP = Timestamp.from(INSTANT.toInstant());

  static String json(Object value) {
    if (value == null) {
      return "null";
    }
    if (value instanceof Number || value instanceof Boolean) {
      return value.toString();
    }
    if (value instanceof List<?> list) {
      List<String> parts = new ArrayList<>();
      for (Object each : list) {
        parts.add(json(each));
      }
      return "[" + String.join(",", parts) + "]";
    }
    if (value instanceof byte[] bytes) {
      return json(Arrays.toString(bytes));
    }
    if (value instanceof Timestamp stamp) {
      return json(stamp.toInstant().toString());
    }
    StringBuilder text = new StringBuilder("\"");
    for (char c : value.toString().toCharArray()) {
      text.append(c == '"' || c == '\\' ? "\\" + c : c < ' ' ? String.format("\\u%04x", (int) c) : String.valueOf(c));
    }
    return text.append('"').toString();
  }

  static void step(String name, Work work) {
    String shown;
    try {
      shown = json(work.run());
    } catch (SQLException failure) {
      shown = "{\"error\":" + json(failure.getSQLState()) + "}";
    } catch (Exception failure) {
      shown = "{\"error\":" + json(failure.toString()) + "}";
    }
    System.out.println(name + "\t" + shown);
  }

  static List<Object> rows(ResultSet set, String... names) throws SQLException {
    List<Object> rows = new ArrayList<>();
    try (set) {
      while (set.next()) {
        List<Object> row = new ArrayList<>();
        if (names.length == 0) {
          for (int i = 1; i <= set.getMetaData().getColumnCount(); i++) {
            Object value = set.getObject(i);
            row.add(value instanceof PGobject object ? object.getValue() : value);
          }
        }
        for (String column : names) {
          row.add(set.getObject(column));
        }
        rows.add(row);
      }
    }
    return rows;
  }

  static List<Object> query(Connection connection, String sql, Object... values) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      for (int i = 0; i < values.length; i++) {
        statement.setObject(i + 1, values[i]);
      }
      return rows(statement.executeQuery());
    }
  }

  static int update(Connection connection, String sql, Object... values) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      for (int i = 0; i < values.length; i++) {
        statement.setObject(i + 1, values[i]);
      }
      return statement.executeUpdate();
    }
  }

  static void use(Connection c, String url) {
    step("create", () -> update(c, "CREATE TABLE account (id int PRIMARY KEY, name varchar(20) NOT NULL, sum numeric(10,2), born date, "
        + "seen timestamptz, clock timestamp, ok boolean, doc jsonb, d double precision, f real, big bigint, small smallint, b bytea, u uuid, at time)"));
    step("insert", () -> {
      try (PreparedStatement s = c.prepareStatement("INSERT INTO account VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)")) {
        PGobject document = new PGobject();
        document.setType("jsonb");
        document.setValue("{\"a\": [1, null]}");
        s.setInt(1, 1);
        s.setString(2, "ann");
        s.setBigDecimal(3, new BigDecimal("12.50"));
        s.setDate(4, Date.valueOf("2024-02-29"));
        s.setTimestamp(5, STAMP);
        s.setTimestamp(6, STAMP);
        s.setBoolean(7, true);
        s.setObject(8, document);
        s.setDouble(9, 1.5);
        s.setFloat(10, 0.25f);
        s.setLong(11, 9007199254740993L);
        s.setShort(12, (short) -7);
        s.setBytes(13, new byte[] {0, -1});
        s.setObject(14, UUID.fromString("a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11"));
        s.setTime(15, java.sql.Time.valueOf("12:34:56"));
        return s.executeUpdate();
      }
    });
    step("insert nulls", () -> {
      try (PreparedStatement s = c.prepareStatement("INSERT INTO account (id, name, sum, seen, ok, u) VALUES (?,?,?,?,?,?)")) {
        s.setInt(1, 2);
        s.setString(2, "bob");
        s.setNull(3, Types.NUMERIC);
        s.setNull(4, Types.TIMESTAMP);
        s.setNull(5, Types.BOOLEAN);
        s.setNull(6, Types.OTHER);
        return s.executeUpdate();
      }
    });
    step("select", () -> query(c, "SELECT * FROM account ORDER BY id"));
    for (int i = 0; i < 8; i++) {  // prepared on the server from the fifth on, then binary
      if (i % 7 == 0) {
        step("again " + i, () -> query(c, "SELECT id, name, sum, born, seen, clock, d, big, u, b FROM account WHERE id = ? AND name = ?", 1, "ann"));
      } else {
        try {
          query(c, "SELECT id, name, sum, born, seen, clock, d, big, u, b FROM account WHERE id = ? AND name = ?", 1, "ann");
        } catch (SQLException failure) {
          System.out.println("again\t\"" + failure.getSQLState() + "\"");
        }
      }
    }
    step("times", () -> query(c, "SELECT id FROM account WHERE seen = ? AND clock = ? AND born = ?", STAMP, STAMP, Date.valueOf("2024-02-29")));
    step("java.time", () -> query(c, "SELECT id FROM account WHERE seen = ? AND clock = ? AND born = ?", INSTANT,
        LocalDateTime.of(2024, 7, 1, 12, 0, 0, 123000000), LocalDate.of(2024, 2, 29)));
    step("java.time read", () -> {
      try (Statement s = c.createStatement(); ResultSet r = s.executeQuery("SELECT seen, clock, born FROM account WHERE id = 1")) {
        r.next();
        return Arrays.asList(r.getObject(1, OffsetDateTime.class).toInstant(), r.getObject(2, LocalDateTime.class), r.getObject(3, LocalDate.class));
      }
    });
    step("array", () -> {
      Array ids = c.createArrayOf("int4", new Integer[] {1, 2, 3});
      Array names = c.createArrayOf("text", new String[] {"ann", "x\"y"});
      return query(c, "SELECT id FROM account WHERE id = ANY (?) AND name = ANY (?)", ids, names);
    });
    step("types", () -> {
      try (Statement s = c.createStatement(); ResultSet r = s.executeQuery("SELECT * FROM account LIMIT 0")) {
        ResultSetMetaData data = r.getMetaData();
        List<Object> columns = new ArrayList<>();
        for (int i = 1; i <= data.getColumnCount(); i++) {
          columns.add(Arrays.asList(data.getColumnLabel(i), data.getColumnTypeName(i), data.getColumnType(i), data.getColumnClassName(i),
              data.getPrecision(i), data.getScale(i)));
        }
        return columns;
      }
    });
    step("parameters", () -> {
      try (PreparedStatement s = c.prepareStatement("SELECT id FROM account WHERE name = ? AND sum > ? AND seen < ?")) {
        List<Object> types = new ArrayList<>();
        for (int i = 1; i <= s.getParameterMetaData().getParameterCount(); i++) {
          types.add(s.getParameterMetaData().getParameterTypeName(i));
        }
        return types;
      }
    });
    step("batch", () -> {
      try (PreparedStatement s = c.prepareStatement("INSERT INTO account (id, name) VALUES (?, ?)")) {
        for (int i = 10; i < 15; i++) {
          s.setInt(1, i);
          s.setString(2, "n" + i);
          s.addBatch();
        }
        return Arrays.toString(s.executeBatch());
      }
    });
    step("failed batch", () -> {
      try (PreparedStatement s = c.prepareStatement("INSERT INTO account (id, name) VALUES (?, ?)")) {
        s.setInt(1, 10);
        s.setString(2, "x");
        s.addBatch();
        return Arrays.toString(s.executeBatch());
      }
    });
    step("returning", () -> query(c, "UPDATE account SET d = d + ?, seen = ? WHERE id = ? RETURNING id, d, seen", 1.0, STAMP, 1));
    step("generated keys", () -> {
      try (Statement s = c.createStatement()) {
        s.execute("CREATE TABLE numbered (id serial PRIMARY KEY, name text)");
        try (PreparedStatement p = c.prepareStatement("INSERT INTO numbered (name) VALUES (?), (?)", Statement.RETURN_GENERATED_KEYS)) {
          p.setString(1, "a");
          p.setString(2, "b");
          p.executeUpdate();
          return rows(p.getGeneratedKeys());
        }
      }
    });
    step("key columns", () -> {
      try (PreparedStatement p = c.prepareStatement("INSERT INTO numbered (name) VALUES (?)", new String[] {"id"})) {
        p.setString(1, "c");
        p.executeUpdate();
        return rows(p.getGeneratedKeys());
      }
    });
    step("fetch size", () -> {
      c.setAutoCommit(false);
      try (Statement s = c.createStatement()) {
        s.setFetchSize(2);
        return rows(s.executeQuery("SELECT id FROM account ORDER BY id"));
      } finally {
        c.commit();
        c.setAutoCommit(true);
      }
    });
    step("max rows", () -> {
      try (Statement s = c.createStatement()) {
        s.setMaxRows(3);
        return rows(s.executeQuery("SELECT id FROM account ORDER BY id"));
      }
    });
    step("scrolling", () -> {
      try (Statement s = c.createStatement(ResultSet.TYPE_SCROLL_INSENSITIVE, ResultSet.CONCUR_READ_ONLY);
          ResultSet r = s.executeQuery("SELECT id FROM account ORDER BY id")) {
        r.last();
        int last = r.getRow();
        r.first();
        return Arrays.asList(last, r.getInt(1));
      }
    });
    step("update set", () -> {
      try (Statement s = c.createStatement(ResultSet.TYPE_FORWARD_ONLY, ResultSet.CONCUR_UPDATABLE);
          ResultSet r = s.executeQuery("SELECT id, name FROM account WHERE id = 10")) {
        r.next();
        r.updateString("name", "changed");
        r.updateRow();
      }
      return query(c, "SELECT name FROM account WHERE id = 10");
    });
    step("several", () -> {
      try (Statement s = c.createStatement()) {
        List<Object> found = new ArrayList<>();
        for (boolean more = s.execute("SELECT 1; UPDATE account SET d = 0 WHERE id = 12; SELECT 2"); more || s.getUpdateCount() >= 0;
            more = s.getMoreResults()) {
          found.add(more ? rows(s.getResultSet()) : s.getUpdateCount());
        }
        return found;
      }
    });
    step("copy in", () -> new CopyManager(c.unwrap(org.postgresql.core.BaseConnection.class))
        .copyIn("COPY account (id, name) FROM STDIN WITH (FORMAT csv)", new StringReader("100,a\n101,\"b \"\"q\"\"\"\n")));
    step("copy out", () -> {
      StringWriter out = new StringWriter();
      new CopyManager(c.unwrap(org.postgresql.core.BaseConnection.class)).copyOut("COPY (SELECT id, name FROM account WHERE id >= 100 ORDER BY id) TO STDOUT", out);
      return out.toString();
    });
    step("no such column", () -> query(c, "SELECT nosuch FROM account"));
    step("duplicate", () -> update(c, "INSERT INTO account (id, name) VALUES (1, 'x')"));
    step("not null", () -> update(c, "INSERT INTO account (id) VALUES (?)", 99));
    step("too long", () -> update(c, "INSERT INTO account (id, name) VALUES (99, ?)", "x".repeat(21)));
    step("failed block", () -> {
      c.setAutoCommit(false);
      try {
        try {
          query(c, "SELECT nosuch");
        } catch (SQLException expected) {
          // the block has failed
        }
        return query(c, "SELECT 1");
      } finally {
        c.rollback();
        c.setAutoCommit(true);
      }
    });
    step("savepoint", () -> {
      c.setAutoCommit(false);
      try {
        c.releaseSavepoint(c.setSavepoint("x"));
        return query(c, "SELECT 1");
      } finally {
        c.commit();
        c.setAutoCommit(true);
      }
    });
    step("read only", () -> {
      c.setReadOnly(true);
      c.setAutoCommit(false);
      try {
        return update(c, "DELETE FROM account");
      } finally {
        c.rollback();
        c.setAutoCommit(true);
        c.setReadOnly(false);
      }
    });
    step("time-out", () -> {
      try (Statement s = c.createStatement()) {
        s.setQueryTimeout(1);
        return rows(s.executeQuery("SELECT count(*) FROM generate_series(1, 3000) a, generate_series(1, 3000) b, generate_series(1, 3000) c"));
      }
    });
    step("cancel", () -> {
      try (Statement s = c.createStatement()) {
        Thread other = new Thread(() -> {
          try {
            Thread.sleep(300);
            s.cancel();
          } catch (Exception failure) {
            System.out.println(failure);
          }
        });
        other.start();
        try {
          return rows(s.executeQuery("SELECT count(*) FROM generate_series(1, 3000) a, generate_series(1, 3000) b, generate_series(1, 3000) c"));
        } finally {
          other.join();
        }
      }
    });
    step("statement changes", () -> {
      query(c, "SELECT * FROM numbered ORDER BY id");
      update(c, "ALTER TABLE numbered ADD COLUMN more text");
      return query(c, "SELECT * FROM numbered ORDER BY id");
    });
  }

  static void describe(Connection c) {
    step("meta: tables", () -> rows(c.getMetaData().getTables(null, "public", "%", new String[] {"TABLE", "VIEW"}), "TABLE_SCHEM", "TABLE_NAME", "TABLE_TYPE"));
    step("meta: columns", () -> rows(c.getMetaData().getColumns(null, "public", "account", "%"), "COLUMN_NAME", "DATA_TYPE", "TYPE_NAME", "COLUMN_SIZE",
        "DECIMAL_DIGITS", "NULLABLE", "ORDINAL_POSITION", "IS_NULLABLE"));
    step("meta: keys", () -> rows(c.getMetaData().getPrimaryKeys(null, "public", "account"), "COLUMN_NAME", "KEY_SEQ", "PK_NAME"));
    step("meta: indexes", () -> rows(c.getMetaData().getIndexInfo(null, "public", "account", false, true), "INDEX_NAME", "NON_UNIQUE", "COLUMN_NAME"));
    step("meta: imported", () -> rows(c.getMetaData().getImportedKeys(null, "public", "account")));
    step("meta: kinds", () -> rows(c.getMetaData().getTableTypes()).contains(List.of("TABLE")));
    step("meta: schemas", () -> rows(c.getMetaData().getSchemas(), "TABLE_SCHEM").contains(List.of("public")));
    step("meta: catalog", () -> c.getCatalog());
    step("meta: default", () -> rows(c.getMetaData().getColumns(null, "public", "numbered", "id"), "IS_AUTOINCREMENT"));
    step("meta: product", () -> {
      DatabaseMetaData data = c.getMetaData();
      return Arrays.asList(data.getDatabaseProductName(), data.getURL() != null, data.supportsTransactions(), data.getIdentifierQuoteString());
    });
    step("drop", () -> update(c, "DROP TABLE account"));
    step("drop numbered", () -> update(c, "DROP TABLE numbered"));
  }

  public static void main(String[] arguments) throws Exception {
    Properties properties = new Properties();
    properties.setProperty("user", "test");
    try (Connection connection = DriverManager.getConnection(arguments[0], properties)) {
      use(connection, arguments[0]);
      describe(connection);
    }
    properties.setProperty("preferQueryMode", "simple");
    try (Connection connection = DriverManager.getConnection(arguments[0], properties)) {
      step("simple", () -> query(connection, "SELECT ?::int + 1, ?::text, ?::timestamptz", 1, "it's", STAMP));
    }
  }
}
