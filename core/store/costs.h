/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * costs.h: what the operations of a store cost, for the planner.
 *
 * The unit is one row of a scan with one cell of no bytes. A store knows usual costs of its kind.
 * CALIBRATE measures them: then they are an entry of the registry, by the name of the store's kind,
 * and the unit is known in microseconds.
 */
#pragma once

#include "core/base/error.h"

G_BEGIN_DECLS

typedef struct
{
  gdouble request;  /* a request of rows, by a scan or by keys */
  gdouble range;    /* a range of a scan, in addition to its request */
  gdouble get;      /* a row that is read by its key, without the request */
  gdouble get_byte; /* each byte of a cell of such a row */
  gdouble cell;     /* each further cell of a row */
  gdouble byte;     /* each byte of a cell: its row, family, qualifier and value; 0: not measured */
  gdouble put;      /* a row that is written with one cell, in a request of many */
  gdouble remove;   /* a row that is deleted, in a request of many */
  gdouble unit_us;  /* microseconds of a unit; 0: not measured */
} KvsqlStoreCosts;

/* A range of a scan with its request. */
static inline gdouble
kvsql_store_costs_get_range (const KvsqlStoreCosts *self)
{
  return self->request + self->range;
}

/* Those of a store that was not measured. */
#define KVSQL_USUAL_STORE_COSTS(request_)                                                          \
  ((KvsqlStoreCosts){ .request = (request_), .get = 4, .cell = 0.25, .put = 4, .remove = 4 })

/* The entry in the registry, a line of words. (transfer full) */
gchar *kvsql_store_costs_print (const KvsqlStoreCosts *self);
/* Errors: KVSQL_ERROR_INVALID. */
gboolean kvsql_store_costs_parse (const gchar *text, KvsqlStoreCosts *out,
                                  GError **error) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
