/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * curve.c: see curve.h.
 */
#include "config.h"

#include "core/advisor/curve.h"

#include "core/advisor/solver.h"

#include <math.h>

#define N_LIMITS 9

/* ---- points */

/* A limit may be met by less, as by the limit before it. */
static void
add_point (KvsqlCurve *self, const KvsqlSelection *selection, gdouble gap, KvsqlArena *arena)
{
  const KvsqlCurvePoint *last = self->n > 0 ? &self->points[self->n - 1] : NULL;

  if (last == NULL || (selection->size > last->bytes && selection->cost < last->cost))
    *KVSQL_ARENA_ADD (arena, self->points, self->n)
        = (KvsqlCurvePoint){ selection->size, selection->cost, gap };
}

gboolean
kvsql_curve_make (const KvsqlChoice *choice, const gchar *solver, gdouble seconds,
                  KvsqlArena *arena, KvsqlCurve *out, GError **error)
{
  g_autoptr (KvsqlSelection) least = kvsql_selection_new (choice);
  g_autoptr (KvsqlSelection) most = NULL;
  gdouble each = seconds / (N_LIMITS + 1), gap, most_gap;
  KvsqlChoice limited = *choice;

  *out = (KvsqlCurve){ NULL, 0 };
  limited.size_limit = INFINITY;
  (void)!kvsql_selection_start (least, &limited);
  most = kvsql_solve (&limited, solver, each, &most_gap, error);
  if (most == NULL)
    return FALSE;
  for (guint i = 0; i < N_LIMITS && most->size > least->size; i++)
    {
      g_autoptr (KvsqlSelection) found = NULL;

      limited.size_limit = least->size + (most->size - least->size) * i / N_LIMITS;
      found = kvsql_solve (&limited, solver, each, &gap, error);
      if (found == NULL)
        return FALSE;
      add_point (out, found, gap, arena);
    }
  add_point (out, most, most_gap, arena);
  return TRUE;
}

/* ---- a chart of characters */

#define BAR 50

/* The length of a bar: of the logarithm of the cost, as costs differ by orders of magnitude. */
static gdouble
get_height (const KvsqlCurve *self, gdouble cost)
{
  gdouble low = self->points[self->n - 1].cost, high = self->points[0].cost;

  if (!(low > 0) || !(high > low))
    return 1;
  return log (cost / low) / log (high / low);
}

void
kvsql_curve_append_text (const KvsqlCurve *self, GString *out)
{
  g_string_append (out, "Cost against storage (bars: logarithm of the cost)\n");
  for (guint i = 0; i < self->n; i++)
    {
      guint length = 1 + (guint)(get_height (self, self->points[i].cost) * (BAR - 1));

      g_string_append_printf (out, "  %14.0f bytes  %12.6g  ", self->points[i].bytes,
                              self->points[i].cost);
      for (guint j = 0; j < length; j++)
        g_string_append_c (out, '#');
      if (self->points[i].gap > 0)
        g_string_append_printf (out, "  gap %.3g %%", 100 * self->points[i].gap);
      g_string_append_c (out, '\n');
    }
}

/* ---- a picture */

#define WIDTH 640.0
#define HEIGHT 400.0
#define MARGIN 60.0

static gdouble
get_x (const KvsqlCurve *self, gdouble bytes)
{
  gdouble low = self->points[0].bytes, high = self->points[self->n - 1].bytes;

  return MARGIN + (high > low ? (bytes - low) / (high - low) : 0.5) * (WIDTH - 2 * MARGIN);
}

static gdouble
get_y (const KvsqlCurve *self, gdouble cost)
{
  return HEIGHT - MARGIN - get_height (self, cost) * (HEIGHT - 2 * MARGIN);
}

static void
append_number (gdouble number, GString *out)
{
  gchar text[G_ASCII_DTOSTR_BUF_SIZE];

  g_string_append (out, g_ascii_formatd (text, sizeof text, "%.1f", number));
}

/* As in the storage below the next point, the cost is that of a point: steps. */
static void
append_steps (const KvsqlCurve *self, GString *out)
{
  g_string_append (out, "<path fill=\"none\" stroke=\"#1f5fa8\" stroke-width=\"2\" d=\"");
  for (guint i = 0; i < self->n; i++)
    {
      g_string_append (out, i == 0 ? "M" : " H");
      append_number (get_x (self, self->points[i].bytes), out);
      g_string_append (out, i == 0 ? " " : " V");
      append_number (get_y (self, self->points[i].cost), out);
    }
  g_string_append (out, "\"/>\n");
}

static void
append_point (const KvsqlCurve *self, const KvsqlCurvePoint *point, GString *out)
{
  g_string_append (out, "<circle r=\"4\" fill=\"#1f5fa8\" cx=\"");
  append_number (get_x (self, point->bytes), out);
  g_string_append (out, "\" cy=\"");
  append_number (get_y (self, point->cost), out);
  g_string_append_printf (out, "\"><title>%.0f bytes: cost %.6g</title></circle>\n", point->bytes,
                          point->cost);
}

static void
append_text_at (const gchar *text, gdouble x, gdouble y, const gchar *anchor, GString *out)
{
  g_string_append_printf (out, "<text font-size=\"13\" text-anchor=\"%s\" x=\"", anchor);
  append_number (x, out);
  g_string_append (out, "\" y=\"");
  append_number (y, out);
  g_string_append_printf (out, "\">%s</text>\n", text);
}

static void
append_axes (const KvsqlCurve *self, GString *out)
{
  const KvsqlCurvePoint *first = &self->points[0], *last = &self->points[self->n - 1];
  g_autofree gchar *least = g_strdup_printf ("%.0f bytes", first->bytes);
  g_autofree gchar *most = g_strdup_printf ("%.0f bytes", last->bytes);
  g_autofree gchar *high = g_strdup_printf ("cost %.6g", first->cost);
  g_autofree gchar *low = g_strdup_printf ("cost %.6g (logarithmic)", last->cost);

  append_text_at (least, MARGIN, HEIGHT - MARGIN / 2, "start", out);
  append_text_at (most, WIDTH - MARGIN, HEIGHT - MARGIN / 2, "end", out);
  append_text_at (high, MARGIN + 10, MARGIN - 15, "start", out);
  append_text_at (low, WIDTH - MARGIN, HEIGHT - MARGIN - 12, "end", out);
}

gchar *
kvsql_curve_to_svg (const KvsqlCurve *self)
{
  GString *out = g_string_new (NULL);

  g_string_append_printf (out,
                          "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%.0f\" "
                          "height=\"%.0f\" font-family=\"sans-serif\">\n"
                          "<title>Cost against storage</title>\n"
                          "<rect width=\"100%%\" height=\"100%%\" fill=\"white\"/>\n",
                          WIDTH, HEIGHT);
  append_axes (self, out);
  append_steps (self, out);
  for (guint i = 0; i < self->n; i++)
    append_point (self, &self->points[i], out);
  g_string_append (out, "</svg>\n");
  return g_string_free (out, FALSE);
}
