/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * layout-text.c: see layout-text.h.
 */
#include "config.h"

#include "core/infer/layout-text.h"

const gchar *
kvsql_infer_take_name (KvsqlInferNames *self, const gchar *stem)
{
  const gchar *name = stem;

  for (guint i = 2; !g_hash_table_add (self->used, (gpointer)name); i++)
    name = kvsql_arena_printf (self->arena, "%s%u", stem, i);
  return name;
}

static void
append_inner (const KvsqlInferPiece *piece, const gchar *name, GString *out)
{
  g_string_append_printf (out, "%s%s%s", piece->inner_before, name, piece->inner_after);
}

/* The first value from there on, with the constants before it. */
static void
append_next (const KvsqlInferLayout *layout, guint i, const gchar *const *names, GString *out)
{
  for (; i + 1 < layout->n && layout->pieces[i].kind == KVSQL_INFER_CONSTANT; i++)
    g_string_append_printf (out, "%s:", layout->pieces[i].before);
  if (layout->pieces[i].kind == KVSQL_INFER_ATTRIBUTE)
    append_inner (&layout->pieces[i], names[i], out);
  else
    g_string_append (out, layout->pieces[i].before);
}

static void
append_pieces (const KvsqlInferLayout *layout, guint first, const gchar *const *names, GString *out)
{
  for (guint i = first; i < layout->n; i++)
    {
      const KvsqlInferPiece *piece = &layout->pieces[i];

      g_string_append_printf (out, "%s%s", i > first ? ":" : "", piece->before);
      if (piece->kind == KVSQL_INFER_ATTRIBUTE)
        append_inner (piece, names[i], out);
      else if (piece->kind == KVSQL_INFER_OF_REST)
        append_pieces (layout, i + 1, names, out);
      else if (piece->kind == KVSQL_INFER_OF_NEXT)
        append_next (layout, i + 1, names, out);
      else if (piece->kind == KVSQL_INFER_OF_LAST)
        append_next (layout, layout->n - 1, names, out);
      g_string_append (out, piece->after);
    }
}

void
kvsql_infer_append_layout (const KvsqlInferLayout *layout, KvsqlInferNames *names,
                           GArray *attributes, GString *out)
{
  const gchar *of_pieces[KVSQL_INFER_MAX_PIECES] = { NULL };

  for (guint i = 0; i < layout->n; i++)
    {
      const KvsqlInferPiece *piece = &layout->pieces[i];

      if (piece->kind != KVSQL_INFER_ATTRIBUTE)
        continue;
      of_pieces[i] = piece->name ?: kvsql_infer_take_name (names, piece->stem);
      if (piece->name == NULL)
        {
          const KvsqlInferAttribute attribute = { of_pieces[i], piece->type, piece->remark };

          g_array_append_val (attributes, attribute);
        }
    }
  if (layout->n == 0)
    g_string_append (out, "''");
  append_pieces (layout, 0, of_pieces, out);
}
