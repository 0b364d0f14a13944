/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * statements.c: a table of prepared statements.
 *
 * Ids are random, so that one client cannot guess another's.
 */
#include "config.h"

#include "daemon/statements.h"

struct _KvsqldStatements
{
  GMutex mutex;
  GHashTable *by_id; /* gint64 -> KvsqldParsed */
};

KvsqldParsed *
kvsqld_parsed_new (KvsqlArena *arena, KvsqlSlice sql, const KvsqlStatement *statement,
                   const KvsqldColumn *columns, guint n_columns)
{
  KvsqldParsed *self = g_atomic_rc_box_new0 (KvsqldParsed);
  KvsqldColumn *copies = kvsql_arena_array (arena, KvsqldColumn, n_columns);

  for (guint i = 0; i < n_columns; i++)
    {
      copies[i] = columns[i];
      copies[i].name = kvsql_arena_strdup (arena, columns[i].name);
      if (columns[i].relation != NULL)
        copies[i].relation = kvsql_arena_strdup (arena, columns[i].relation);
    }
  self->arena = arena;
  self->sql = sql;
  self->statement = statement;
  self->columns = copies;
  self->n_columns = n_columns;
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

KvsqldStatements *
kvsqld_statements_new (void)
{
  KvsqldStatements *self = g_new0 (KvsqldStatements, 1);

  g_mutex_init (&self->mutex);
  self->by_id = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free,
                                       (GDestroyNotify)kvsqld_parsed_unref);
  return self;
}

void
kvsqld_statements_free (KvsqldStatements *self)
{
  if (self == NULL)
    return;
  g_hash_table_unref (self->by_id);
  g_mutex_clear (&self->mutex);
  g_free (self);
}

gint64
kvsqld_statements_add (KvsqldStatements *self, KvsqldParsed *parsed, guint max, GError **error)
{
  gint64 id = 0;

  g_mutex_lock (&self->mutex);
  if (g_hash_table_size (self->by_id) < max)
    {
      do
        id = ((gint64)g_random_int () << 31 ^ g_random_int ()) & G_MAXINT64;
      while (id == 0 || g_hash_table_contains (self->by_id, &id));
      g_hash_table_insert (self->by_id, g_memdup2 (&id, sizeof id), kvsqld_parsed_ref (parsed));
    }
  g_mutex_unlock (&self->mutex);
  if (id == 0)
    {
      kvsql_error_set (error, KVSQL_ERROR_LIMIT, KVSQL_SPAN_NONE,
                       "there are %u prepared statements already", max);
      kvsql_error_hint (error, "Close those that are no longer used, or raise max_statements.");
    }
  return id;
}

static gboolean
unknown (gint64 id, GError **error)
{
  kvsql_error_set (error, KVSQL_ERROR_BAD_STATEMENT_ID, KVSQL_SPAN_NONE,
                   "there is no prepared statement %" G_GINT64_FORMAT, id);
  return kvsql_error_hint (
      error,
      "Statements are kept by the daemon that prepared them, until it ends; prepare it again.");
}

KvsqldParsed *
kvsqld_statements_find (KvsqldStatements *self, gint64 id, GError **error)
{
  KvsqldParsed *parsed;

  g_mutex_lock (&self->mutex);
  parsed = g_hash_table_lookup (self->by_id, &id);
  if (parsed != NULL)
    kvsqld_parsed_ref (parsed);
  g_mutex_unlock (&self->mutex);
  if (parsed == NULL)
    unknown (id, error);
  return parsed;
}

gboolean
kvsqld_statements_remove (KvsqldStatements *self, gint64 id, GError **error)
{
  gboolean was_there;

  g_mutex_lock (&self->mutex);
  was_there = g_hash_table_remove (self->by_id, &id);
  g_mutex_unlock (&self->mutex);
  return was_there || unknown (id, error);
}

guint
kvsqld_statements_get_size (KvsqldStatements *self)
{
  guint size;

  g_mutex_lock (&self->mutex);
  size = g_hash_table_size (self->by_id);
  g_mutex_unlock (&self->mutex);
  return size;
}
