/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Zoo.java: tables as Java services write them, with HBase's client and its own classes of bytes.
 *
 *   java -cp CLASSPATH Zoo.java HOST:PORT PREFIX
 *
 * HOST:PORT is HBase's ZooKeeper. PREFIX is before the names of the tables. Each method is a program of its own. After its puts, it prints
 * what it knows of each row, one line of JSON: the table, the values of the key in the order of the
 * bytes, and the others by their columns.
 */
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.text.SimpleDateFormat;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Date;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TimeZone;
import java.util.UUID;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Increment;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.types.OrderedInt64;
import org.apache.hadoop.hbase.types.OrderedString;
import org.apache.hadoop.hbase.types.Struct;
import org.apache.hadoop.hbase.types.StructBuilder;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.MD5Hash;
import org.apache.hadoop.hbase.util.Order;
import org.apache.hadoop.hbase.util.SimplePositionedMutableByteRange;
import org.apache.hbase.thirdparty.com.google.gson.Gson;

public class Zoo {
  static final int ROWS = 240;
  static final Random random = new Random(20261201);
  static final Gson gson = new Gson();
  static final String[] FIRST = {"Ada", "Boris", "Chen", "Dilek", "Emeka", "Fatima", "Goran", "Hana", "Ines", "Jun", "Kofi", "Lena"};
  static final String[] LAST = {"Adeyemi", "Bauer", "Costa", "Dimitrov", "Eriksen", "Fischer", "Garcia", "Haddad", "Ito", "Jansen"};
  static final String[] PAGES = {"index", "cart", "search", "checkout", "help", "product", "login"};
  static Connection hbase;
  static String prefix;

  // ---- what the programs share

  static Table open(String table, String... families) throws Exception {
    TableName name = TableName.valueOf(prefix + table);
    try (Admin admin = hbase.getAdmin()) {
      TableDescriptorBuilder description = TableDescriptorBuilder.newBuilder(name);
      for (String family : families) {
        description.setColumnFamily(ColumnFamilyDescriptorBuilder.of(family));
      }
      admin.createTable(description.build());
    }
    return hbase.getTable(name);
  }

  static void tell(String table, List<Object> key, Object others) {
    Map<String, Object> line = new LinkedHashMap<>();
    line.put("table", table);
    line.put("key", key);
    line.put("others", others);
    System.out.println(gson.toJson(line));
  }

  static long moment() {
    return 1_680_000_000_000L + (long) (random.nextDouble() * 40_000_000_000L);
  }

  static String iso(long ms) {
    return DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSS'Z'").withZone(ZoneOffset.UTC).format(Instant.ofEpochMilli(ms));
  }

  static String name() {
    return FIRST[random.nextInt(FIRST.length)] + " " + LAST[random.nextInt(LAST.length)];
  }

  static <T> T one(T[] of) {
    return of[random.nextInt(of.length)];
  }

  static byte[] sha256(String text) throws Exception {
    return MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
  }

  // ---- the programs

  /** Clicks of visitors: four digits of MD5Hash, the visitor, the time that is left until the end of time. */
  static void clicks() throws Exception {
    try (Table table = open("clicks", "c")) {
      for (int i = 0; i < ROWS; i++) {
        String visitor = "v" + (10000 + random.nextInt(80000));
        long at = moment();
        String row = MD5Hash.getMD5AsHex(Bytes.toBytes(visitor)).substring(0, 4) + "-" + visitor + "-" + (Long.MAX_VALUE - at);
        String page = one(PAGES);
        table.put(new Put(Bytes.toBytes(row)).addColumn(Bytes.toBytes("c"), Bytes.toBytes("page"), Bytes.toBytes(page)));
        tell("clicks", List.of(visitor.substring(1), Long.MAX_VALUE - at), List.of(page));
      }
    }
  }

  /** Accounts: all kinds of Bytes.toBytes. */
  static void accounts() throws Exception {
    Set<Long> known = new HashSet<>();
    try (Table table = open("accounts", "a")) {
      while (known.size() < ROWS) {
        long number = 4_000_000_000L + random.nextInt(500_000_000);
        if (!known.add(number)) {
          continue;
        }
        String owner = name();
        BigDecimal balance = BigDecimal.valueOf(random.nextInt(9_000_000) * 100L + 1 + random.nextInt(99), 2);
        boolean isOpen = random.nextInt(10) > 0;
        double rate = random.nextInt(1000) / 64.0;
        int branch = 1 + random.nextInt(400);
        Put put = new Put(Bytes.toBytes(number));
        put.addColumn(Bytes.toBytes("a"), Bytes.toBytes("owner"), Bytes.toBytes(owner));
        put.addColumn(Bytes.toBytes("a"), Bytes.toBytes("balance"), Bytes.toBytes(balance));
        put.addColumn(Bytes.toBytes("a"), Bytes.toBytes("open"), Bytes.toBytes(isOpen));
        put.addColumn(Bytes.toBytes("a"), Bytes.toBytes("rate"), Bytes.toBytes(rate));
        put.addColumn(Bytes.toBytes("a"), Bytes.toBytes("branch"), Bytes.toBytes(branch));
        table.put(put);
        tell("accounts", List.of(number), Map.of("owner", owner, "balance", balance.stripTrailingZeros().toPlainString(), "open", isOpen,
            "rate", rate, "branch", branch));
      }
    }
  }

  /** Readings of a sensor: an int and a reversed time in binary; floats, one of them not always there. */
  static void readings() throws Exception {
    try (Table table = open("readings", "r")) {
      for (int i = 0; i < ROWS; i++) {
        int sensor = 100 + random.nextInt(40);
        long at = moment();
        float temperature = random.nextInt(400) / 8f - 10;
        Put put = new Put(Bytes.add(Bytes.toBytes(sensor), Bytes.toBytes(Long.MAX_VALUE - at)));
        put.addColumn(Bytes.toBytes("r"), Bytes.toBytes("t"), Bytes.toBytes(temperature));
        Map<String, Object> others = new LinkedHashMap<>();
        others.put("t", temperature);
        if (random.nextInt(3) > 0) {
          float humidity = random.nextInt(800) / 8f;
          put.addColumn(Bytes.toBytes("r"), Bytes.toBytes("h"), Bytes.toBytes(humidity));
          others.put("h", humidity);
        }
        table.put(put);
        tell("readings", List.of(sensor, iso(at)), others);
      }
    }
  }

  /** A row for each meter and day, a column for each second of the day. */
  static void meters() throws Exception {
    SimpleDateFormat format = new SimpleDateFormat("yyyyMMdd");
    format.setTimeZone(TimeZone.getTimeZone("UTC"));
    try (Table table = open("meters", "m")) {
      for (int i = 0; i < 40; i++) {
        String meter = "M" + (char) ('A' + i % 26) + (100 + i);
        long day = moment() / 86400000 * 86400000;
        Put put = new Put(Bytes.toBytes(meter + "|" + format.format(new Date(day))));
        Set<Integer> seconds = new HashSet<>();
        while (seconds.size() < 8) {
          seconds.add(random.nextInt(86400));
        }
        for (int second : seconds) {
          double value = random.nextInt(100000) / 32.0;
          put.addColumn(Bytes.toBytes("m"), Bytes.toBytes(second), Bytes.toBytes(value));
          tell("meters", List.of(meter, iso(day).substring(0, 10), second), List.of(value));
        }
        table.put(put);
      }
    }
  }

  /** Messages of a user: a byte of String.hashCode of the user, the user, a time. */
  static void messages() throws Exception {
    try (Table table = open("messages", "m")) {
      for (int i = 0; i < ROWS; i++) {
        String user = one(FIRST).toLowerCase() + random.nextInt(300);
        long at = moment();
        ByteBuffer row = ByteBuffer.allocate(1 + user.length() + 1 + 8);
        row.put((byte) (Math.abs(user.hashCode()) % 16)).put(user.getBytes(StandardCharsets.UTF_8)).put((byte) 0).putLong(at);
        String text = "Hello " + name() + ", see you at " + one(PAGES);
        table.put(new Put(row.array()).addColumn(Bytes.toBytes("m"), Bytes.toBytes("text"), Bytes.toBytes(text)));
        tell("messages", List.of(user, iso(at)), List.of(text));
      }
    }
  }

  /** Who follows whom: a column for each, the time as the value. */
  static void followers() throws Exception {
    Set<String> known = new HashSet<>();
    try (Table table = open("followers", "f")) {
      while (known.size() < 90) {
        String user = one(LAST).toLowerCase() + (1000 + random.nextInt(9000));
        if (!known.add(user)) {
          continue;
        }
        Put put = new Put(Bytes.toBytes(user));
        Map<String, Object> follows = new LinkedHashMap<>();
        for (int n = 1 + random.nextInt(9); n > 0; n--) {
          String other = one(LAST).toLowerCase() + (1000 + random.nextInt(9000));
          long at = moment();
          follows.put(other, iso(at));
          put.addColumn(Bytes.toBytes("f"), Bytes.toBytes(other), Bytes.toBytes(at));
        }
        table.put(put);
        tell("followers", List.of(user), List.of(follows));
      }
    }
  }

  /** Documents by a UUID in 16 bytes; Gson writes them. */
  static void documents() throws Exception {
    try (Table table = open("documents", "d")) {
      for (int i = 0; i < ROWS; i++) {
        UUID id = new UUID(random.nextLong() & ~0xf000L | 0x4000L, random.nextLong() & 0x3fffffffffffffffL | 0x8000000000000000L);
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("author", name());
        document.put("words", random.nextInt(5000));
        document.put("tags", List.of(one(PAGES), one(PAGES)));
        String text = gson.toJson(document);
        long changed = moment();
        Put put = new Put(ByteBuffer.allocate(16).putLong(id.getMostSignificantBits()).putLong(id.getLeastSignificantBits()).array());
        put.addColumn(Bytes.toBytes("d"), Bytes.toBytes("body"), Bytes.toBytes(text));
        put.addColumn(Bytes.toBytes("d"), Bytes.toBytes("changed"), Bytes.toBytes(changed));
        table.put(put);
        tell("documents", List.of(id.toString()), Map.of("body", text, "changed", iso(changed)));
      }
    }
  }

  /** Counters that HBase increments, for each page and day. */
  static void hits() throws Exception {
    Set<String> known = new HashSet<>();
    try (Table table = open("hits", "h")) {
      while (known.size() < 150) {
        String page = one(PAGES) + random.nextInt(40);
        LocalDate day = LocalDate.of(2024, 1, 1).plusDays(random.nextInt(300));
        if (!known.add(page + day)) {
          continue;
        }
        long views = 1 + random.nextInt(50000), visitors = 1 + random.nextInt(9000);
        Increment increment = new Increment(Bytes.toBytes(day + "/" + page));
        increment.addColumn(Bytes.toBytes("h"), Bytes.toBytes("views"), views);
        increment.addColumn(Bytes.toBytes("h"), Bytes.toBytes("visitors"), visitors);
        table.increment(increment);
        tell("hits", List.of(day.toString(), page), Map.of("views", views, "visitors", visitors));
      }
    }
  }

  /** HBase's own types: a struct of a string and a descending long. */
  static void scores() throws Exception {
    Struct struct = new StructBuilder().add(OrderedString.ASCENDING).add(OrderedInt64.DESCENDING).toStruct();
    Set<String> known = new HashSet<>();
    try (Table table = open("scores", "s")) {
      while (known.size() < ROWS) {
        String game = one(PAGES) + "-" + random.nextInt(9);
        long score = random.nextInt(2_000_000) - 500_000;
        if (!known.add(game + " " + score)) {
          continue;
        }
        Object[] values = {game, score};
        SimplePositionedMutableByteRange row = new SimplePositionedMutableByteRange(struct.encodedLength(values));
        struct.encode(row, values);
        String player = name();
        table.put(new Put(row.getBytes()).addColumn(Bytes.toBytes("s"), Bytes.toBytes("player"), Bytes.toBytes(player)));
        tell("scores", List.of(game, score), List.of(player));
      }
    }
  }

  /** Customers: text in one family, numbers in another. */
  static void customers() throws Exception {
    Set<Integer> known = new HashSet<>();
    try (Table table = open("customers", "info", "stat")) {
      while (known.size() < ROWS) {
        int number = 1 + random.nextInt(900000);
        if (!known.add(number)) {
          continue;
        }
        String owner = name();
        String country = one(new String[] {"NO", "DE", "KR", "BR"});
        long orders = random.nextInt(400), seen = moment();
        Put put = new Put(Bytes.toBytes(String.format("cust:%08d", number)));
        put.addColumn(Bytes.toBytes("info"), Bytes.toBytes("name"), Bytes.toBytes(owner));
        put.addColumn(Bytes.toBytes("info"), Bytes.toBytes("country"), Bytes.toBytes(country));
        put.addColumn(Bytes.toBytes("stat"), Bytes.toBytes("orders"), Bytes.toBytes(orders));
        put.addColumn(Bytes.toBytes("stat"), Bytes.toBytes("seen"), Bytes.toBytes(seen));
        table.put(put);
        tell("customers", List.of(number), Map.of("name", owner, "country", country, "orders", orders, "seen", iso(seen)));
      }
    }
  }

  /** Files: eight bytes of SHA-256 of the path, the path; a short, and a checksum. */
  static void files() throws Exception {
    Set<String> known = new HashSet<>();
    try (Table table = open("files", "f")) {
      while (known.size() < ROWS) {
        String folder = one(new String[] {"/srv", "/home/" + one(FIRST).toLowerCase(), "/var/log/" + one(PAGES) + "/old"});
        String path = folder + "/" + one(PAGES) + random.nextInt(900) + ".txt";
        if (!known.add(path)) {
          continue;
        }
        long size = random.nextInt(5_000_000);
        short mode = one(new Short[] {420, 436, 493});
        Put put = new Put(Bytes.add(Bytes.head(sha256(path), 8), Bytes.toBytes(path)));
        put.addColumn(Bytes.toBytes("f"), Bytes.toBytes("size"), Bytes.toBytes(size));
        put.addColumn(Bytes.toBytes("f"), Bytes.toBytes("mode"), Bytes.toBytes(mode));
        table.put(put);
        tell("files", List.of(path), Map.of("size", size, "mode", mode));
      }
    }
  }

  /** An inverted index: term, tab, document number in ten digits; nothing in the cells. */
  static void terms() throws Exception {
    Set<String> known = new HashSet<>();
    try (Table table = open("terms", "t")) {
      List<Put> puts = new ArrayList<>();
      while (known.size() < ROWS) {
        String term = one(LAST).toLowerCase();
        int document = random.nextInt(2_000_000);
        if (!known.add(term + document)) {
          continue;
        }
        puts.add(new Put(Bytes.toBytes(term + "\t" + String.format("%010d", document)))
            .addColumn(Bytes.toBytes("t"), new byte[0], new byte[0]));
        tell("terms", List.of(term, document), List.of());
      }
      table.put(puts);
    }
  }

  public static void main(String[] arguments) throws Exception {
    Configuration configuration = HBaseConfiguration.create();
    int colon = arguments[0].lastIndexOf(':');
    configuration.set("hbase.zookeeper.quorum", arguments[0].substring(0, colon));
    configuration.set("hbase.zookeeper.property.clientPort", arguments[0].substring(colon + 1));
    configuration.set("hbase.defaults.for.version.skip", "true");
    hbase = ConnectionFactory.createConnection(configuration);
    prefix = arguments[1];
    clicks();
    accounts();
    readings();
    meters();
    messages();
    followers();
    documents();
    hits();
    scores();
    customers();
    files();
    terms();
    System.exit(0);
  }
}
