/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * buckets.c: see buckets.h.
 */
#include "config.h"

#include "core/infer/buckets.h"

/* Of seconds: a minute, ten minutes, an hour, a day. */
static const gint64 widths[] = { 60, 600, 3600, 86400 };

static gboolean
is_time (const KvsqlInferPiece *piece)
{
  return piece->kind == KVSQL_INFER_ATTRIBUTE
         && (piece->type == KVSQL_TYPE_TIMESTAMP || piece->type == KVSQL_TYPE_DATE
             || (piece->is_number && g_strcmp0 (piece->stem, "seconds") == 0));
}

/* The only attribute of the qualifier, if it is a number. */
static KvsqlInferPiece *
find_offset (KvsqlInferCells *cells)
{
  KvsqlInferPiece *found = NULL;

  for (guint i = 0; cells->kind == KVSQL_INFER_EACH_CELL && i < cells->qualifier.n; i++)
    {
      KvsqlInferPiece *piece = &cells->qualifier.pieces[i];

      if (piece->kind != KVSQL_INFER_ATTRIBUTE)
        continue;
      if (found != NULL)
        return NULL;
      found = piece;
    }
  return found != NULL && found->is_number && found->type != KVSQL_TYPE_TIMESTAMP && found->min >= 0
             ? found
             : NULL;
}

/* 0: none fits. The offsets have to use a good part of it. */
static gint64
find_width (const KvsqlInferPiece *time, const KvsqlInferPiece *offset)
{
  gboolean is_ms = time->type != KVSQL_TYPE_INT && time->type != KVSQL_TYPE_BIGINT;

  for (guint i = 0; i < G_N_ELEMENTS (widths); i++)
    {
      gint64 width = is_ms ? widths[i] * 1000 : widths[i];

      if (time->step > 0 && time->step % width == 0 && offset->max < width
          && offset->max >= width / 4)
        return width;
    }
  return 0;
}

/* The two are told by their name. */
static gboolean
is_only_of_name (const KvsqlInferLayout *row, const KvsqlInferPiece *time)
{
  const gchar *stem = time->type == KVSQL_TYPE_DATE ? "at" : time->stem;

  for (guint i = 0; i < row->n; i++)
    if (&row->pieces[i] != time && g_strcmp0 (row->pieces[i].stem, stem) == 0)
      return FALSE;
  return TRUE;
}

static void
join (KvsqlInferPiece *time, KvsqlInferPiece *offset, gint64 width, KvsqlArena *arena)
{
  gboolean is_long = time->type != KVSQL_TYPE_INT;

  /* the attribute of a date is the time itself; the format has no more than its day */
  if (time->type == KVSQL_TYPE_DATE)
    {
      time->type = KVSQL_TYPE_TIMESTAMP;
      time->stem = "at";
      if (g_str_equal (time->inner_before, "text{"))
        time->inner_before = "format('yyyy-MM-dd'){";
    }
  if (!g_str_has_prefix (time->inner_before, "format("))
    {
      time->inner_before = kvsql_arena_printf (arena, "bucket(%" G_GINT64_FORMAT "){%s", width,
                                               time->inner_before);
      time->inner_after = kvsql_arena_printf (arena, "%s}", time->inner_after);
    }
  /* an offset of a BIGINT or TIMESTAMP is a BIGINT: four bytes have to be said */
  if (is_long && offset->type == KVSQL_TYPE_INT && offset->inner_before[0] == '\0')
    {
      offset->inner_before = "unsigned(4){";
      offset->inner_after = "}";
    }
  offset->inner_before
      = kvsql_arena_printf (arena, "offset(%" G_GINT64_FORMAT "){%s", width, offset->inner_before);
  offset->inner_after = kvsql_arena_printf (arena, "%s}", offset->inner_after);
  time->bucket = offset->bucket = width;
}

gboolean
kvsql_infer_join_bucket (KvsqlInferLayout *row, KvsqlInferCells *cells, KvsqlArena *arena)
{
  KvsqlInferPiece *offset = find_offset (cells);

  for (guint i = 0; i < row->n && offset != NULL; i++)
    {
      KvsqlInferPiece *time = &row->pieces[i];
      gint64 width = is_time (time) && is_only_of_name (row, time) ? find_width (time, offset) : 0;

      if (width == 0)
        continue;
      join (time, offset, width, arena);
      return TRUE;
    }
  return FALSE;
}
