/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * tables.c: lists, creates and drops tables.
 */
#include "config.h"

#include "daemon/stores/hbase/store.h"

#define NOT_GIVEN (-1)

/* Keywords and their numbers in the IDL. */
typedef struct
{
  const gchar *name;
  gint number;
} Word;

static const Word compressions[] = {
  { "LZO", 0 }, { "GZ", 1 },    { "NONE", 2 }, { "SNAPPY", 3 },
  { "LZ4", 4 }, { "BZIP2", 5 }, { "ZSTD", 6 }, { NULL, 0 },
};
static const Word blooms[] = { { "NONE", 0 }, { "ROW", 1 }, { "ROWCOL", 2 }, { NULL, 0 } };
static const Word block_encodings[] = {
  { "NONE", 0 },      { "PREFIX", 2 },       { "DIFF", 3 },
  { "FAST_DIFF", 4 }, { "ROW_INDEX_V1", 7 }, { NULL, 0 },
};

/* A table that is being made. On a busy machine HBase takes long for it. */
#define CREATION_WAIT_US (120 * G_USEC_PER_SEC)
#define CREATION_REPEAT_US (5 * G_USEC_PER_SEC)
#define DESCRIPTION_POLL_US (50 * 1000)

/* ---- list */

/* The name by which callers know a table of HBase; NULL if it is not in the store's namespace. */
static GBytes *
visible_name (const KvsqldHbaseStore *self, const KvsqldT2Name *name)
{
  KvsqlBuffer whole = { 0 };

  if (self->namespace_name != NULL)
    return kvsql_slice_equal (name->namespace_name, kvsql_slice_from_text (self->namespace_name))
               ? g_bytes_new (name->name.data, name->name.size)
               : NULL;
  if (name->namespace_name.size == 0)
    return g_bytes_new (name->name.data, name->name.size);
  kvsql_buffer_append_slice (&whole, name->namespace_name);
  kvsql_buffer_append_byte (&whole, ':');
  kvsql_buffer_append_slice (&whole, name->name);
  return g_bytes_new_with_free_func (whole.data, whole.size, g_free, whole.data);
}

static gint
compare_names (gconstpointer a, gconstpointer b)
{
  return g_bytes_compare (*(GBytes *const *)a, *(GBytes *const *)b);
}

GPtrArray *
kvsqld_hbase_list_tables (KvsqlStore *store, KvsqlSlice prefix, const KvsqlCall *call,
                          GError **error)
{
  KvsqldHbaseStore *self = (KvsqldHbaseStore *)store;
  g_auto (KvsqldT2Writer) request = { 0 };
  g_auto (KvsqldT2Reply) reply = { 0 };
  GPtrArray *names;

  if (!kvsqld_hbase_begin (self, &request, call, error))
    return NULL;
  kvsqld_t2_write_get_table_names (&request);
  if (!kvsqld_hbase_request (self, &kvsqld_t2_get_table_names, &request, KVSQL_SLICE_EMPTY, call,
                             &reply, error))
    return NULL;
  names = g_ptr_array_new_with_free_func ((GDestroyNotify)g_bytes_unref);
  for (guint i = 0; i < reply.n_names; i++)
    {
      GBytes *name = visible_name (self, &reply.names[i]);
      gsize size = 0;
      gconstpointer data = name != NULL ? g_bytes_get_data (name, &size) : NULL;

      if (name != NULL && kvsql_slice_has_prefix (kvsql_slice (data, size), prefix))
        g_ptr_array_add (names, name);
      else
        g_clear_pointer (&name, g_bytes_unref);
    }
  g_ptr_array_sort (names, compare_names);
  return names;
}

/* ---- make */

static gboolean
find_word (const Word *words, const gchar *what, const gchar *name, gint *out_number,
           GError **error)
{
  *out_number = NOT_GIVEN;
  if (name == NULL)
    return TRUE;
  for (; words->name != NULL; words++)
    if (g_ascii_strcasecmp (words->name, name) == 0)
      {
        *out_number = words->number;
        return TRUE;
      }
  return kvsql_error_set (error, KVSQL_ERROR_INVALID, KVSQL_SPAN_NONE, "unknown %s \"%s\"", what,
                          name);
}

static gboolean
describe_family (const KvsqlTableSpec *spec, KvsqldT2Family *out, GError **error)
{
  out->versions = spec->versions > 0 ? spec->versions : NOT_GIVEN;
  out->ttl_seconds = spec->ttl_seconds > 0 ? spec->ttl_seconds : NOT_GIVEN;
  out->delete_grace_ms = spec->delete_grace_ms > 0 ? spec->delete_grace_ms : NOT_GIVEN;
  return find_word (compressions, "compression", spec->compression, &out->compression, error)
         && find_word (blooms, "kind of Bloom filter", spec->bloom, &out->bloom, error)
         && find_word (block_encodings, "block encoding", spec->block_encoding,
                       &out->block_encoding, error);
}

static gboolean
is_name_byte (guint8 byte)
{
  return g_ascii_isalnum (byte) || byte == '_' || byte == '-' || byte == '.';
}

static gboolean
check_table_name (const KvsqldT2Name *table, GError **error)
{
  KvsqlSlice name = table->name;
  g_autofree gchar *readable = NULL;
  gboolean is_good = name.size > 0 && name.data[0] != '-' && name.data[0] != '.';

  for (gsize i = 0; i < name.size && is_good; i++)
    is_good = is_name_byte (name.data[i]);
  if (is_good)
    return TRUE;
  readable = kvsql_readable (name);
  kvsql_error_set (error, KVSQL_ERROR_VALUE, KVSQL_SPAN_NONE,
                   "\"%s\" cannot be the name of a table in HBase", readable);
  return kvsql_error_hint (
      error, "Use letters, digits, _, - and ., and begin with a letter, a digit or _.");
}

static gboolean
check_family_names (const KvsqlTableSpec *spec, GError **error)
{
  for (guint i = 0; i < spec->n_families; i++)
    {
      KvsqlSlice name = spec->families[i];
      gboolean is_good = name.size > 0 && name.data[0] != '.';
      g_autofree gchar *readable = NULL;

      for (gsize j = 0; j < name.size && is_good; j++)
        is_good = name.data[j] >= ' ' && strchr (":/\\\x7f", name.data[j]) == NULL;
      if (is_good)
        continue;
      readable = kvsql_readable (name);
      kvsql_error_set (error, KVSQL_ERROR_VALUE, KVSQL_SPAN_NONE,
                       "\"%s\" cannot be the name of a column family in HBase", readable);
      return kvsql_error_hint (
          error, "Use no control characters, no :, / and \\, and do not begin with '.'.");
    }
  return TRUE;
}

/* A request whose error the caller may be able to handle: *@out_kind. */
static gboolean
request_tolerant (KvsqldHbaseStore *self, const KvsqldT2Method *method,
                  const KvsqldT2Writer *request, KvsqlSlice table, const KvsqlCall *call,
                  KvsqldHbaseErrorKind *out_kind, GError **error)
{
  static const guint tolerated = 1u << KVSQLD_HBASE_TABLE_EXISTS | 1u << KVSQLD_HBASE_FAMILY_EXISTS
                                 | 1u << KVSQLD_HBASE_NAMESPACE_EXISTS
                                 | 1u << KVSQLD_HBASE_NO_NAMESPACE
                                 | 1u << KVSQLD_HBASE_TABLE_DISABLED | 1u << KVSQLD_HBASE_FINE;
  g_auto (KvsqldT2Reply) reply = { 0 };
  KvsqldT2Where anywhere = KVSQLD_T2_ANYWHERE;

  if (!kvsqld_hbase_round_trip (self, method, request, &anywhere, call, &reply, error))
    return FALSE;
  *out_kind = kvsqld_hbase_diagnose (&reply, table);
  /* The name of the table alone is the message of TableNotFoundException, and of
   * TableExistsException if another request makes the table. */
  if (method == &kvsqld_t2_create_table && *out_kind == KVSQLD_HBASE_NO_TABLE)
    *out_kind = KVSQLD_HBASE_TABLE_EXISTS;
  return (tolerated >> *out_kind & 1) != 0 || kvsqld_hbase_fail (&reply, method, table, error);
}

/* Reads the table's families; *@out_exists is FALSE if the table does not exist. */
static gboolean
describe_table (KvsqldHbaseStore *self, KvsqlSlice full_name, const KvsqlCall *call,
                KvsqldT2Reply *reply, gboolean *out_exists, GError **error)
{
  g_auto (KvsqldT2Writer) request = { 0 };
  KvsqldT2Name table = kvsqld_hbase_split_name (full_name);
  KvsqldT2Where anywhere = KVSQLD_T2_ANYWHERE;

  if (!kvsqld_hbase_begin (self, &request, call, error))
    return FALSE;
  kvsqld_t2_write_table_call (&request, &kvsqld_t2_get_table_descriptor, &table);
  if (!kvsqld_hbase_round_trip (self, &kvsqld_t2_get_table_descriptor, &request, &anywhere, call,
                                reply, error))
    return FALSE;
  *out_exists = reply->status == KVSQLD_T2_OK;
  return *out_exists || kvsqld_hbase_diagnose (reply, full_name) == KVSQLD_HBASE_NO_TABLE
         || kvsqld_hbase_fail (reply, &kvsqld_t2_get_table_descriptor, full_name, error);
}

gboolean
kvsqld_hbase_describe_table (KvsqlStore *store, KvsqlSlice name, const KvsqlCall *call,
                             KvsqlArena *arena, KvsqlTableDescription *out, GError **error)
{
  KvsqldHbaseStore *self = (KvsqldHbaseStore *)store;
  g_auto (KvsqldT2Reply) reply = { 0 };
  g_autofree gchar *owned = NULL;
  KvsqlSlice full_name = kvsqld_hbase_full_name (self, name, &owned);
  gboolean exists;

  if (!describe_table (self, full_name, call, &reply, &exists, error))
    return FALSE;
  if (!exists)
    return kvsqld_hbase_fail (&reply, &kvsqld_t2_get_table_descriptor, full_name, error);
  out->n_families = reply.n_names;
  out->families = kvsql_arena_array (arena, KvsqlSlice, reply.n_names);
  for (guint i = 0; i < reply.n_names; i++)
    out->families[i] = kvsql_slice_dup (arena, reply.names[i].name);
  return kvsqld_hbase_list_regions (self, name, call, arena, &out->region_starts, &out->n_regions,
                                    error);
}

static gboolean
has_family (const KvsqldT2Reply *reply, KvsqlSlice family)
{
  for (guint i = 0; i < reply->n_names; i++)
    if (kvsql_slice_equal (reply->names[i].name, family))
      return TRUE;
  return FALSE;
}

static gboolean
add_family (KvsqldHbaseStore *self, KvsqlSlice full_name, KvsqlSlice name,
            const KvsqldT2Family *family, const KvsqlCall *call, GError **error)
{
  g_auto (KvsqldT2Writer) request = { 0 };
  KvsqldT2Name table = kvsqld_hbase_split_name (full_name);
  KvsqldHbaseErrorKind kind;

  if (!kvsqld_hbase_begin (self, &request, call, error))
    return FALSE;
  kvsqld_t2_write_add_column_family (&request, &table, name, family);
  return request_tolerant (self, &kvsqld_t2_add_column_family, &request, full_name, call, &kind,
                           error);
}

static gboolean
make_namespace (KvsqldHbaseStore *self, const KvsqldT2Name *table, const KvsqlCall *call,
                GError **error)
{
  g_auto (KvsqldT2Writer) request = { 0 };
  KvsqldHbaseErrorKind kind;

  if (!kvsqld_hbase_begin (self, &request, call, error))
    return FALSE;
  kvsqld_t2_write_create_namespace (&request, table->namespace_name);
  return request_tolerant (self, &kvsqld_t2_create_namespace, &request, table->namespace_name, call,
                           &kind, error);
}

/* If another client creates the same table at the same moment, *@out_created is FALSE. */
static gboolean
create_table (KvsqldHbaseStore *self, const KvsqlTableSpec *spec, KvsqlSlice full_name,
              const KvsqldT2Family *family, const KvsqlCall *call, gboolean *out_created,
              GError **error)
{
  g_auto (KvsqldT2Writer) request = { 0 };
  KvsqldT2Name table = kvsqld_hbase_split_name (full_name);
  KvsqldHbaseErrorKind kind;

  if (!kvsqld_hbase_begin (self, &request, call, error))
    return FALSE;
  kvsqld_t2_write_create_table (&request, &table, spec, family);
  if (!request_tolerant (self, &kvsqld_t2_create_table, &request, full_name, call, &kind, error))
    return FALSE;
  if (kind == KVSQLD_HBASE_NO_NAMESPACE
      && !(make_namespace (self, &table, call, error)
           && request_tolerant (self, &kvsqld_t2_create_table, &request, full_name, call, &kind,
                                error)))
    return FALSE;
  *out_created = kind == KVSQLD_HBASE_FINE;
  return TRUE;
}

static gboolean
add_missing_families (KvsqldHbaseStore *self, const KvsqlTableSpec *spec, KvsqlSlice full_name,
                      const KvsqldT2Reply *description, const KvsqldT2Family *family,
                      const KvsqlCall *call, GError **error)
{
  for (guint i = 0; i < spec->n_families; i++)
    if (!has_family (description, spec->families[i])
        && !add_family (self, full_name, spec->families[i], family, call, error))
      return FALSE;
  return TRUE;
}

static gboolean
check_families (const KvsqlTableSpec *spec, KvsqlSlice full_name, const KvsqldT2Reply *description,
                GError **error)
{
  for (guint i = 0; i < spec->n_families; i++)
    if (!has_family (description, spec->families[i]))
      return kvsqld_hbase_fail_for_family (full_name, spec->families[i], error);
  return TRUE;
}

/* Makes the table, and reads its description. While another client makes the same table, it exists
 * and has no description yet. So it is after a request that the gateway has repeated. HBase may
 * take such a creation back, so it is asked for again. */
static gboolean
make_table (KvsqldHbaseStore *self, const KvsqlTableSpec *spec, KvsqlSlice full_name,
            const KvsqldT2Family *family, const KvsqlCall *call, KvsqldT2Reply *description,
            gboolean *out_created, GError **error)
{
  const gint64 began_us = g_get_monotonic_time ();
  gint64 repeat_us = began_us;
  gboolean exists = FALSE;

  *out_created = FALSE;
  for (;;)
    {
      gint64 now_us = g_get_monotonic_time ();

      if (now_us >= repeat_us)
        {
          gboolean is_created;

          if (!create_table (self, spec, full_name, family, call, &is_created, error))
            return FALSE;
          *out_created |= is_created;
          repeat_us = now_us + CREATION_REPEAT_US;
        }
      if (!kvsql_call_check (call, error)
          || !describe_table (self, full_name, call, description, &exists, error))
        return FALSE;
      if (exists)
        return TRUE;
      if (now_us > began_us + CREATION_WAIT_US)
        return kvsqld_hbase_fail (description, &kvsqld_t2_get_table_descriptor, full_name, error);
      kvsqld_t2_reply_clear (description);
      g_usleep (DESCRIPTION_POLL_US);
    }
}

gboolean
kvsqld_hbase_ensure_table (KvsqlStore *store, const KvsqlTableSpec *spec, const KvsqlCall *call,
                           gboolean *out_created, GError **error)
{
  KvsqldHbaseStore *self = (KvsqldHbaseStore *)store;
  g_auto (KvsqldT2Reply) description = { 0 };
  g_autofree gchar *owned = NULL;
  KvsqlSlice full_name = kvsqld_hbase_full_name (self, spec->name, &owned);
  KvsqldT2Name parts = kvsqld_hbase_split_name (full_name);
  gboolean exists = FALSE, is_created = FALSE;
  KvsqldT2Family family;

  if (!check_table_name (&parts, error) || !check_family_names (spec, error)
      || !describe_family (spec, &family, error)
      || !describe_table (self, full_name, call, &description, &exists, error))
    return FALSE;
  if (spec->must_exist)
    return exists ? check_families (spec, full_name, &description, error)
                  : kvsqld_hbase_fail (&description, &kvsqld_t2_get_table_descriptor, full_name,
                                       error);
  if (!exists)
    {
      kvsqld_t2_reply_clear (&description);
      if (!make_table (self, spec, full_name, &family, call, &description, &is_created, error))
        return FALSE;
    }
  if (!add_missing_families (self, spec, full_name, &description, &family, call, error))
    return FALSE;
  if (out_created != NULL)
    *out_created = is_created;
  return TRUE;
}

/* ---- drop */

gboolean
kvsqld_hbase_drop_table (KvsqlStore *store, KvsqlSlice name, const KvsqlCall *call, GError **error)
{
  KvsqldHbaseStore *self = (KvsqldHbaseStore *)store;
  g_auto (KvsqldT2Writer) request = { 0 };
  g_auto (KvsqldT2Reply) reply = { 0 };
  g_autofree gchar *owned = NULL;
  KvsqlSlice full_name = kvsqld_hbase_full_name (self, name, &owned);
  KvsqldT2Name table = kvsqld_hbase_split_name (full_name);
  KvsqldHbaseErrorKind kind;

  if (!kvsqld_hbase_begin (self, &request, call, error))
    return FALSE;
  kvsqld_t2_write_table_call (&request, &kvsqld_t2_disable_table, &table);
  /* An already disabled table is acceptable: an earlier drop stopped halfway. */
  if (!request_tolerant (self, &kvsqld_t2_disable_table, &request, full_name, call, &kind, error))
    return FALSE;
  kvsqld_t2_write_table_call (&request, &kvsqld_t2_delete_table, &table);
  return kvsqld_hbase_request (self, &kvsqld_t2_delete_table, &request, full_name, call, &reply,
                               error);
}
