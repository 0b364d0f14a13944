/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * test-hash.c: the hash function of tables: every byte counts, buckets are filled evenly, and the
 * seed decides which keys collide.
 */
#include "config.h"

#include <string.h>

#include "core/base/hash.h"

#define N_KEYS 65536
#define N_BUCKETS 256
/* Chi-squared with 255 degrees of freedom has mean 255 and standard deviation 22.6. */
#define MAX_CHI_SQUARED 430.0

static void
add_new (GHashTable *seen, guint64 hash)
{
  g_assert_true (g_hash_table_add (seen, g_memdup2 (&hash, sizeof hash)));
}

static void
test_every_byte_counts (void)
{
  g_autoptr (GHashTable) seen = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL);
  guint8 bytes[40] = { 0 };

  g_assert_cmpuint (kvsql_hash (1, NULL, 0), ==, kvsql_hash (1, bytes, 0));
  for (gsize size = 0; size <= sizeof bytes; size++)
    {
      add_new (seen, kvsql_slice_hash (kvsql_slice (bytes, size)));
      for (gsize at = 0; at < size; at++)
        for (guint bit = 0; bit < 8; bit++)
          {
            bytes[at] = (guint8)(1u << bit);
            add_new (seen, kvsql_slice_hash (kvsql_slice (bytes, size)));
            bytes[at] = 0;
          }
    }
}

/* Key @i of a family of keys that differ little, as keys of tuples do. */
static gsize
make_key (guint family, guint i, guint8 out[64])
{
  guint64 number = i;

  switch (family)
    {
    case 0:
      kvsql_put_be32 (out, i);
      return 4;
    case 1:
      kvsql_put_be64 (out, number << 16);
      return 8;
    case 2:
      return (gsize)g_snprintf ((gchar *)out, 64, "%u", i);
    case 3:
      return (gsize)g_snprintf ((gchar *)out, 64, "the same beginning of a key, %08u", i);
    case 4:
      return (gsize)g_snprintf ((gchar *)out, 64, "%05u, the same end of a key", i);
    default:
      memset (out, 0, 64);
      memcpy (out + 20, &number, sizeof number);
      return 40;
    }
}

static void
check_buckets (const guint counts[N_BUCKETS], guint family, guint64 seed, const gchar *bits)
{
  const gdouble expected = (gdouble)N_KEYS / N_BUCKETS;
  gdouble sum = 0;

  for (guint i = 0; i < N_BUCKETS; i++)
    sum += (counts[i] - expected) * (counts[i] - expected) / expected;
  if (sum > MAX_CHI_SQUARED)
    g_error ("family %u, seed %" G_GINT64_MODIFIER "x, %s bits: chi-squared %.1f", family, seed,
             bits, sum);
}

static void
test_buckets_are_even (void)
{
  const guint64 seeds[] = { KVSQL_HASH_FIXED_SEED, (guint64)g_test_rand_int () << 32 | 12345,
                            (guint64)g_test_rand_int () << 32 | (guint32)g_test_rand_int () };

  for (guint s = 0; s < G_N_ELEMENTS (seeds); s++)
    for (guint family = 0; family < 6; family++)
      {
        guint low[N_BUCKETS] = { 0 }, middle[N_BUCKETS] = { 0 }, high[N_BUCKETS] = { 0 };

        for (guint i = 0; i < N_KEYS; i++)
          {
            guint8 key[64];
            guint64 hash = kvsql_hash (seeds[s], key, make_key (family, i, key));

            low[hash % N_BUCKETS]++;
            middle[(hash >> 24) % N_BUCKETS]++;
            high[hash >> 56]++;
          }
        check_buckets (low, family, seeds[s], "low");
        check_buckets (middle, family, seeds[s], "middle");
        check_buckets (high, family, seeds[s], "high");
      }
}

/* Keys that share the last 16 bits of their hash with one seed do not with another. */
static void
test_seed_decides (void)
{
  guint64 seed = (guint64)g_test_rand_int () << 32 | (guint32)g_test_rand_int ();
  guint n_fixed = 0, n_both = 0;
  guint8 first[64], key[64];
  gsize first_size = make_key (3, 0, first);

  for (guint i = 1; i < 16 * N_KEYS; i++)
    {
      gsize size = make_key (3, i, key);

      if ((guint16)(kvsql_hash (KVSQL_HASH_FIXED_SEED, key, size)
                    ^ kvsql_hash (KVSQL_HASH_FIXED_SEED, first, first_size))
          != 0)
        continue;
      n_fixed++;
      n_both += (guint16)(kvsql_hash (seed, key, size) ^ kvsql_hash (seed, first, first_size)) == 0;
    }
  g_assert_cmpuint (n_fixed, >, 0);
  g_assert_cmpuint (n_both, <=, 1);
}

/* The hash of the first piece is the seed of the second: "a", "bc" is not "ab", "c". */
static void
test_pieces (void)
{
  guint64 a_bc = kvsql_hash (kvsql_hash (KVSQL_HASH_FIXED_SEED, "a", 1), "bc", 2);
  guint64 ab_c = kvsql_hash (kvsql_hash (KVSQL_HASH_FIXED_SEED, "ab", 2), "c", 1);

  g_assert_cmpuint (a_bc, !=, ab_c);
  g_assert_cmpuint (a_bc, !=, kvsql_hash (KVSQL_HASH_FIXED_SEED, "abc", 3));
}

static void
test_randomize (void)
{
  const KvsqlSlice key = KVSQL_SLICE_LITERAL ("key"), same = KVSQL_SLICE_LITERAL ("key");
  guint64 before = kvsql_slice_hash (key);

  g_assert_cmpuint (before, ==, kvsql_hash (KVSQL_HASH_FIXED_SEED, "key", 3));
  kvsql_hash_randomize ();
  g_assert_cmpuint (kvsql_slice_hash (key), !=, before);
  g_assert_cmpuint (kvsql_slice_hash_func (&key), ==, kvsql_slice_hash_func (&same));
  g_assert_true (kvsql_slice_equal_func (&key, &same));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/base/hash/every-byte-counts", test_every_byte_counts);
  g_test_add_func ("/base/hash/buckets-are-even", test_buckets_are_even);
  g_test_add_func ("/base/hash/seed-decides", test_seed_decides);
  g_test_add_func ("/base/hash/pieces", test_pieces);
  g_test_add_func ("/base/hash/randomize", test_randomize);
  return g_test_run ();
}
