/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * PhoenixArrayVectors.java: writes phoenix-array-vectors.txt with Phoenix's own arrays.
 *
 *   java -cp "$(tests/live/hbase classpath --phoenix)" tests/layout/encoding/PhoenixArrayVectors.java > tests/layout/encoding/phoenix-array-vectors.txt
 *
 * One line a list: the type of its elements, the argument of phoenix(…){…} or "-", the list as JSON without blanks, the bytes. A line
 * "LONG n size SHA-256" is for n texts of @size letters a.
 */
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.sql.Date;
import java.sql.Time;
import java.sql.Timestamp;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.apache.phoenix.schema.types.PBinary;
import org.apache.phoenix.schema.types.PBoolean;
import org.apache.phoenix.schema.types.PChar;
import org.apache.phoenix.schema.types.PDataType;
import org.apache.phoenix.schema.types.PDate;
import org.apache.phoenix.schema.types.PDecimal;
import org.apache.phoenix.schema.types.PDouble;
import org.apache.phoenix.schema.types.PFloat;
import org.apache.phoenix.schema.types.PInteger;
import org.apache.phoenix.schema.types.PLong;
import org.apache.phoenix.schema.types.PSmallint;
import org.apache.phoenix.schema.types.PTime;
import org.apache.phoenix.schema.types.PTimestamp;
import org.apache.phoenix.schema.types.PTinyint;
import org.apache.phoenix.schema.types.PUnsignedDate;
import org.apache.phoenix.schema.types.PUnsignedDouble;
import org.apache.phoenix.schema.types.PUnsignedFloat;
import org.apache.phoenix.schema.types.PUnsignedInt;
import org.apache.phoenix.schema.types.PUnsignedLong;
import org.apache.phoenix.schema.types.PUnsignedSmallint;
import org.apache.phoenix.schema.types.PUnsignedTime;
import org.apache.phoenix.schema.types.PUnsignedTimestamp;
import org.apache.phoenix.schema.types.PUnsignedTinyint;
import org.apache.phoenix.schema.types.PVarchar;

public class PhoenixArrayVectors {
  static String hex(byte[] bytes) {
    StringBuilder text = new StringBuilder();
    for (byte each : bytes) {
      text.append(String.format("%02x", each));
    }
    return text.toString();
  }

  static byte[] bytes(PDataType<?> element, Object[] values) {
    PDataType<?> array = PDataType.fromTypeId(element.getSqlType() + PDataType.ARRAY_TYPE_BASE);
    return array.toBytes(PDataType.instantiatePhoenixArray(element, values));
  }

  static String quote(String text) {
    return "\"" + text.replace("\\", "\\\\").replace("\"", "\\\"").replace(" ", "\\u0020") + "\"";
  }

  static String json(PDataType<?> element, Object value) {
    if (value == null) {
      return "null";
    }
    if (value instanceof byte[]) {
      return quote("x'" + hex((byte[]) value) + "'");
    }
    if (value instanceof Float || value instanceof Double) {
      double real = ((Number) value).doubleValue();
      return Double.isNaN(real) || Double.isInfinite(real) ? quote(value.toString()) : value.toString();
    }
    if (value instanceof LocalDate || value instanceof String || value instanceof BigDecimal) {
      return quote(value.toString());
    }
    return value instanceof java.util.Date ? quote(Instant.ofEpochMilli(((java.util.Date) value).getTime()).toString()) : value.toString();
  }

  /** A LocalDate is a DATE in the list and its midnight in the array. */
  static Object inPhoenix(Object value) {
    return value instanceof LocalDate ? new Date(((LocalDate) value).toEpochDay() * 86400000) : value;
  }

  static void write(String type, String argument, PDataType<?> element, Object... values) {
    List<String> list = new ArrayList<>();
    Object[] array = new Object[values.length];
    for (int i = 0; i < values.length; i++) {
      list.add(json(element, values[i]));
      array[i] = inPhoenix(values[i]);
    }
    System.out.println(type + " " + argument + " [" + String.join(",", list) + "] " + hex(bytes(element, array)));
  }

  static void times(String argument, PDataType<?> element, boolean isSigned) {
    List<Object> values = new ArrayList<>();
    for (long value : new long[] {0, 1, 86400000, 1709210096789L, -1, -86400001}) {
      if (value >= 0 || isSigned) {
        values.add(argument.endsWith("timestamp") ? new Timestamp(value) : argument.endsWith("time") ? new Time(value) : new Date(value));
      }
    }
    write("TIMESTAMP", argument, element, values.toArray());
    write("TIMESTAMP", argument, element, values.get(3));
  }

  static void fixed() {
    write("INT", "-", PInteger.INSTANCE, 1, 2);
    write("INT", "-", PInteger.INSTANCE, 0, -1, Integer.MAX_VALUE, Integer.MIN_VALUE, 256);
    write("BIGINT", "-", PLong.INSTANCE, 0L, -1L, Long.MAX_VALUE, Long.MIN_VALUE, 1L << 40);
    write("INT", "tinyint", PTinyint.INSTANCE, (byte) 0, (byte) 1, (byte) -1, Byte.MAX_VALUE, Byte.MIN_VALUE);
    write("BIGINT", "tinyint", PTinyint.INSTANCE, (byte) 5);
    write("INT", "smallint", PSmallint.INSTANCE, (short) 0, (short) -1, (short) 256, Short.MAX_VALUE, Short.MIN_VALUE);
    write("INT", "unsigned_tinyint", PUnsignedTinyint.INSTANCE, (byte) 0, (byte) 1, Byte.MAX_VALUE);
    write("INT", "unsigned_smallint", PUnsignedSmallint.INSTANCE, (short) 0, (short) 256, Short.MAX_VALUE);
    write("INT", "unsigned_int", PUnsignedInt.INSTANCE, 0, 1, 65536, Integer.MAX_VALUE);
    write("BIGINT", "unsigned_int", PUnsignedInt.INSTANCE, 7);
    write("BIGINT", "unsigned_long", PUnsignedLong.INSTANCE, 0L, 1L << 40, Long.MAX_VALUE);
    write("FLOAT", "-", PFloat.INSTANCE, 0f, -0f, 1f, -1f, 0.1f, Float.MAX_VALUE, Float.MIN_VALUE, Float.NEGATIVE_INFINITY, Float.NaN);
    write("DOUBLE", "-", PDouble.INSTANCE, 0.0, -0.0, 1.0, -1.0, 0.1, Double.MAX_VALUE, Double.MIN_VALUE, Double.NEGATIVE_INFINITY, Double.NaN);
    write("FLOAT", "unsigned_float", PUnsignedFloat.INSTANCE, 0f, 0.5f, 100.25f, Float.MAX_VALUE);
    write("DOUBLE", "unsigned_double", PUnsignedDouble.INSTANCE, 0.0, 0.5, 100.25, Double.MAX_VALUE);
    write("BOOLEAN", "-", PBoolean.INSTANCE, true, false, true);
    write("DATE", "-", PDate.INSTANCE, LocalDate.of(1970, 1, 1), LocalDate.of(2024, 2, 29), LocalDate.of(1900, 1, 1));
    times("-", PDate.INSTANCE, true);
    times("timestamp", PTimestamp.INSTANCE, true);
    times("unsigned_date", PUnsignedDate.INSTANCE, false);
    times("unsigned_time", PUnsignedTime.INSTANCE, false);
    times("unsigned_timestamp", PUnsignedTimestamp.INSTANCE, false);
    write("STRING", "char,3", PChar.INSTANCE, "abc", "a", "ab");
    write("STRING", "char,1", PChar.INSTANCE, "~", "a");
    write("BYTES", "binary,2", PBinary.INSTANCE, new byte[] {0, 1}, new byte[] {-1, -1}, new byte[] {0, 0});
  }

  static void variable() {
    write("STRING", "-", PVarchar.INSTANCE, "a", "bc");
    write("STRING", "-", PVarchar.INSTANCE, "a", "b", null, null, "c", null);
    write("STRING", "-", PVarchar.INSTANCE, "a", null, null, null, "b", "c", null, "d");
    write("STRING", "-", PVarchar.INSTANCE, (Object) null);
    write("STRING", "-", PVarchar.INSTANCE, null, null, null);
    write("STRING", "-", PVarchar.INSTANCE, null, "a");
    write("STRING", "-", PVarchar.INSTANCE, "\u00e9\u20ac\ud83d\ude00", "it's \"a\\b\"", "\u007f");
    for (int nulls : new int[] {1, 2, 254, 255, 256, 509, 510, 511}) {
      List<Object> values = new ArrayList<>(Collections.nCopies(nulls, null));
      values.add("x");
      write("STRING", "-", PVarchar.INSTANCE, values.toArray());
      values.add(0, "y");
      values.add(null);
      write("STRING", "-", PVarchar.INSTANCE, values.toArray());
    }
    write("DECIMAL", "-", PDecimal.INSTANCE, new BigDecimal("0"), new BigDecimal("-12.5"), null, new BigDecimal("99999999999999999999"),
        new BigDecimal("1E+37"), new BigDecimal("-0.001"));
    write("DECIMAL", "-", PDecimal.INSTANCE, null, new BigDecimal("1"));
  }

  static void random() {
    Random random = new Random(2026);
    for (int i = 0; i < 60; i++) {
      Object[] texts = new Object[1 + random.nextInt(12)];
      Object[] numbers = new Object[texts.length];
      Object[] longs = new Object[texts.length];
      for (int j = 0; j < texts.length; j++) {
        StringBuilder text = new StringBuilder();
        for (int n = 1 + random.nextInt(6); n > 0; n--) {
          text.append((char) (1 + 32 + random.nextInt(94)));
        }
        texts[j] = random.nextInt(3) == 0 ? null : text.toString();
        numbers[j] = random.nextInt(3) == 0 ? null : new BigDecimal(random.nextInt()).movePointLeft(random.nextInt(12));
        longs[j] = random.nextLong();
      }
      write("STRING", "-", PVarchar.INSTANCE, texts);
      write("DECIMAL", "-", PDecimal.INSTANCE, numbers);
      write("BIGINT", "-", PLong.INSTANCE, longs);
    }
  }

  /** Around the greatest offset of 2 bytes, which is that of the last element. */
  static void writeLong(int n, int size) throws Exception {
    Object[] values = Collections.nCopies(n, "a".repeat(size)).toArray();
    byte[] sum = MessageDigest.getInstance("SHA-256").digest(bytes(PVarchar.INSTANCE, values));
    System.out.println("LONG " + n + " " + size + " " + hex(sum));
  }

  public static void main(String[] arguments) throws Exception {
    fixed();
    variable();
    random();
    for (int[] each : new int[][] {{2, 32766}, {2, 65533}, {2, 65534}, {2, 65535}, {1, 200000}, {32768, 1}, {32769, 1}, {70000, 1}}) {
      writeLong(each[0], each[1]);
    }
  }
}
