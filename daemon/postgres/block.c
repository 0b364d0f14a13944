/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * block.c: see block.h.
 */
#include "config.h"

#include "daemon/postgres/block.h"

#define MAX_SAVEPOINTS 1000
#define MAX_NAME_BYTES 1000

typedef struct
{
  gchar *name;
  KvsqldPgChanges changes; /* of the block until then */
} Savepoint;

static void
savepoint_clear (gpointer data)
{
  g_free (((Savepoint *)data)->name);
}

void
kvsqld_pg_block_init (KvsqldPgBlock *self)
{
  *self = (KvsqldPgBlock){ .state = KVSQLD_PG_IDLE };
  self->savepoints = g_array_new (FALSE, FALSE, sizeof (Savepoint));
  g_array_set_clear_func (self->savepoints, savepoint_clear);
}

void
kvsqld_pg_block_clear (KvsqldPgBlock *self)
{
  g_clear_pointer (&self->savepoints, g_array_unref);
}

void
kvsqld_pg_block_begin (KvsqldPgBlock *self)
{
  kvsqld_pg_block_end (self);
  self->state = KVSQLD_PG_OPEN;
}

void
kvsqld_pg_block_end (KvsqldPgBlock *self)
{
  self->state = KVSQLD_PG_IDLE;
  self->changes = (KvsqldPgChanges){ 0 };
  g_array_set_size (self->savepoints, 0);
}

void
kvsqld_pg_block_fail (KvsqldPgBlock *self)
{
  if (self->state == KVSQLD_PG_OPEN)
    self->state = KVSQLD_PG_FAILED;
}

gboolean
kvsqld_pg_block_add_savepoint (KvsqldPgBlock *self, const gchar *name, GError **error)
{
  Savepoint savepoint = { .changes = self->changes };

  if (self->savepoints->len >= MAX_SAVEPOINTS)
    return kvsql_error_set (error, KVSQL_ERROR_LIMIT, KVSQL_SPAN_NONE,
                            "the transaction has %d savepoints already", MAX_SAVEPOINTS);
  if (strlen (name) > MAX_NAME_BYTES)
    return kvsql_error_set (error, KVSQL_ERROR_LIMIT, KVSQL_SPAN_NONE,
                            "the name of a savepoint has at most %d bytes", MAX_NAME_BYTES);
  savepoint.name = g_strdup (name);
  g_array_append_val (self->savepoints, savepoint);
  return TRUE;
}

gboolean
kvsqld_pg_block_go_back (KvsqldPgBlock *self, const gchar *name, gboolean keeps,
                         KvsqldPgChanges *out_changes, GError **error)
{
  for (guint i = self->savepoints->len; i-- > 0;)
    {
      const Savepoint *savepoint = &g_array_index (self->savepoints, Savepoint, i);

      if (strcmp (savepoint->name, name) != 0)
        continue;
      if (out_changes != NULL)
        *out_changes = (KvsqldPgChanges){
          .n_tuples = self->changes.n_tuples - savepoint->changes.n_tuples,
          .n_definitions = self->changes.n_definitions - savepoint->changes.n_definitions,
        };
      g_array_set_size (self->savepoints, i + keeps);
      return TRUE;
    }
  kvsql_error_set (error, KVSQL_ERROR_UNKNOWN_NAME, KVSQL_SPAN_NONE,
                   "savepoint \"%s\" does not exist", name);
  return kvsql_error_sqlstate (error, "3B001");
}

gchar *
kvsqld_pg_changes_describe (const KvsqldPgChanges *self)
{
  GString *text;

  if (self->n_tuples == 0 && self->n_definitions == 0)
    return NULL;
  text = g_string_new ("nothing was taken back:");
  if (self->n_tuples > 0)
    g_string_append_printf (text, " %" G_GINT64_FORMAT " written or deleted tuple%s",
                            self->n_tuples, self->n_tuples == 1 ? "" : "s");
  if (self->n_definitions > 0)
    g_string_append_printf (text, "%s %" G_GINT64_FORMAT " change%s of definitions",
                            self->n_tuples > 0 ? " and" : "", self->n_definitions,
                            self->n_definitions == 1 ? "" : "s");
  g_string_append (text, self->n_tuples + self->n_definitions == 1 ? " stays" : " stay");
  return g_string_free (text, FALSE);
}
