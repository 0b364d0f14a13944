/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * curve.h: the least cost for some limits of the storage.
 */
#pragma once

#include "core/advisor/choice.h"

G_BEGIN_DECLS

/* The least cost for a size of the storage. */
typedef struct
{
  gdouble bytes, cost, gap;
} KvsqlCurvePoint;

typedef struct
{
  KvsqlCurvePoint *points; /* ascending by bytes */
  guint n;
} KvsqlCurve;

/* Solves @choice for limits from that of the smallest primaries to the size that is never exceeded.
 * Each point has a size above that of the one before it, and a lower cost. The points live in
 * @arena. */
gboolean kvsql_curve_make (const KvsqlChoice *choice, const gchar *solver, gdouble seconds,
                           KvsqlArena *arena, KvsqlCurve *out,
                           GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* As a chart of characters. */
void kvsql_curve_append_text (const KvsqlCurve *self, GString *out);
/* (transfer full) */
gchar *kvsql_curve_to_svg (const KvsqlCurve *self);

G_END_DECLS
