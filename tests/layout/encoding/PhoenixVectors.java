/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * PhoenixVectors.java: writes phoenix-vectors.txt with Phoenix's own data types.
 *
 *   java -cp "$(tests/live/hbase classpath --phoenix)" tests/layout/encoding/PhoenixVectors.java > tests/layout/encoding/phoenix-vectors.txt
 *
 * One line a value: type, the value as text (STRING and BYTES in hex), ascending and descending bytes.
 */
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.sql.Date;
import java.util.Random;
import org.apache.phoenix.schema.SortOrder;
import org.apache.phoenix.schema.types.PBoolean;
import org.apache.phoenix.schema.types.PDataType;
import org.apache.phoenix.schema.types.PDate;
import org.apache.phoenix.schema.types.PDecimal;
import org.apache.phoenix.schema.types.PDouble;
import org.apache.phoenix.schema.types.PFloat;
import org.apache.phoenix.schema.types.PInteger;
import org.apache.phoenix.schema.types.PLong;
import org.apache.phoenix.schema.types.PVarbinary;
import org.apache.phoenix.schema.types.PVarchar;

public class PhoenixVectors {
  static String hex(byte[] bytes) {
    StringBuilder text = new StringBuilder();
    for (byte each : bytes) {
      text.append(String.format("%02x", each));
    }
    return text.length() == 0 ? "-" : text.toString();
  }

  static void write(String type, String value, PDataType<?> phoenix, Object object) {
    System.out.println(type + " " + value + " " + hex(phoenix.toBytes(object)) + " "
        + hex(phoenix.toBytes(object, SortOrder.DESC)));
  }

  static void integer(int value) {
    write("INT", "" + value, PInteger.INSTANCE, value);
  }

  static void bigint(long value) {
    write("BIGINT", "" + value, PLong.INSTANCE, value);
  }

  static void real32(float value) {
    write("FLOAT", Float.toString(value), PFloat.INSTANCE, value);
  }

  static void real64(double value) {
    write("DOUBLE", Double.toString(value), PDouble.INSTANCE, value);
  }

  static void decimal(String text) {
    BigDecimal value = new BigDecimal(text);
    write("DECIMAL", value.toString(), PDecimal.INSTANCE, value);
  }

  static void text(String value) {
    write("STRING", hex(value.getBytes(StandardCharsets.UTF_8)), PVarchar.INSTANCE, value);
  }

  static void bytes(byte[] value) {
    write("BYTES", hex(value), PVarbinary.INSTANCE, value);
  }

  static void day(long days) {
    write("DATE", java.time.LocalDate.ofEpochDay(days).toString(), PDate.INSTANCE, new Date(days * 86400000));
  }

  static void time(long milliseconds) {
    write("TIMESTAMP", java.time.Instant.ofEpochMilli(milliseconds).toString(), PDate.INSTANCE, new Date(milliseconds));
  }

  static void edges() {
    for (boolean value : new boolean[] {false, true}) {
      write("BOOLEAN", "" + value, PBoolean.INSTANCE, value);
    }
    for (long value : new long[] {0, 1, -1, 19782, -25567, 2932896, -719162}) {
      day(value);
      time(value * 86400000);
      time(value * 86400000 + 1);
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
        "99999999999999999999", "100000000000000000000", "1e20", "1e37", "-1e20", "-1e37", "1e-10", "1e-11", "1e-38",
        "-1e-38", "99999999999999999999999999999999999999", "-99999999999999999999999999999999999999",
        "9999999999999999999999999999999999999.9", "-9999999999999999999999999999999999999.9",
        "-999999999999999999999999999999999999.99", "-1000000000000000000000000000000000000.1",
        "0.12345678901234567890123456789012345678", "-0.012345678901234567890123456789012345678"}) {
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
      for (int n = random.nextInt(38); n > 0; n--) {
        digits.append(random.nextInt(10));
      }
      digits.append('e').append(random.nextInt(60) - 45);
      decimal(digits.toString());
    }
  }

  public static void main(String[] args) {
    edges();
    randoms();
  }
}
