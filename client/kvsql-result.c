/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * kvsql-result.c: the rows of a statement's result, page by page.
 *
 * The next page is fetched in the background once the reader has shown that it reads on: it has
 * read a quarter of the first page, or has asked for a second page. A cursor is valid on every
 * connection to kvsqld and is kept until its page has arrived, so a failed fetch can be repeated.
 */
#include "config.h"

#include "client/kvsql-result.h"

#include "client/error-private.h"
#include "client/prefetch.h"
#include "client/result-private.h"
#include "client/service.h"
#include "client/text.h"

struct _KvsqlResult
{
  GObject parent;

  KvsqlConnection *connection;
  GArray *info; /* KvsqlColumnInfo */
  gint64 affected;
  GPtrArray *warnings; /* NULL-terminated */

  KvsqlPage page;
  guint row;               /* number of the current row + 1; 0: before the first row */
  KvsqlPrefetch *prefetch; /* of the next page; NULL: no fetch is running */

  GString **texts; /* one for each column, created when needed */
};

G_DEFINE_FINAL_TYPE (KvsqlResult, kvsql_result, G_TYPE_OBJECT)

static void
kvsql_result_init (KvsqlResult *self)
{
  self->warnings = g_ptr_array_new_with_free_func (g_free);
  g_ptr_array_add (self->warnings, NULL);
}

static void
kvsql_result_finalize (GObject *object)
{
  KvsqlResult *self = KVSQL_RESULT (object);

  /* A running fetch closes its own cursor, which replaces this one. */
  if (self->page.cursor != NULL && self->prefetch == NULL)
    _kvsql_connection_forget_cursor (self->connection, self->page.cursor);
  _kvsql_prefetch_free (self->prefetch);
  _kvsql_page_clear (&self->page);
  for (guint i = 0; self->texts != NULL && i < self->info->len; i++)
    if (self->texts[i] != NULL)
      g_string_free (self->texts[i], TRUE);
  g_free (self->texts);
  g_array_unref (self->info);
  g_ptr_array_unref (self->warnings);
  g_clear_object (&self->connection);
  G_OBJECT_CLASS (kvsql_result_parent_class)->finalize (object);
}

static void
kvsql_result_class_init (KvsqlResultClass *class)
{
  G_OBJECT_CLASS (class)->finalize = kvsql_result_finalize;
}

/* Moves @page to the current page and leaves @page empty. */
static void
take_page (KvsqlResult *self, KvsqlPage *page)
{
  _kvsql_page_clear (&self->page);
  self->page = *page;
  *page = (KvsqlPage)KVSQL_PAGE_INIT;
  self->row = 0;
  if (self->page.affected >= 0)
    self->affected = self->page.affected;
  for (guint i = 0; self->page.warnings != NULL && i < self->page.warnings->len; i++)
    g_ptr_array_insert (self->warnings, (gint)self->warnings->len - 1,
                        g_strdup (g_ptr_array_index (self->page.warnings, i)));
}

KvsqlResult *
_kvsql_result_new (KvsqlConnection *connection, KvsqlPage *page, GError **error)
{
  g_autoptr (GArray) info
      = page->info != NULL ? g_array_ref (page->info) : _kvsql_column_infos_new ();
  KvsqlResult *self;

  if (!_kvsql_page_check_types (page, info, error))
    return NULL;
  self = g_object_new (KVSQL_TYPE_RESULT, NULL);
  self->connection = g_object_ref (connection);
  self->info = g_steal_pointer (&info);
  self->affected = -1;
  take_page (self, page);
  return self;
}

/* ---- pages */

static void
fetch_ahead (KvsqlResult *self)
{
  if (self->page.cursor != NULL && self->prefetch == NULL)
    self->prefetch = _kvsql_prefetch_start (self->connection, self->page.cursor);
}

static gboolean
fetch_page (KvsqlResult *self, KvsqlPage *page, GCancellable *cancellable, GError **error)
{
  g_autoptr (GError) cause = NULL;

  if (self->prefetch == NULL)
    return _kvsql_service_fetch (self->connection, self->page.cursor, page, cancellable, error);
  if (_kvsql_prefetch_finish (self->prefetch, page, cancellable, &cause))
    {
      g_clear_pointer (&self->prefetch, _kvsql_prefetch_free);
      return TRUE;
    }
  /* After a cancelled wait the fetch continues. After any other error the next attempt starts a new
   * fetch. */
  if (!g_error_matches (cause, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    g_clear_pointer (&self->prefetch, _kvsql_prefetch_free);
  g_propagate_error (error, g_steal_pointer (&cause));
  return FALSE;
}

gboolean
kvsql_result_next_page (KvsqlResult *self, GCancellable *cancellable, GError **error)
{
  g_auto (KvsqlPage) page = KVSQL_PAGE_INIT;

  g_return_val_if_fail (KVSQL_IS_RESULT (self), FALSE);
  g_return_val_if_fail (error == NULL || *error == NULL, FALSE);

  if (self->page.cursor == NULL)
    {
      self->row = (guint)self->page.n_rows + 1;
      return FALSE;
    }
  if (!fetch_page (self, &page, cancellable, error)
      || !_kvsql_page_check_types (&page, self->info, error))
    return FALSE;
  take_page (self, &page);
  fetch_ahead (self);
  return TRUE;
}

static void
next_page_in_thread (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  g_autoptr (GError) error = NULL;
  gboolean found = kvsql_result_next_page (source, cancellable, &error);

  if (error != NULL)
    g_task_return_error (task, g_steal_pointer (&error));
  else
    g_task_return_boolean (task, found);
}

void
kvsql_result_next_page_async (KvsqlResult *self, GCancellable *cancellable,
                              GAsyncReadyCallback callback, gpointer user_data)
{
  g_autoptr (GTask) task = NULL;

  g_return_if_fail (KVSQL_IS_RESULT (self));
  task = g_task_new (self, cancellable, callback, user_data);
  g_task_set_source_tag (task, kvsql_result_next_page_async);
  g_task_run_in_thread (task, next_page_in_thread);
}

gboolean
kvsql_result_next_page_finish (KvsqlResult *self, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (KVSQL_IS_RESULT (self), FALSE);
  g_return_val_if_fail (g_task_is_valid (result, self), FALSE);
  g_return_val_if_fail (g_async_result_is_tagged (result, kvsql_result_next_page_async), FALSE);
  g_return_val_if_fail (error == NULL || *error == NULL, FALSE);

  return g_task_propagate_boolean (G_TASK (result), error);
}

gboolean
kvsql_result_is_last_page (KvsqlResult *self)
{
  g_return_val_if_fail (KVSQL_IS_RESULT (self), TRUE);
  return self->page.cursor == NULL;
}

GBytes *
kvsql_result_get_cursor (KvsqlResult *self)
{
  g_return_val_if_fail (KVSQL_IS_RESULT (self), NULL);
  return self->page.cursor;
}

gdouble
kvsql_result_get_progress (KvsqlResult *self)
{
  g_return_val_if_fail (KVSQL_IS_RESULT (self), -1);
  return self->page.cursor == NULL ? 1 : CLAMP (self->page.done, -1, 1);
}

guint
kvsql_result_get_n_page_rows (KvsqlResult *self)
{
  g_return_val_if_fail (KVSQL_IS_RESULT (self), 0);
  return (guint)self->page.n_rows;
}

/* ---- rows */

gboolean
kvsql_result_next (KvsqlResult *self, GError **error)
{
  g_return_val_if_fail (KVSQL_IS_RESULT (self), FALSE);
  g_return_val_if_fail (error == NULL || *error == NULL, FALSE);

  while (self->row >= (guint)self->page.n_rows)
    {
      self->row = (guint)self->page.n_rows + 1;
      if (!kvsql_result_next_page (self, NULL, error))
        return FALSE;
    }
  if (self->row++ == (guint)self->page.n_rows / 4)
    fetch_ahead (self);
  return TRUE;
}

/* The cells of a column if the current row has a value in it; else NULL. */
static const KvsqlCells *
value_at (KvsqlResult *self, guint column)
{
  const KvsqlCells *cells;

  g_return_val_if_fail (KVSQL_IS_RESULT (self), NULL);
  g_return_val_if_fail (column < self->info->len, NULL);
  g_return_val_if_fail (self->row > 0 && self->row <= (guint)self->page.n_rows, NULL);

  cells = &g_array_index (self->page.columns, KvsqlCells, column);
  return _kvsql_cells_is_null (cells, self->row - 1) ? NULL : cells;
}

gboolean
kvsql_result_is_null (KvsqlResult *self, guint column)
{
  return value_at (self, column) == NULL;
}

gboolean
kvsql_result_get_boolean (KvsqlResult *self, guint column)
{
  const KvsqlCells *cells = value_at (self, column);

  return cells != NULL && cells->kind == KVSQL_CELLS_BOOLEAN && cells->booleans[self->row - 1] != 0;
}

gint64
kvsql_result_get_int64 (KvsqlResult *self, guint column)
{
  const KvsqlCells *cells = value_at (self, column);

  if (cells != NULL && cells->kind == KVSQL_CELLS_INT64)
    return cells->integers[self->row - 1];
  return cells != NULL && cells->kind == KVSQL_CELLS_BOOLEAN && cells->booleans[self->row - 1] != 0;
}

static const gchar *
bytes_at (const KvsqlCells *cells, guint row, gsize *out_size)
{
  *out_size = cells->offsets[row + 1] - cells->offsets[row] - 1;
  return cells->bytes + cells->offsets[row];
}

gdouble
kvsql_result_get_double (KvsqlResult *self, guint column)
{
  const KvsqlCells *cells = value_at (self, column);
  gsize size;

  if (cells == NULL)
    return 0;
  switch (cells->kind)
    {
    case KVSQL_CELLS_DOUBLE:
      return cells->reals[self->row - 1];
    case KVSQL_CELLS_INT64:
      return (gdouble)cells->integers[self->row - 1];
    case KVSQL_CELLS_TEXT:
      if (kvsql_result_get_column_type (self, column) == KVSQL_COLUMN_TYPE_DECIMAL)
        return g_ascii_strtod (bytes_at (cells, self->row - 1, &size), NULL);
      return 0;
    default:
      return 0;
    }
}

const gchar *
kvsql_result_get_string (KvsqlResult *self, guint column)
{
  const KvsqlCells *cells = value_at (self, column);
  gsize size;

  return cells != NULL && cells->kind == KVSQL_CELLS_TEXT ? bytes_at (cells, self->row - 1, &size)
                                                          : NULL;
}

const guint8 *
kvsql_result_get_bytes (KvsqlResult *self, guint column, gsize *out_size)
{
  const KvsqlCells *cells = value_at (self, column);
  gsize size = 0;
  const gchar *bytes = NULL;

  if (cells != NULL && (cells->kind == KVSQL_CELLS_BYTES || cells->kind == KVSQL_CELLS_TEXT))
    bytes = bytes_at (cells, self->row - 1, &size);
  if (out_size != NULL)
    *out_size = size;
  return (const guint8 *)bytes;
}

static void
append_integer (GString *out, gint64 value, KvsqlColumnType type)
{
  if (type == KVSQL_COLUMN_TYPE_DATE)
    _kvsql_text_append_date (out, value);
  else if (type == KVSQL_COLUMN_TYPE_TIMESTAMP)
    _kvsql_text_append_timestamp (out, value);
  else if (type == KVSQL_COLUMN_TYPE_TIME)
    _kvsql_text_append_clock (out, value);
  else
    g_string_append_printf (out, "%" G_GINT64_FORMAT, value);
}

static void
append_text (GString *out, const KvsqlCells *cells, guint row, KvsqlColumnType type)
{
  const gchar *bytes;
  gsize size;

  switch (cells->kind)
    {
    case KVSQL_CELLS_BOOLEAN:
      g_string_append (out, cells->booleans[row] != 0 ? "true" : "false");
      break;
    case KVSQL_CELLS_INT64:
      append_integer (out, cells->integers[row], type);
      break;
    case KVSQL_CELLS_DOUBLE:
      _kvsql_text_append_double (out, cells->reals[row], type == KVSQL_COLUMN_TYPE_FLOAT);
      break;
    case KVSQL_CELLS_BYTES:
      bytes = bytes_at (cells, row, &size);
      _kvsql_text_append_bytes (out, bytes, size);
      break;
    default:
      break;
    }
}

const gchar *
kvsql_result_get_text (KvsqlResult *self, guint column)
{
  const KvsqlCells *cells = value_at (self, column);
  gsize size;

  if (cells == NULL)
    return NULL;
  if (cells->kind == KVSQL_CELLS_TEXT)
    return bytes_at (cells, self->row - 1, &size);
  if (self->texts == NULL)
    self->texts = g_new0 (GString *, self->info->len);
  if (self->texts[column] == NULL)
    self->texts[column] = g_string_new (NULL);
  g_string_truncate (self->texts[column], 0);
  append_text (self->texts[column], cells, self->row - 1,
               kvsql_result_get_column_type (self, column));
  return self->texts[column]->str;
}

/* ---- vectors */

static const KvsqlCells *
vector_of (KvsqlResult *self, guint column, KvsqlCellKind kind, gsize *out_n_rows)
{
  const KvsqlCells *cells = NULL;

  if (out_n_rows != NULL)
    *out_n_rows = 0;
  g_return_val_if_fail (KVSQL_IS_RESULT (self), NULL);
  g_return_val_if_fail (column < self->info->len, NULL);

  if (column < self->page.columns->len)
    cells = &g_array_index (self->page.columns, KvsqlCells, column);
  if (cells == NULL || cells->kind != kind)
    return NULL;
  if (out_n_rows != NULL)
    *out_n_rows = cells->n_rows;
  return cells;
}

const guint8 *
kvsql_result_get_null_column (KvsqlResult *self, guint column, gsize *out_n_bytes)
{
  const KvsqlCells *cells;

  if (out_n_bytes != NULL)
    *out_n_bytes = 0;
  g_return_val_if_fail (KVSQL_IS_RESULT (self), NULL);
  g_return_val_if_fail (column < self->info->len, NULL);

  if (column >= self->page.columns->len)
    return NULL;
  cells = &g_array_index (self->page.columns, KvsqlCells, column);
  if (out_n_bytes != NULL)
    *out_n_bytes = cells->nulls_size;
  return cells->nulls;
}

const guint8 *
kvsql_result_get_boolean_column (KvsqlResult *self, guint column, gsize *out_n_rows)
{
  const KvsqlCells *cells = vector_of (self, column, KVSQL_CELLS_BOOLEAN, out_n_rows);

  return cells != NULL ? cells->booleans : NULL;
}

const gint64 *
kvsql_result_get_int64_column (KvsqlResult *self, guint column, gsize *out_n_rows)
{
  const KvsqlCells *cells = vector_of (self, column, KVSQL_CELLS_INT64, out_n_rows);

  return cells != NULL ? cells->integers : NULL;
}

const gdouble *
kvsql_result_get_double_column (KvsqlResult *self, guint column, gsize *out_n_rows)
{
  const KvsqlCells *cells = vector_of (self, column, KVSQL_CELLS_DOUBLE, out_n_rows);

  return cells != NULL ? cells->reals : NULL;
}

const gchar *
kvsql_result_get_bytes_column (KvsqlResult *self, guint column, const guint32 **out_offsets,
                               gsize *out_n_offsets)
{
  gsize n_rows;
  const KvsqlCells *cells = vector_of (self, column, KVSQL_CELLS_TEXT, &n_rows);

  if (cells == NULL)
    cells = vector_of (self, column, KVSQL_CELLS_BYTES, &n_rows);
  if (out_offsets != NULL)
    *out_offsets = cells != NULL ? cells->offsets : NULL;
  if (out_n_offsets != NULL)
    *out_n_offsets = cells != NULL ? n_rows + 1 : 0;
  return cells != NULL ? cells->bytes : NULL;
}

/* ---- columns and facts of the result */

static const KvsqlColumnInfo *
info_of (KvsqlResult *self, guint column)
{
  g_return_val_if_fail (KVSQL_IS_RESULT (self), NULL);
  g_return_val_if_fail (column < self->info->len, NULL);
  return &g_array_index (self->info, KvsqlColumnInfo, column);
}

guint
kvsql_result_get_n_columns (KvsqlResult *self)
{
  g_return_val_if_fail (KVSQL_IS_RESULT (self), 0);
  return self->info->len;
}

const gchar *
kvsql_result_get_column_name (KvsqlResult *self, guint column)
{
  const KvsqlColumnInfo *info = info_of (self, column);

  return info != NULL ? info->name : NULL;
}

KvsqlColumnType
kvsql_result_get_column_type (KvsqlResult *self, guint column)
{
  const KvsqlColumnInfo *info = info_of (self, column);

  return info != NULL ? (KvsqlColumnType)info->type : KVSQL_COLUMN_TYPE_NULL;
}

gboolean
kvsql_result_get_column_nullable (KvsqlResult *self, guint column)
{
  const KvsqlColumnInfo *info = info_of (self, column);

  return info != NULL && info->is_nullable;
}

const gchar *
kvsql_result_get_column_relation (KvsqlResult *self, guint column)
{
  const KvsqlColumnInfo *info = info_of (self, column);

  return info != NULL ? info->relation : NULL;
}

gint
kvsql_result_find_column (KvsqlResult *self, const gchar *name)
{
  gint found = -1;

  g_return_val_if_fail (KVSQL_IS_RESULT (self), -1);
  g_return_val_if_fail (name != NULL, -1);

  for (guint i = 0; i < self->info->len; i++)
    {
      const gchar *candidate = info_of (self, i)->name;

      if (g_str_equal (candidate, name))
        return (gint)i;
      if (found < 0 && g_ascii_strcasecmp (candidate, name) == 0)
        found = (gint)i;
    }
  return found;
}

gint64
kvsql_result_get_affected (KvsqlResult *self)
{
  g_return_val_if_fail (KVSQL_IS_RESULT (self), -1);
  return self->affected;
}

const gchar *const *
kvsql_result_get_warnings (KvsqlResult *self)
{
  g_return_val_if_fail (KVSQL_IS_RESULT (self), NULL);
  return (const gchar *const *)self->warnings->pdata;
}

const gchar *
kvsql_column_type_get_name (KvsqlColumnType type)
{
  static const gchar *const names[] = { "NULL",
                                        "STRING",
                                        "BYTES",
                                        "BOOLEAN",
                                        "INT",
                                        "BIGINT",
                                        "FLOAT",
                                        "DOUBLE",
                                        "DECIMAL",
                                        "DATE",
                                        "TIMESTAMP",
                                        "MAP",
                                        "LIST",
                                        [KVSQL_COLUMN_TYPE_UUID] = "UUID",
                                        [KVSQL_COLUMN_TYPE_TIME] = "TIME",
                                        [KVSQL_COLUMN_TYPE_INTERVAL] = "INTERVAL",
                                        [KVSQL_COLUMN_TYPE_JSON] = "JSON",
                                        [KVSQL_COLUMN_TYPE_JSONB] = "JSONB" };

  return (guint)type < G_N_ELEMENTS (names) && names[type] != NULL ? names[type] : "UNKNOWN";
}
