/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * hive-separators.h: the bytes between the parts of a struct, array or map in text.
 *
 * Level 0 is for the columns of a file, and unused in HBase. A column is of level 1, and what is in
 * it of the levels after that (LazySerDeParameters of Hive 4).
 */
#pragma once

#include "client/ctl/adopt/hive-ddl.h"

G_BEGIN_DECLS

#define KVSQLCTL_HIVE_LEVELS 8

typedef struct
{
  guint8 bytes[KVSQLCTL_HIVE_LEVELS];
} KvsqlctlHiveSeparators;

void kvsqlctl_hive_separators_init (KvsqlctlHiveSeparators *self, const KvsqlctlHiveTable *table);
/* As a constant of a layout: '~', x'02'. @level: less than KVSQLCTL_HIVE_LEVELS. (transfer full) */
gchar *kvsqlctl_hive_separators_write (const KvsqlctlHiveSeparators *self, guint level);
/* Several of them, with commas. (transfer full) */
gchar *kvsqlctl_hive_separators_list (const KvsqlctlHiveSeparators *self, guint level, guint n);
/* Whether text with these separators is UTF-8. */
gboolean kvsqlctl_hive_separators_are_text (const KvsqlctlHiveSeparators *self, guint level,
                                            guint n);

G_END_DECLS
