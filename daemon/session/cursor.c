/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * cursor.c: see cursor.h.
 */
#include "config.h"

#include "daemon/session/cursor.h"

void
kvsqld_cursor_free (KvsqldCursor *self)
{
  if (self == NULL)
    return;
  kvsql_select_run_free (self->run);
  kvsqld_undecodable_cells_free (self->undecodable);
  kvsql_arena_free (self->arena);
  kvsqld_plan_unref (self->kept);
  kvsqld_parsed_unref (self->parsed);
  kvsql_catalog_unref (self->catalog);
  kvsqld_shape_unref (self->shape);
  kvsql_account_unref (self->account);
  g_free (self);
}

GBytes *
kvsqld_cursor_seal (const KvsqldCursor *self, GBytes *key)
{
  g_autoptr (KvsqlArena) arena = kvsql_arena_new ();
  gboolean has_sql = self->sql.size <= KVSQLD_MAX_TOKEN_SQL;
  KvsqldCursorToken token = {
    .page = self->page,
    .n_undecodable = kvsqld_undecodable_cells_count (self->undecodable),
    .now = self->now,
    .schema = self->plan->best == NULL ? KVSQL_SLICE_EMPTY
                                       : kvsql_slice_from_text (self->plan->best->schema->name),
    .is_verified = self->plan->is_verified,
    .sql = has_sql ? self->sql : KVSQL_SLICE_EMPTY,
    .parameters = (KvsqlValue *)self->parameters,
    .n_parameters = has_sql ? self->n_parameters : 0,
  };

  memcpy (token.id, self->id, sizeof token.id);
  kvsqld_definitions_hash (self->plan, token.definitions);
  kvsql_select_run_get_position (self->run, arena, &token.position);
  return kvsqld_cursor_token_seal (&token, key);
}

gboolean
kvsqld_cursor_count_page (KvsqldCursor *self, const KvsqlResultPage *page, guint64 max_rows,
                          guint64 max_bytes, GError **error)
{
  self->n_rows += page->rows->n_rows;
  self->n_bytes += kvsql_arena_get_size (page->arena)
                   + (guint64)page->rows->n_rows * page->rows->n_columns * sizeof (gint64);
  if (max_rows > 0 && self->n_rows > max_rows)
    {
      kvsql_error_set (error, KVSQL_ERROR_LIMIT, KVSQL_SPAN_NONE,
                       "the result has more than %" G_GUINT64_FORMAT " rows", max_rows);
      return kvsql_error_hint (error,
                               "Use LIMIT, narrow the predicate, or raise max_result_rows in "
                               "the daemon's configuration.");
    }
  if (max_bytes > 0 && self->n_bytes > max_bytes)
    {
      kvsql_error_set (error, KVSQL_ERROR_LIMIT, KVSQL_SPAN_NONE,
                       "the result has more than %" G_GUINT64_FORMAT " bytes", max_bytes);
      return kvsql_error_hint (error,
                               "Use LIMIT, narrow the predicate, or raise max_result_bytes in "
                               "the daemon's configuration.");
    }
  return TRUE;
}

gboolean
kvsqld_cursor_check_definitions (const KvsqldCursor *self, const KvsqlCatalog *catalog,
                                 GError **error)
{
  return self->catalog->epoch == catalog->epoch || kvsqld_definitions_hold (self->plan, catalog)
         || kvsqld_cursor_fail_changed (error);
}
