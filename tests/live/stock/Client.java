// SPDX-License-Identifier: LGPL-2.1-or-later
//
// Client.java: a Java program of nothing but what `thrift --gen java kvsql.thrift` writes and the stock libthrift.
//
// Client HOST PORT framed|unframed binary|compact: prints TAP.

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.apache.thrift.protocol.TBinaryProtocol;
import org.apache.thrift.protocol.TCompactProtocol;
import org.apache.thrift.protocol.TProtocol;
import org.apache.thrift.transport.TSocket;
import org.apache.thrift.transport.TTransport;
import org.apache.thrift.transport.layered.TFramedTransport;
import org.kvsql.rpc.Column;
import org.kvsql.rpc.ErrorCode;
import org.kvsql.rpc.Page;
import org.kvsql.rpc.QueryOptions;
import org.kvsql.rpc.ServerInfo;
import org.kvsql.rpc.Sql;
import org.kvsql.rpc.SqlError;
import org.kvsql.rpc.Statement;
import org.kvsql.rpc.Value;

public final class Client {
  private static final int N_ROWS = 25;
  private static final int PAGE_ROWS = 10;
  private static int nTests;
  private static int nFailures;

  private interface Test {
    void run() throws Exception;
  }

  private final Sql.Client sql;
  private final String relation;

  private Client(TProtocol protocol, String relation) {
    this.sql = new Sql.Client(protocol);
    this.relation = relation;
  }

  private static void check(boolean isTrue, Object found) {
    if (!isTrue) {
      throw new AssertionError(String.valueOf(found));
    }
  }

  private static void report(String name, Test test) {
    nTests++;
    try {
      test.run();
      System.out.println("ok " + nTests + " /java/" + name);
    } catch (Exception | AssertionError error) {
      nFailures++;
      System.out.println("# " + String.valueOf(error).replace("\n", "\n# "));
      System.out.println("not ok " + nTests + " /java/" + name);
    }
  }

  private Page query(String text, Value... parameters) throws Exception {
    return sql.query(text, List.of(parameters), new QueryOptions());
  }

  private void hello() throws Exception {
    ServerInfo info = sql.hello(1, "Client.java");
    check(info.getApiVersion() == 1 && !info.getVersion().isEmpty(), info);
  }

  private void define() throws Exception {
    query("DEFINE RELATION " + relation + " { k STRING KEY, n BIGINT, f DOUBLE, b BOOLEAN, x BYTES }");
    query("DEFINE PRIMARY SCHEMA " + relation + "_p FOR " + relation + " { TABLE '" + relation
        + "', ROW k, FAMILY 'f', QUALIFIER attr_name['k'], VALUE attr_value['k'] }");
  }

  private static byte[] bytes(int number) {
    return new byte[] {(byte) number, 0, (byte) 255};
  }

  private void insert() throws Exception {
    Page page = query("INSERT INTO " + relation + " VALUES (?, ?, ?, ?, ?)", Value.s("k00"), Value.i(0), Value.d(0),
        Value.b(true), Value.x(bytes(0)));
    check(page.getAffected() == 1, page);
    List<String> keys = new ArrayList<>();
    List<Long> numbers = new ArrayList<>();
    List<Double> reals = new ArrayList<>();
    List<Boolean> flags = new ArrayList<>();
    List<ByteBuffer> blobs = new ArrayList<>();
    for (int i = 1; i < N_ROWS; i++) {
      keys.add(String.format("k%02d", i));
      numbers.add(i * 10_000_000_000L);
      reals.add(i / 4.0);
      flags.add(i % 2 == 0);
      blobs.add(ByteBuffer.wrap(bytes(i)));
    }
    long affected = sql.insertRows(relation, List.of("k", "n", "f", "b", "x"), N_ROWS - 1,
        List.of(new Column().setS(keys), new Column().setI(numbers), new Column().setD(reals), new Column().setB(flags),
            new Column().setX(blobs)),
        new QueryOptions());
    check(affected == N_ROWS - 1, affected);
    query("INSERT INTO " + relation + " (k, n, f) VALUES ('null', ?, 1.5)", Value.isNull(true));
  }

  private void select() throws Exception {
    Page page = query("SELECT k, n, f, b, x FROM " + relation + " WHERE k = ?", Value.s("k07"));
    check(page.getNrows() == 1 && page.getInfo().size() == 5, page);
    check(page.getColumns().get(0).getS().equals(List.of("k07")), page);
    check(page.getColumns().get(1).getI().equals(List.of(70_000_000_000L)), page);
    check(page.getColumns().get(2).getD().equals(List.of(1.75)), page);
    check(page.getColumns().get(3).getB().equals(List.of(false)), page);
    check(page.getColumns().get(4).getX().get(0).equals(ByteBuffer.wrap(bytes(7))), page);
    page = query("SELECT n FROM " + relation + " WHERE k = 'null'");
    check((page.getColumns().get(0).getNulls()[0] & 1) == 1, page);
  }

  private void pages() throws Exception {
    Page page = sql.query("SELECT k FROM " + relation + " WHERE k LIKE 'k%' ORDER BY k", Collections.emptyList(),
        new QueryOptions().setMaxRows(PAGE_ROWS));
    List<String> keys = new ArrayList<>(page.getColumns().get(0).getS());
    int nPages = 1;
    while (page.isSetCursor()) {
      page = sql.fetch(ByteBuffer.wrap(page.getCursor()), new QueryOptions().setMaxRows(PAGE_ROWS));
      keys.addAll(page.getColumns().get(0).getS());
      nPages++;
    }
    check(nPages == 3 && keys.size() == N_ROWS, nPages + " pages, " + keys);
    check(keys.get(0).equals("k00") && keys.get(N_ROWS - 1).equals("k24"), keys);
  }

  private void prepared() throws Exception {
    Statement statement = sql.prepare("SELECT n FROM " + relation + " WHERE k = ?");
    for (int i = 0; i < N_ROWS; i++) {
      Page page = sql.execute(statement.getId(), List.of(Value.s(String.format("k%02d", i))), new QueryOptions());
      check(page.getColumns().get(0).getI().equals(List.of(i * 10_000_000_000L)), page);
    }
    sql.closeStatement(statement.getId());
  }

  private void errors() throws Exception {
    try {
      query("SELECT missing FROM " + relation);
      throw new AssertionError("it did not fail");
    } catch (SqlError error) {
      check(error.getCode() == ErrorCode.UNKNOWN_NAME.getValue() && error.getPosition() == 7, error);
      check(error.getSqlstate().length() == 5 && !error.isRetryable(), error);
    }
    check(query("SELECT k FROM " + relation + " WHERE k = 'k01'").getNrows() == 1, "the connection is of no more use");
  }

  public static void main(String[] arguments) throws Exception {
    TTransport transport = new TSocket(arguments[0], Integer.parseInt(arguments[1]));
    transport.open();
    if (arguments[2].equals("framed")) {
      transport = new TFramedTransport(transport);
    }
    TProtocol protocol
        = arguments[3].equals("binary") ? new TBinaryProtocol(transport) : new TCompactProtocol(transport);
    Client client = new Client(protocol, "java_" + arguments[2] + "_" + arguments[3]);
    report("hello", client::hello);
    report("define", client::define);
    report("insert", client::insert);
    report("select", client::select);
    report("pages", client::pages);
    report("prepared", client::prepared);
    report("errors", client::errors);
    transport.close();
    System.out.println("1.." + nTests);
    System.exit(nFailures == 0 ? 0 : 1);
  }
}
