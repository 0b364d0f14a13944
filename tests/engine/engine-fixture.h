/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * engine-fixture.h: an execution on a store in memory and a catalog, without a daemon.
 */
#pragma once

#include "core/engine/execution.h"
#include "core/engine/result-page.h"

G_BEGIN_DECLS

typedef struct
{
  KvsqlStore *store;
  KvsqlArena *arena; /* of statements, plans and values */
  KvsqlCall call;
  KvsqlExecution execution;
  GPtrArray *history; /* (element-type KvsqlDefinitionRecord) what list_history() returns */
  guint64 n_skipped;  /* undecodable cells */
} EngineFixture;

/* @definitions: canonical texts, up to NULL */
void engine_fixture_open (EngineFixture *self, const gchar *const *definitions);
void engine_fixture_close (EngineFixture *self);

/* Parses a statement, which must be correct. It lives in the arena. */
const KvsqlAstStatement *engine_fixture_parse (EngineFixture *self, const gchar *sql);
/* Executes an INSERT, UPDATE or DELETE, which must succeed. */
void engine_fixture_write (EngineFixture *self, const gchar *sql);
/* Plans a SELECT, which must be correct. */
KvsqlSelectPlan *engine_fixture_plan (EngineFixture *self, const gchar *sql);

/* The rows of a page: values joined by '|', rows by '\n'. (transfer full) */
gchar *engine_fixture_text (const KvsqlResultPage *page);
/* The names of the columns, joined by '|'. (transfer full) */
gchar *engine_fixture_names (const KvsqlResultColumn *columns, guint n);

#define engine_fixture_assert_page(page, expected)                                                 \
  G_STMT_START                                                                                     \
  {                                                                                                \
    g_autofree gchar *_got = engine_fixture_text (page);                                           \
    g_assert_cmpstr (_got, ==, (expected));                                                        \
  }                                                                                                \
  G_STMT_END

G_END_DECLS
