/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * verified-fixture.h: a service over a store without atomic batches, for SELECT … WITH VERIFIED,
 * and what daemons leave in it that end in the middle of a write.
 */
#pragma once

#include "core/anchor/anchor.h"
#include "core/store/store.h"
#include "core/write/write-log.h"
#include "tests/harness/service-fixture.h"

G_BEGIN_DECLS

#define RELATION                                                                                   \
  "DEFINE RELATION r { id BIGINT KEY, state STRING, n BIGINT NOT NULL, note STRING } "             \
  "WITH (writes = checked);"
#define BASE                                                                                       \
  "DEFINE PRIMARY SCHEMA base FOR r { TABLE 'base', ROW ordered{id}, FAMILY 'f', "                 \
  "QUALIFIER attr_name[id], VALUE attr_value[id] } WITH (marker = x'00');"
#define BASE_BY_STATE                                                                              \
  "DEFINE PRIMARY SCHEMA base FOR r { TABLE 'base', ROW suffix('/'){state}:ordered{id}, "          \
  "FAMILY 'f', VALUE size{note}:n };"
#define WHOLE                                                                                      \
  "DEFINE SCHEMA whole FOR r { TABLE 'whole', ROW suffix('/'){state}:ordered{id}, FAMILY 'f', "    \
  "VALUE size{note}:n };"
#define BY_N                                                                                       \
  "DEFINE SCHEMA by_n FOR r { TABLE 'by_n', ROW ordered{n}:ordered{id}, FAMILY 'f', "              \
  "VALUE size{note}:state };"
#define INDEX                                                                                      \
  "DEFINE SCHEMA entries FOR r { TABLE 'entries', ROW suffix('/'){state}:ordered{id}, "            \
  "FAMILY 'f', VALUE n };"
#define TUPLES                                                                                     \
  "INSERT INTO r VALUES (1, 'new', 10, 'one'), (2, 'new', 20, 'two'), (3, 'open', 30, 'three'), "  \
  "(4, 'open', 40, 'four')"

typedef struct
{
  ServiceFixture service;
  KvsqlWriteLog *log;
} VerifiedFixture;

KvsqlStore *verified_store (VerifiedFixture *self);
void verified_open (VerifiedFixture *self, const gchar *definitions);
void verified_close (VerifiedFixture *self);
void verified_run (VerifiedFixture *self, const gchar *sql);
void verified_apply (VerifiedFixture *self, const KvsqlMutation *mutations, guint n);
/* (element-type KvsqlMutation): puts for all cells of a table, in @arena. */
GArray *verified_save (VerifiedFixture *self, const gchar *table, KvsqlArena *arena);
/* Runs a statement whose daemon ends before the cells of its old tuples are deleted in @table. Of
 * a tuple that keeps its row, the cells there stay the old ones. All cells that are put back are
 * newer than those of the next statements. */
void verified_leave_old (VerifiedFixture *self, const gchar *table, const gchar *sql);
/* Runs a statement whose daemon ends before any cell of @table is written. */
void verified_leave_unwritten (VerifiedFixture *self, const gchar *table, const gchar *sql);
void verified_drop_anchors (VerifiedFixture *self);
void verified_assert_says (VerifiedFixture *self, const gchar *explain, const gchar *what);
void verified_assert_does_not_say (VerifiedFixture *self, const gchar *explain, const gchar *what);

typedef struct
{
  const gchar *path;
  void (*test) (void);
} VerifiedTest;

/* main() */
gint verified_run_tests (int argc, char **argv, const VerifiedTest *tests, guint n);

#define verified_assert_rows(self, sql, expected)                                                  \
  service_fixture_assert (&(self)->service, sql, expected)

G_END_DECLS
