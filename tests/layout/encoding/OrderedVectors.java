/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * OrderedVectors.java: writes ordered-vectors.txt with HBase's own OrderedBytes.
 *
 *   javac -cp "$HBASE/lib/*" -d /tmp OrderedVectors.java
 *   java -cp "/tmp:$HBASE/lib/*" OrderedVectors > ordered-vectors.txt
 *
 * One line a value: type, the value as text (STRING and BYTES in hex), ascending and descending bytes.
 */
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import org.apache.hadoop.hbase.util.Order;
import org.apache.hadoop.hbase.util.OrderedBytes;
import org.apache.hadoop.hbase.util.PositionedByteRange;
import org.apache.hadoop.hbase.util.SimplePositionedMutableByteRange;

public class OrderedVectors {
  interface Encoder {
    int encode(PositionedByteRange out, Order order);
  }

  static String hex(byte[] bytes, int length) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < length; i++) {
      text.append(String.format("%02x", bytes[i]));
    }
    return text.toString();
  }

  static void write(String type, String value, Encoder encoder) {
    StringBuilder line = new StringBuilder(type).append(' ').append(value.isEmpty() ? "-" : value);
    for (Order order : new Order[] {Order.ASCENDING, Order.DESCENDING}) {
      PositionedByteRange out = new SimplePositionedMutableByteRange(4096);
      int length = encoder.encode(out, order);
      line.append(' ').append(hex(out.getBytes(), length));
    }
    System.out.println(line);
  }

  static void integer(int value) {
    write("INT", "" + value, (out, order) -> OrderedBytes.encodeInt32(out, value, order));
  }

  static void bigint(long value) {
    write("BIGINT", "" + value, (out, order) -> OrderedBytes.encodeInt64(out, value, order));
  }

  static void real32(float value) {
    write("FLOAT", Float.toString(value), (out, order) -> OrderedBytes.encodeFloat32(out, value, order));
  }

  static void real64(double value) {
    write("DOUBLE", Double.toString(value), (out, order) -> OrderedBytes.encodeFloat64(out, value, order));
  }

  static void decimal(String text) {
    BigDecimal value = new BigDecimal(text);
    write("DECIMAL", value.toString(), (out, order) -> OrderedBytes.encodeNumeric(out, value, order));
  }

  static void text(String value) {
    byte[] bytes = value.getBytes(StandardCharsets.UTF_8);
    write("STRING", hex(bytes, bytes.length), (out, order) -> OrderedBytes.encodeString(out, value, order));
  }

  static void bytes(byte[] value) {
    write("BYTES", hex(value, value.length), (out, order) -> OrderedBytes.encodeBlobVar(out, value, order));
  }

  static void edges() {
    write("NULL", "-", (out, order) -> OrderedBytes.encodeNull(out, order));
    for (int value : new int[] {0, 1}) {
      write("BOOLEAN", "" + value, (out, order) -> OrderedBytes.encodeInt8(out, (byte) value, order));
    }
    for (int value : new int[] {0, 1, -1, 5, -5, 255, 256, -256, Integer.MAX_VALUE, Integer.MIN_VALUE}) {
      integer(value);
    }
    for (long value : new long[] {0, 1, -1, 5, -5, 1L << 32, -(1L << 32), Long.MAX_VALUE, Long.MIN_VALUE}) {
      bigint(value);
    }
    for (float value : new float[] {0f, -0f, 1f, -1f, 0.1f, -0.1f, 1e10f, Float.MAX_VALUE, -Float.MAX_VALUE,
        Float.MIN_VALUE, -Float.MIN_VALUE, Float.POSITIVE_INFINITY, Float.NEGATIVE_INFINITY, Float.NaN}) {
      real32(value);
    }
    for (double value : new double[] {0, -0.0, 1, -1, 0.1, -0.1, 1e100, Double.MAX_VALUE, -Double.MAX_VALUE,
        Double.MIN_VALUE, -Double.MIN_VALUE, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY, Double.NaN}) {
      real64(value);
    }
    for (String value : new String[] {"", "a", "ab", "b", "\u0001", "\u00e9", "\u20ac", "\ud83d\ude00", "a b-c"}) {
      text(value);
    }
    for (int length = 0; length < 20; length++) {
      byte[] zeros = new byte[length];
      byte[] ones = new byte[length];
      byte[] steps = new byte[length];
      for (int i = 0; i < length; i++) {
        ones[i] = (byte) 0xff;
        steps[i] = (byte) (37 * i + 1);
      }
      bytes(zeros);
      bytes(ones);
      bytes(steps);
    }
    for (String value : new String[] {"0", "1", "-1", "9", "10", "11", "99", "100", "101", "0.1", "0.01", "0.001",
        "0.0001", "-0.1", "-0.01", "-0.001", "12.5", "-12.5", "1234.5678", "100000", "-100000", "1e10", "-1e10",
        "99999999999999999999", "100000000000000000000", "1e20", "1e21", "1e22", "-1e20", "-1e22", "1e-10", "1e-11",
        "1e-100", "-1e-100", "1e100", "-1e100", "1e479", "1e480", "1e481", "1e482", "-1e481", "1e-479", "1e-480",
        "1e-481", "1e-482", "1e-483", "-1e-482", "1e-999", "1e701", "-1e701", "9.5e701",
        "1234567890123456789012345678901", "0.1234567890123456789012345678901",
        "0.01234567890123456789012345678901", "-1234567890.123456789012345678901"}) {
      decimal(value);
    }
  }

  static void randoms() {
    Random random = new Random(2024);
    for (int i = 0; i < 100; i++) {
      integer(random.nextInt());
      bigint(random.nextLong());
      real32(Float.intBitsToFloat(random.nextInt()));
      real64(Double.longBitsToDouble(random.nextLong()));
      byte[] blob = new byte[random.nextInt(40)];
      random.nextBytes(blob);
      bytes(blob);
    }
    for (int i = 0; i < 400; i++) {
      StringBuilder digits = new StringBuilder(random.nextBoolean() ? "-" : "");
      digits.append(1 + random.nextInt(9));
      for (int n = random.nextInt(31); n > 0; n--) {
        digits.append(random.nextInt(10));
      }
      digits.append('e').append(random.nextInt(i % 2 == 0 ? 60 : 1300) - (i % 2 == 0 ? 45 : 650));
      decimal(digits.toString());
    }
  }

  public static void main(String[] args) {
    edges();
    randoms();
  }
}
