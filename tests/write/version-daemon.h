/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * version-daemon.h: what the tests of several daemons have in common: daemons over a store with the
 * rules of HBase (version-store.h), their clocks and timestamps, and what the cells should be.
 */
#pragma once

#include "core/catalog/catalog.h"
#include "core/write/blind-write.h"
#include "core/write/storage.h"
#include "core/write/write-log.h"
#include "tests/write/version-store.h"

/* Of the relation that is written: KvsqlRelation.id. */
#define VERSION_RELATION_ID 1

/* The first run, and how many. */
typedef struct
{
  guint first, n;
} VersionRuns;

/* test-… [FIRST [COUNT]] */
VersionRuns version_runs_read (int argc, char **argv, guint n_whole, guint n_small);

/* ---- what all daemons of a run share */

typedef struct
{
  GRand *random;
  Turns *turns;
  VersionCells *cells;
} VersionWorld;

void version_world_open (VersionWorld *self, guint seed);
void version_world_close (VersionWorld *self);
/* Microseconds of a clock that is exact. */
gint64 version_world_get_time (const VersionWorld *self);
/* Lets others go on, for less than @n turns. */
void version_world_pause (const VersionWorld *self, gint n);

/* One relation and its schemas. Its writes have this mode. */
KvsqlCatalog *version_catalog_new (gint64 epoch, const gchar *const *definitions, guint n,
                                   KvsqlWriteMode mode);
const KvsqlCatalogEntry *version_catalog_get_entry (const KvsqlCatalog *catalog);

/* ---- daemons */

typedef struct
{
  KvsqlStore *store;
  KvsqlStorage *storage;
  KvsqlWriteLog *log;
} VersionDaemon;

/* The daemon with this slot has the id @slot + 1 in the log. @data: of @time and @stamp */
void version_daemon_open (VersionDaemon *self, const VersionWorld *world, guint slot,
                          VersionFaults faults, KvsqlTimeFunc time, KvsqlStampFunc stamp,
                          gpointer data);
/* The only daemon. */
void version_daemon_open_alone (VersionDaemon *self, const VersionWorld *world);
void version_daemon_close (VersionDaemon *self);
/* The smallest timestamp, at least @at_least, that belongs to this one of @n_slots. */
gint64 version_stamp (gint64 at_least, guint slot, guint n_slots);

/* ---- cells */

/* All cells of a blind write. */
void version_add_cells (const KvsqlCatalogEntry *entry, const KvsqlBlindWrite *write,
                        KvsqlMutationList *list);
/* Puts a tuple into all schemas, without faults, at a time before all writes. */
void version_world_put (const VersionWorld *self, const KvsqlCatalogEntry *entry,
                        const KvsqlValue *tuple);
/* The cells of these tables. (transfer full) */
gchar *version_world_print (const VersionWorld *self, const gchar *const *tables, guint n);
/* The cells that they have if there are these tuples alone. (transfer full) */
gchar *version_world_print_expected (const VersionWorld *self, const KvsqlCatalogEntry *entry,
                                     const KvsqlValue *const *tuples, guint n_tuples,
                                     const gchar *const *tables, guint n);
