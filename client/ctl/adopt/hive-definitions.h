/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * hive-definitions.h: the statements that define tables of Apache Hive in kvsql.
 */
#pragma once

#include "client/ctl/adopt/definition.h"
#include "client/ctl/adopt/hive-ddl.h"

G_BEGIN_DECLS

/* The name of its relation: table, or database_table. (transfer full) */
gchar *kvsqlctl_hive_get_relation (const KvsqlctlHiveTable *table);

/**
 * kvsqlctl_hive_define:
 * @table: a table that is in HBase
 * @is_writable: not only for reading, if Hive then reads what kvsql writes
 *
 * The statements define a relation with its primary schema. What is not possible is in the notes.
 *
 * Returns: (transfer full) (nullable): NULL: Hive refuses the table, and *error says why
 */
KvsqlctlDefinition *kvsqlctl_hive_define (const KvsqlctlHiveTable *table, gboolean is_writable,
                                          KvsqlctlTextError *error);

G_END_DECLS
