/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * statements.c: a table of prepared statements, by session.
 *
 * Ids are random, and looked up together with their session, so that a client can neither guess nor
 * use another one's.
 */
#include "config.h"

#include "daemon/session/statements.h"

/* A prepared statement of a session. */
typedef struct
{
  gint64 id;
  gint64 session;
  gsize bytes;
  KvsqldParsed *parsed;
} Entry;

/* The statements of one session. */
typedef struct
{
  GHashTable *entries; /* set of Entry, borrowed */
  gsize bytes;
} Holding;

struct _KvsqldStatements
{
  GMutex mutex;
  GHashTable *by_id;      /* gint64 of the entry -> Entry */
  GHashTable *by_session; /* gint64 -> Holding */
  gsize bytes;            /* changed with the lock, read without it */
};

KvsqldParsed *
kvsqld_parsed_new (KvsqlArena *arena, KvsqlSlice sql, const KvsqlAstStatement *statement,
                   const KvsqlResultColumn *columns, guint n_columns, gboolean is_cacheable)
{
  KvsqldParsed *self = g_atomic_rc_box_new0 (KvsqldParsed);

  self->arena = arena;
  self->sql = sql;
  self->statement = statement;
  self->columns = columns;
  self->n_columns = n_columns;
  self->is_cacheable = is_cacheable;
  return self;
}

KvsqldParsed *
kvsqld_parsed_ref (KvsqldParsed *self)
{
  return g_atomic_rc_box_acquire (self);
}

static void
parsed_clear (gpointer data)
{
  kvsql_arena_free (((KvsqldParsed *)data)->arena);
}

void
kvsqld_parsed_unref (KvsqldParsed *self)
{
  if (self != NULL)
    g_atomic_rc_box_release_full (self, parsed_clear);
}

void
kvsqld_parsed_note_rows (KvsqldParsed *self, guint64 n_rows)
{
  guint before = kvsqld_parsed_get_rows (self), least = before - before / 4;

  g_atomic_int_set (&self->n_rows, (guint)CLAMP (n_rows, least, G_MAXINT32));
}

guint
kvsqld_parsed_get_rows (const KvsqldParsed *self)
{
  return (guint)g_atomic_int_get (&self->n_rows);
}

static void
entry_free (gpointer data)
{
  Entry *self = data;

  kvsqld_parsed_unref (self->parsed);
  g_free (self);
}

static void
holding_free (gpointer data)
{
  Holding *self = data;

  g_hash_table_unref (self->entries);
  g_free (self);
}

KvsqldStatements *
kvsqld_statements_new (void)
{
  KvsqldStatements *self = g_new0 (KvsqldStatements, 1);

  g_mutex_init (&self->mutex);
  self->by_id = g_hash_table_new_full (g_int64_hash, g_int64_equal, NULL, entry_free);
  self->by_session = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, holding_free);
  return self;
}

void
kvsqld_statements_free (KvsqldStatements *self)
{
  if (self == NULL)
    return;
  g_hash_table_unref (self->by_session);
  g_hash_table_unref (self->by_id);
  g_mutex_clear (&self->mutex);
  g_free (self);
}

/* ---- limits */

static gboolean
has_room (const KvsqldStatements *self, gint64 session, gsize bytes,
          const KvsqldStatementBounds *bounds, GError **error)
{
  const Holding *holding = g_hash_table_lookup (self->by_session, &session);
  guint n = holding == NULL ? 0 : g_hash_table_size (holding->entries);
  gsize held = holding == NULL ? 0 : holding->bytes;

  if (session != 0 && n >= bounds->max_of_session)
    {
      kvsql_error_set (error, KVSQL_ERROR_LIMIT, KVSQL_SPAN_NONE,
                       "this session has %u prepared statements already", n);
      return kvsql_error_hint (error, "Close those that are no longer used, or raise "
                                      "max_session_statements in the daemon's configuration.");
    }
  if (g_hash_table_size (self->by_id) >= bounds->max)
    {
      kvsql_error_set (error, KVSQL_ERROR_LIMIT, KVSQL_SPAN_NONE,
                       "there are %u prepared statements already", g_hash_table_size (self->by_id));
      return kvsql_error_hint (error, "Close those that are no longer used, or raise "
                                      "max_prepared_statements in the daemon's configuration.");
    }
  if (session != 0 && held + bytes > bounds->max_bytes_of_session)
    {
      kvsql_error_set (error, KVSQL_ERROR_LIMIT, KVSQL_SPAN_NONE,
                       "the prepared statements of this session need more than %" G_GSIZE_FORMAT
                       " KiB of memory",
                       bounds->max_bytes_of_session >> 10);
      return kvsql_error_hint (error, "Close those that are no longer used, or raise max_memory in "
                                      "the daemon's configuration.");
    }
  if (self->bytes + bytes > bounds->max_bytes)
    {
      kvsql_error_set (error, KVSQL_ERROR_LIMIT, KVSQL_SPAN_NONE,
                       "the prepared statements of all sessions need more than %" G_GSIZE_FORMAT
                       " KiB of memory",
                       bounds->max_bytes >> 10);
      return kvsql_error_hint (error, "Close those that are no longer used, or raise max_memory in "
                                      "the daemon's configuration.");
    }
  return TRUE;
}

/* ---- the table; the lock is held */

static Holding *
get_holding (KvsqldStatements *self, gint64 session)
{
  Holding *holding = g_hash_table_lookup (self->by_session, &session);

  if (holding != NULL)
    return holding;
  holding = g_new0 (Holding, 1);
  holding->entries = g_hash_table_new (NULL, NULL);
  g_hash_table_insert (self->by_session, g_memdup2 (&session, sizeof session), holding);
  return holding;
}

static gint64
insert (KvsqldStatements *self, gint64 session, KvsqldParsed *parsed, gsize bytes)
{
  Holding *holding = get_holding (self, session);
  Entry *entry = g_new (Entry, 1);
  gint64 id;

  do
    id = ((gint64)g_random_int () << 31 ^ g_random_int ()) & G_MAXINT64;
  while (id == 0 || g_hash_table_contains (self->by_id, &id));
  *entry = (Entry){
    .id = id, .session = session, .bytes = bytes, .parsed = kvsqld_parsed_ref (parsed)
  };
  g_hash_table_insert (self->by_id, &entry->id, entry);
  g_hash_table_add (holding->entries, entry);
  holding->bytes += bytes;
  __atomic_fetch_add (&self->bytes, bytes, __ATOMIC_RELAXED);
  return id;
}

/* A statement of another session is unknown, like one that never existed. */
static Entry *
lookup (KvsqldStatements *self, gint64 session, gint64 id)
{
  Entry *entry = g_hash_table_lookup (self->by_id, &id);

  return entry != NULL && entry->session == session ? entry : NULL;
}

/* Returns the entry, so that it is freed outside the lock, because freeing a large tree takes time:
 * (transfer full) */
static Entry *
take_out (KvsqldStatements *self, Entry *entry)
{
  __atomic_fetch_sub (&self->bytes, entry->bytes, __ATOMIC_RELAXED);
  g_hash_table_steal (self->by_id, &entry->id);
  return entry;
}

gint64
kvsqld_statements_add (KvsqldStatements *self, gint64 session, KvsqldParsed *parsed, gsize bytes,
                       const KvsqldStatementBounds *bounds, GError **error)
{
  G_GNUC_UNUSED g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&self->mutex);

  if (!has_room (self, session, bytes, bounds, error))
    return 0;
  return insert (self, session, parsed, bytes);
}

static gboolean
unknown (gint64 id, GError **error)
{
  kvsql_error_set (error, KVSQL_ERROR_BAD_STATEMENT_ID, KVSQL_SPAN_NONE,
                   "there is no prepared statement %" G_GINT64_FORMAT, id);
  return kvsql_error_hint (error, "A statement belongs to the connection that prepared it, and "
                                  "ends with it; prepare it again.");
}

KvsqldParsed *
kvsqld_statements_find (KvsqldStatements *self, gint64 session, gint64 id, GError **error)
{
  KvsqldParsed *parsed = NULL;
  const Entry *entry;

  g_mutex_lock (&self->mutex);
  entry = lookup (self, session, id);
  if (entry != NULL)
    parsed = kvsqld_parsed_ref (entry->parsed);
  g_mutex_unlock (&self->mutex);
  if (parsed == NULL)
    unknown (id, error);
  return parsed;
}

gboolean
kvsqld_statements_remove (KvsqldStatements *self, gint64 session, gint64 id, GError **error)
{
  Entry *entry;

  g_mutex_lock (&self->mutex);
  entry = lookup (self, session, id);
  if (entry != NULL)
    {
      Holding *holding = g_hash_table_lookup (self->by_session, &session);

      take_out (self, entry);
      holding->bytes -= entry->bytes;
      g_hash_table_remove (holding->entries, entry);
    }
  g_mutex_unlock (&self->mutex);
  if (entry == NULL)
    return unknown (id, error);
  entry_free (entry);
  return TRUE;
}

void
kvsqld_statements_end_session (KvsqldStatements *self, gint64 session)
{
  g_autoptr (GPtrArray) ended = g_ptr_array_new_with_free_func (entry_free);
  Holding *holding;
  GHashTableIter iter;
  gpointer entry;

  g_mutex_lock (&self->mutex);
  holding = g_hash_table_lookup (self->by_session, &session);
  if (holding != NULL)
    {
      g_hash_table_iter_init (&iter, holding->entries);
      while (g_hash_table_iter_next (&iter, &entry, NULL))
        g_ptr_array_add (ended, take_out (self, entry));
      g_hash_table_remove (self->by_session, &session);
    }
  g_mutex_unlock (&self->mutex);
}

guint
kvsqld_statements_get_size (KvsqldStatements *self)
{
  G_GNUC_UNUSED g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&self->mutex);

  return g_hash_table_size (self->by_id);
}

gsize
kvsqld_statements_get_bytes (const KvsqldStatements *self)
{
  return __atomic_load_n (&self->bytes, __ATOMIC_RELAXED);
}
