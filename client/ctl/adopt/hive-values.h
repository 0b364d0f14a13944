/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * hive-values.h: what a single value of Hive is in kvsql: its type and its layout.
 */
#pragma once

#include "client/ctl/adopt/hive-type.h"

G_BEGIN_DECLS

/* Of Hive's table, and of the definition. */
typedef struct
{
  const gchar *null_text; /* the bytes that Hive reads as NULL */
  gboolean is_writable;
} KvsqlctlHiveForm;

/* How the value is used. */
typedef enum
{
  KVSQLCTL_HIVE_IN_CELL,  /* a cell of its own */
  KVSQLCTL_HIVE_IN_FIELD, /* a field of a struct in a cell: no bytes are NULL, unless it is text */
  KVSQLCTL_HIVE_IN_KEY,   /* in the row key: it is never NULL */
  KVSQLCTL_HIVE_IN_MAP,   /* an entry of a map */
} KvsqlctlHiveUse;

/* The type of the attribute; with limits, except in maps. (transfer full) */
gchar *kvsqlctl_hive_value_get_type (const KvsqlctlHiveType *type, KvsqlctlHiveUse use);
/* @attribute: quoted, or map_value (…). (transfer full) (nullable): NULL: Hive has no such form */
gchar *kvsqlctl_hive_value_write (const KvsqlctlHiveType *type, gboolean is_binary,
                                  KvsqlctlHiveUse use, const KvsqlctlHiveForm *form,
                                  const gchar *attribute);
/* A condition on the attribute, without CHECK: kvsql's type has more values. (transfer full)
 * (nullable) */
gchar *kvsqlctl_hive_value_get_check (const KvsqlctlHiveType *type, const gchar *attribute);
/* What the reader should know of the type. (transfer full) (nullable) */
gchar *kvsqlctl_hive_value_get_note (const KvsqlctlHiveType *type);

G_END_DECLS
