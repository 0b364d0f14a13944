/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * shell-table.h: tables as `describe` of the HBase shell prints them, or as HBase's REST gateway
 * gives them in JSON (GET /table/schema).
 */
#pragma once

#include "client/ctl/adopt/text-error.h"

G_BEGIN_DECLS

/* Attributes of attributes, such as CONFIGURATION, are with the others. */
typedef struct
{
  gchar *name;
  GHashTable *attributes; /* utf8, utf8 */
} KvsqlctlShellFamily;

typedef struct
{
  gchar *name;
  gboolean is_disabled;
  GHashTable *attributes; /* utf8, utf8 */
  GPtrArray *families;    /* (element-type KvsqlctlShellFamily) */
} KvsqlctlShellTable;

/* The tables of a text.
 * Returns: (transfer full) (nullable) (element-type KvsqlctlShellTable): NULL: *error says what is
 * wrong */
GPtrArray *kvsqlctl_shell_tables_parse (const gchar *text, gsize size, KvsqlctlTextError *error);

G_END_DECLS
