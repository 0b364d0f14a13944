// SPDX-License-Identifier: LGPL-2.1-or-later
//
// BenchPhoenix.java: the same workloads with Phoenix's JDBC driver, or with its thin driver and the query server, with the
// protocol of tests/bench/program.h (one thread).
//
//   java BenchPhoenix JDBC-URL ROWS
//
// Statements are prepared once, each batch is one commit, and long results are fetched in large blocks.

import java.lang.management.ManagementFactory;
import java.sql.Connection;
import java.sql.Date;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import java.util.Properties;
import java.util.Scanner;

public class BenchPhoenix {
    static final int PER_CUSTOMER = 1000, PER_DAY = 100, DAYS = 100, FIRST_DAY = 20000, BATCH = 1000, IN = 100, QTY = 42;
    static final int FETCH = 5000;
    static final long DAY_MS = 86400000L;

    final Connection connection;
    final long rows;
    final Map<String, PreparedStatement> statements = new HashMap<>();
    long sum;

    BenchPhoenix(String url, long rows) throws SQLException {
        Properties properties = new Properties();
        connection = DriverManager.getConnection(url, properties);
        connection.setAutoCommit(false);
        this.rows = rows;
    }

    // ---- the tuples of events.h

    static String customer(long number) {
        return String.format("c%08d", number / PER_CUSTOMER);
    }

    static Date day(long number) {
        return new Date((FIRST_DAY + number / PER_CUSTOMER % 10 * 10 + number % PER_CUSTOMER / PER_DAY) * DAY_MS);
    }

    long some(long number, long n) {
        return number * 7919 % n;
    }

    // ---- statements

    PreparedStatement prepare(String sql) throws SQLException {
        PreparedStatement statement = statements.get(sql);
        if (statement == null) {
            statement = connection.prepareStatement(sql);
            statement.setFetchSize(FETCH);
            statements.put(sql, statement);
        }
        return statement;
    }

    /** Reads every value, as a program that sums them. */
    long consume(PreparedStatement statement) throws SQLException {
        long n = 0;
        try (ResultSet result = statement.executeQuery()) {
            int columns = result.getMetaData().getColumnCount();
            for (; result.next(); n++)
                for (int i = 1; i <= columns; i++)
                    sum += columns == 6 ? look(result, i) : result.getLong(i == 1 ? 2 : i);
        }
        return n;
    }

    long look(ResultSet result, int column) throws SQLException {
        switch (column) {
            case 1: case 6: return result.getString(column).length();
            case 2: return result.getDate(column).getTime();
            case 4: return (long) result.getDouble(column);
            default: return result.getLong(column);
        }
    }

    // ---- reading

    long execute(String table, long number) throws SQLException {
        PreparedStatement statement = prepare("SELECT * FROM " + table + " WHERE cust = ? AND \"DAY\" = ? AND id = ?");
        long some = some(number, rows);
        statement.setString(1, customer(some));
        statement.setDate(2, day(some));
        statement.setLong(3, some);
        return consume(statement);
    }

    long in(String table, long number) throws SQLException {
        String marks = String.join(", ", Collections.nCopies(IN, "?"));
        PreparedStatement statement = prepare("SELECT * FROM " + table + " WHERE cust = ? AND \"DAY\" = ? AND id IN (" + marks + ")");
        long first = some(number, rows / IN) * IN;
        statement.setString(1, customer(first));
        statement.setDate(2, day(first));
        for (int i = 0; i < IN; i++)
            statement.setLong(3 + i, first + i);
        return consume(statement);
    }

    long range(String table, long number) throws SQLException {
        PreparedStatement statement = prepare("SELECT * FROM " + table + " WHERE cust = ?");
        statement.setString(1, customer(some(number * PER_CUSTOMER, rows)));
        return consume(statement);
    }

    long byDay(String table, long number) throws SQLException {
        PreparedStatement statement = prepare("SELECT * FROM " + table + " WHERE \"DAY\" = ?");
        statement.setDate(1, new Date((FIRST_DAY + number % DAYS) * DAY_MS));
        return consume(statement);
    }

    long filter(String table) throws SQLException {
        return consume(prepare("SELECT * FROM " + table + " WHERE qty = " + QTY));
    }

    long scan(String table) throws SQLException {
        return consume(prepare("SELECT * FROM " + table));
    }

    long group(String table) throws SQLException {
        return consume(prepare("SELECT \"DAY\", count(*), sum(qty) FROM " + table + " GROUP BY \"DAY\""));
    }

    // ---- writing

    PreparedStatement bind(String table, long number) throws SQLException {
        PreparedStatement statement = prepare("UPSERT INTO " + table + " VALUES (?, ?, ?, ?, ?, ?)");
        statement.setString(1, customer(number));
        statement.setDate(2, day(number));
        statement.setLong(3, number);
        statement.setDouble(4, number * 0.5);
        statement.setInt(5, (int) (number % 100));
        statement.setString(6, "note " + number);
        return statement;
    }

    long insert(String table, long number) throws SQLException {
        bind(table, number).executeUpdate();
        connection.commit();
        return 1;
    }

    long bulk(String table, long number) throws SQLException {
        for (int i = 0; i < BATCH; i++)
            bind(table, number * BATCH + i).addBatch();
        bind(table, number * BATCH).executeBatch();
        connection.commit();
        return BATCH;
    }

    long ddl(String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
        return 0;
    }

    long create(String table) throws SQLException {
        return ddl("CREATE TABLE " + table + " (cust VARCHAR NOT NULL, \"DAY\" DATE NOT NULL, id BIGINT NOT NULL, price DOUBLE, "
                   + "qty INTEGER, note VARCHAR CONSTRAINT pk PRIMARY KEY (cust, \"DAY\", id))");
    }

    long index(String table) throws SQLException {
        return ddl("CREATE INDEX " + table + "_D ON " + table + " (\"DAY\") INCLUDE (price, qty, note)");
    }

    // ---- commands

    long run(String command, String table, long number) throws SQLException {
        switch (command) {
            case "execute": return execute(table, number);
            case "in": return in(table, number);
            case "range": return range(table, number);
            case "day": return byDay(table, number);
            case "filter": return filter(table);
            case "scan": return scan(table);
            case "group": return group(table);
            case "insert": return insert(table, number);
            case "bulk": return bulk(table, number);
            case "create": return create(table);
            case "index": return index(table);
            default: throw new IllegalArgumentException(command);
        }
    }

    static long cpu() {
        return ((com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean()).getProcessCpuTime();
    }

    String answer(String command, String table, long first, int calls) throws SQLException {
        long[] times = new long[calls];
        long n = 0, cpu = cpu(), start = System.nanoTime(), before = start;
        for (int i = 0; i < calls; i++) {
            n += run(command, table, first + i);
            long now = System.nanoTime();
            times[i] = now - before;
            before = now;
        }
        cpu = cpu() - cpu;
        Arrays.sort(times);
        return String.format("{\"calls\": %d, \"rows\": %d, \"wall\": %d, \"cpu\": %d, \"p50\": %d, \"p99\": %d}",
                             calls, n, before - start, cpu, times[calls / 2], times[(int) (calls * 99L / 100)]);
    }

    public static void main(String[] arguments) throws SQLException {
        BenchPhoenix bench = new BenchPhoenix(arguments[0], Long.parseLong(arguments[1]));
        Scanner lines = new Scanner(System.in);
        while (lines.hasNext()) {
            String command = lines.next(), table = lines.next();
            long first = lines.nextLong();
            int calls = lines.nextInt();
            lines.nextInt();
            System.out.println(bench.answer(command, table, first, calls));
        }
        System.exit(0);  // the driver's own threads go on otherwise
    }
}
