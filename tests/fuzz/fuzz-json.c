/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * fuzz-json.c: arbitrary bytes as JSON, as JSONB, as an array of PostgreSQL and as a UUID.
 *
 * What is accepted as JSONB is also JSON, has one canonical text, and equals itself. Keys of
 * arbitrary bytes are made without reading beyond them.
 */
#include "config.h"

#include "core/base/array-text.h"
#include "core/base/json.h"
#include "core/base/uuid.h"

int LLVMFuzzerTestOneInput (const guint8 *data, gsize size);

static void
check_jsonb (KvsqlSlice text, KvsqlArena *arena)
{
  g_autoptr (GString) pretty = g_string_new (NULL);
  KvsqlSlice first, again, indented;
  KvsqlJson tree;

  if (!kvsql_jsonb_parse (text, arena, &first, NULL))
    return;
  g_assert_true (kvsql_json_check (text, NULL));
  g_assert_true (kvsql_jsonb_parse (first, arena, &again, NULL));
  g_assert_true (kvsql_slice_equal (first, again));
  g_assert_true (kvsql_json_read (first, arena, &tree, NULL));
  g_assert_true (kvsql_json_equal (&tree, &tree));
  kvsql_json_append_pretty (&tree, pretty);
  g_assert_true (
      kvsql_jsonb_parse (kvsql_slice (pretty->str, pretty->len), arena, &indented, NULL));
  g_assert_true (kvsql_slice_equal (first, indented));
}

int
LLVMFuzzerTestOneInput (const guint8 *data, gsize size)
{
  g_autoptr (KvsqlArena) arena = kvsql_arena_new ();
  /* a copy of exactly this size, so that a sanitizer sees a read beyond it */
  g_autofree guint8 *copy = g_memdup2 (data, size);
  KvsqlSlice text = kvsql_slice (copy, size), list;
  KvsqlBuffer key = { 0 };
  guint8 uuid[KVSQL_UUID_BYTES];

  check_jsonb (text, arena);
  if (size > 0)
    kvsql_jsonb_append_key (text, &key);
  kvsql_buffer_clear (&key);
  if (kvsql_array_text_is_one (text))
    (void)!kvsql_array_text_parse (KVSQL_TYPE_LIST, text, arena, &list, NULL);
  if (kvsql_uuid_parse (text, uuid))
    {
      KvsqlSlice canonical = kvsql_uuid_to_text (uuid, arena);
      g_assert_true (kvsql_uuid_read (canonical, uuid));
    }
  return 0;
}
