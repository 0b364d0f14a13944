/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * test-record-streams.c: streams return the records that were put into them, and blocks that
 * were read are used again.
 */
#include "config.h"

#include "core/exec/record-streams.h"

#define BLOCK 64
#define N_STREAMS 5

static void
append (KvsqlStream *stream, KvsqlStreamFile *file, guint number)
{
  g_autoptr (GError) error = NULL;
  g_autofree gchar *text = g_strnfill (number % 200, 'x'); /* up to four blocks */
  gboolean ok = kvsql_stream_append (stream, file, kvsql_slice (&number, sizeof number),
                                     kvsql_slice_from_text (text), &error);

  g_assert_no_error (error);
  g_assert_true (ok);
}

static void
end (KvsqlStream *stream, KvsqlStreamFile *file)
{
  g_autoptr (GError) error = NULL;
  gboolean ok = kvsql_stream_end (stream, file, &error);

  g_assert_no_error (error);
  g_assert_true (ok);
}

/* Each record begins with its number. Those of the stream are @first, @first + N_STREAMS, … */
static void
assert_records (KvsqlStream *stream, KvsqlStreamFile *file, guint first, guint n, gboolean consumes)
{
  g_autoptr (KvsqlArena) arena = kvsql_arena_new ();
  g_autoptr (GError) error = NULL;
  KvsqlStreamReader reader;
  KvsqlSlice record;

  g_assert_cmpuint (stream->n_records, ==, n);
  kvsql_stream_reader_init (&reader, file, stream, consumes);
  for (guint i = 0; i < n; i++)
    {
      guint expected = first + i * N_STREAMS, number;

      g_assert_false (kvsql_stream_reader_is_at_end (&reader));
      g_assert_true (kvsql_stream_reader_next (&reader, arena, &record, &error));
      g_assert_cmpuint (record.size, ==, sizeof number + expected % 200);
      memcpy (&number, record.data, sizeof number);
      g_assert_cmpuint (number, ==, expected);
      for (gsize at = sizeof number; at < record.size; at++)
        g_assert_cmpuint (record.data[at], ==, 'x');
    }
  g_assert_true (kvsql_stream_reader_is_at_end (&reader));
  kvsql_stream_reader_clear (&reader);
}

static void
test_records (void)
{
  g_autoptr (KvsqlStreamFile) file = kvsql_stream_file_new (NULL, 1 << 20, BLOCK);
  KvsqlStream streams[N_STREAMS] = { { 0 } };

  for (guint i = 0; i < N_STREAMS * 100; i++)
    append (&streams[i % N_STREAMS], file, i);
  for (guint s = 0; s < N_STREAMS; s++)
    {
      end (&streams[s], file);
      assert_records (&streams[s], file, s, 100, FALSE);
      assert_records (&streams[s], file, s, 100, TRUE);
      kvsql_stream_clear (&streams[s], file);
    }
}

/* Rows are moved again and again in a file that has room for them once, and for some blocks that
 * are not full. */
static void
test_space (void)
{
  const guint64 size = 100 * (8 + 100) + 4 * BLOCK;
  g_autoptr (KvsqlStreamFile) file = kvsql_stream_file_new (NULL, size, BLOCK);
  g_autoptr (KvsqlArena) arena = kvsql_arena_new ();
  g_autoptr (GError) error = NULL;
  KvsqlStream stream = { 0 };

  for (guint i = 0; i < 100; i++)
    append (&stream, file, 100);
  end (&stream, file);
  for (guint round = 0; round < 10; round++)
    {
      KvsqlStream moved = { 0 };
      KvsqlStreamReader reader;
      KvsqlSlice record;

      kvsql_stream_reader_init (&reader, file, &stream, TRUE);
      while (!kvsql_stream_reader_is_at_end (&reader))
        {
          g_assert_true (kvsql_stream_reader_next (&reader, arena, &record, &error));
          g_assert_true (kvsql_stream_append (&moved, file, KVSQL_SLICE_EMPTY, record, &error));
        }
      kvsql_stream_reader_clear (&reader);
      kvsql_stream_clear (&stream, file);
      end (&moved, file);
      stream = moved;
    }
  g_assert_cmpuint (stream.n_records, ==, 100);
  g_assert_cmpuint (kvsql_stream_file_get_written (file), >, 10 * 100 * 108);
  /* a second copy has no room */
  while (
      kvsql_stream_append (&stream, file, KVSQL_SLICE_EMPTY, KVSQL_SLICE_LITERAL ("more"), &error))
    g_assert_cmpuint (stream.n_records, <, 200);
  g_assert_error (error, KVSQL_ERROR, KVSQL_ERROR_LIMIT);
  kvsql_stream_clear (&stream, file);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/record-streams/records", test_records);
  g_test_add_func ("/record-streams/space", test_space);
  return g_test_run ();
}
