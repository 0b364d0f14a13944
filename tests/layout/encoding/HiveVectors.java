// SPDX-License-Identifier: LGPL-2.1-or-later
//
// HiveVectors.java: writes hive-vectors.txt: values, and their texts by the classes of Java that Hive uses.
//
//   java HiveVectors.java > hive-vectors.txt
//
// A line is "TYPE BITS TEXT" of a real, "DECIMAL SCALE VALUE TEXT" or "TIMESTAMP MILLISECONDS TEXT".
// Hive writes reals by String.valueOf (), decimal numbers with the digits of their scale, and times by
// a DateTimeFormatter with as many digits after the point as are needed (LazyUtils and Timestamp of
// Hive 4). Before Java 19, some reals have more digits than they need (JDK-4511638).

import java.math.BigDecimal;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.temporal.ChronoField;
import java.util.Random;

public class HiveVectors {
  private static final int N = 120;
  private static final DateTimeFormatter TIMES = new DateTimeFormatterBuilder()
      .appendPattern("uuuu-MM-dd HH:mm:ss")
      .optionalStart().appendFraction(ChronoField.NANO_OF_SECOND, 0, 9, true).optionalEnd().toFormatter();

  private static void real(double value) {
    System.out.printf("DOUBLE %016x %s%n", Double.doubleToLongBits(value), value);
  }

  private static void real(float value) {
    System.out.printf("FLOAT %08x %s%n", Float.floatToIntBits(value), value);
  }

  private static void decimal(String value, int scale) {
    System.out.println("DECIMAL " + scale + " " + value + " " + new BigDecimal(value).setScale(scale).toPlainString());
  }

  private static void time(long milliseconds) {
    LocalDateTime time = LocalDateTime.ofEpochSecond(
        Math.floorDiv(milliseconds, 1000L), (int) Math.floorMod(milliseconds, 1000L) * 1000000, ZoneOffset.UTC);
    System.out.println("TIMESTAMP " + milliseconds + " " + TIMES.format(time));
  }

  public static void main(String[] arguments) {
    Random random = new Random(20261130);
    double[] doubles = {0, -0.0, 1, -1, 0.5, 100, 1e-3, 9.99e-4, 1234567, 9999999, 1e7, 12345678, 1e10, 1.5e300, 0.1, 1.0 / 3, 1e21,
        1e22, 1e23, Double.MAX_VALUE, Double.MIN_NORMAL, Double.MIN_VALUE, Double.NaN, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY};
    float[] floats = {0, -0.0f, 1, 0.1f, 1.0f / 3, 1e-3f, 9.99e-4f, 9999999, 1e7f, 1.6777216e7f, 1e10f, Float.MAX_VALUE, Float.MIN_NORMAL,
        Float.MIN_VALUE, Float.NaN, Float.POSITIVE_INFINITY, Float.NEGATIVE_INFINITY};
    for (double value : doubles) {
      real(value);
    }
    for (float value : floats) {
      real(value);
    }
    for (int i = 0; i < N; i++) {
      real(Double.longBitsToDouble(random.nextLong()));
      real(Float.intBitsToFloat(random.nextInt()));
      real(Math.rint(random.nextGaussian() * 1e6) / 100);
      real((float) (Math.rint(random.nextGaussian() * 1e4) / 100));
    }
    for (String value : new String[] {"0", "1", "-1", "0.5", "-0.05", "12.5", "99999999999999999999999999999999999999"}) {
      decimal(value, 0 + new BigDecimal(value).scale());
      decimal(value, 2);
      decimal(value, 18);
    }
    for (long value : new long[] {0, 1, -1, 999, 1000, 1709208000000L, 1709208000500L, 1709208000050L, 1709208000005L, -62135596800000L,
        253402300799999L}) {
      time(value);
    }
    for (int i = 0; i < N; i++) {
      time(-62135596800000L + (long) (random.nextDouble() * 315537897600000L));
    }
  }
}
