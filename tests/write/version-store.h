/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * version-store.h: a store with the rules of HBase that writes rely on, and with its faults.
 *
 * Rows are written one after the other. A delete leaves a marker, which hides puts with its
 * timestamp and older ones, also those that come later. Of two puts with one timestamp the later
 * one wins. docs/hbase.md has the tests that show this with HBase.
 *
 * Each daemon has a store of its own, with its own faults; the cells are common to all. Before each
 * row that is read or written, another daemon may go on (turns.h).
 */
#pragma once

#include "core/store/store.h"
#include "tests/write/turns.h"

typedef struct _VersionCells VersionCells;

VersionCells *version_cells_new (GRand *random, Turns *turns);
void version_cells_free (VersionCells *self);
/* A late request arrives at each request of any daemon, once in so many times (2). */
void version_cells_set_lateness (VersionCells *self, guint once_in);
/* All requests that are late arrive now. */
void version_cells_deliver (VersionCells *self);
/* Appends a line "row qualifier value" for each visible cell of the table, in order. */
void version_cells_print (VersionCells *self, const gchar *table, GString *out);

/* A major compaction: delete markers that are older than @before are forgotten, with what they
 * hide. */
void version_cells_compact (VersionCells *self, gint64 before);

/* How often something happens at a row: once in so many times; 0: never. */
typedef struct
{
  guint death;   /* the daemon ends: no request has an effect any more */
  guint lost;    /* the row was written, the answer does not come */
  guint late;    /* no answer comes, and the row is written at any later time */
  guint refused; /* nothing is done, and the answer says so */
  guint stopped; /* the daemon does nothing for many turns */
} VersionFaults;

KvsqlStore *version_store_new (VersionCells *cells, VersionFaults faults);
gboolean version_store_is_dead (KvsqlStore *store);
/* Whether no request of this daemon is late. */
gboolean version_store_is_silent (KvsqlStore *store);
