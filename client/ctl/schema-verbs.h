/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * schema-verbs.h: what `kvsqlctl schema` can do beyond showing definitions.
 */
#pragma once

#include "client/ctl/kvsqlctl.h"

G_BEGIN_DECLS

typedef struct
{
  gint n_tuples;
  gint seed;      /* 0: one that is chosen and shown */
  gchar *vectors; /* nullable: a file for the tuples and their cells */
} KvsqlctlSchemaTest;

/* Draws the row key of a schema, and says what was proved about it. */
KvsqlctlStatus kvsqlctl_schema_check (Kvsqlctl *ctl, const gchar *schema);
/* Sends random tuples through a schema and back, without writing any. */
KvsqlctlStatus kvsqlctl_schema_test (Kvsqlctl *ctl, const gchar *schema,
                                     const KvsqlctlSchemaTest *test);

typedef struct
{
  gboolean dry_run;
  gboolean keep_different; /* what is there stays, also if the file has it otherwise */
} KvsqlctlSchemaImport;

/* Defines what the file ("-": standard input) has and kvsqld has not: all of it or nothing. */
KvsqlctlStatus kvsqlctl_schema_import (Kvsqlctl *ctl, const gchar *file,
                                       const KvsqlctlSchemaImport *options);

G_END_DECLS
