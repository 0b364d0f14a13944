/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * verbs.h: subcommands of `kvsqlctl schema` other than showing definitions.
 */
#pragma once

#include "client/ctl/kvsqlctl.h"

G_BEGIN_DECLS

typedef struct
{
  gint n_tuples;
  gint seed;      /* 0: choose one and show it */
  gchar *vectors; /* nullable: a file for the tuples and their cells */
} KvsqlctlSchemaTest;

/* Draws the row key of a schema, and shows what was proved about it. */
KvsqlctlStatus kvsqlctl_schema_check (Kvsqlctl *ctl, const gchar *schema);
/* Encodes and decodes random tuples by a schema, without writing any. */
KvsqlctlStatus kvsqlctl_schema_test (Kvsqlctl *ctl, const gchar *schema,
                                     const KvsqlctlSchemaTest *test);

typedef struct
{
  gboolean dry_run;
  gboolean keep_different; /* keep existing definitions, also if the file has different ones */
} KvsqlctlSchemaImport;

/* Makes the definitions of the file ("-": standard input) that kvsqld does not have: all or
 * none. */
KvsqlctlStatus kvsqlctl_schema_import (Kvsqlctl *ctl, const gchar *file,
                                       const KvsqlctlSchemaImport *options);

G_END_DECLS
