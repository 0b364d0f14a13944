/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * assembler-counts.h: the cells that were read, and those that could not be decoded.
 */
#pragma once

#include "core/base/slice.h"

G_BEGIN_DECLS

typedef struct
{
  guint64 cells;               /* read */
  guint64 undecodable;         /* that fit no cell of any schema */
  const gchar *const *samples; /* as text; valid while the assembler lives */
  guint n_samples;
} KvsqlAssemblerCounts;

/* The samples of the first that has some are kept. */
static inline void
kvsql_assembler_counts_add (KvsqlAssemblerCounts *inout, const KvsqlAssemblerCounts *added)
{
  inout->cells += added->cells;
  inout->undecodable += added->undecodable;
  if (inout->n_samples > 0)
    return;
  inout->samples = added->samples;
  inout->n_samples = added->n_samples;
}

G_END_DECLS
