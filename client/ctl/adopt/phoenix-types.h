/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * phoenix-types.h: what a column of Apache Phoenix is in kvsql: its type and its layout.
 *
 * The numbers are those of java.sql.Types and of Phoenix's PDataType.
 */
#pragma once

#include "client/ctl/adopt/phoenix-catalog.h"

G_BEGIN_DECLS

typedef struct
{
  gint number;
  const gchar *name;    /* in Phoenix */
  const gchar *type;    /* in kvsql */
  const gchar *element; /* of the layout, up to its brace; %d: the size of the column; empty: the
                           bare attribute */
  gboolean has_nanoseconds; /* in 4 bytes after it, which kvsql has not */
  gboolean is_open;         /* in a key, a byte ends it */
  gboolean cannot_descend;
  gboolean cannot_be_key;
} KvsqlctlPhoenixType;

/* NULL: kvsql has no such type. */
const KvsqlctlPhoenixType *kvsqlctl_phoenix_type_find (gint number);
/* For the bytes of a column whose type kvsql has not. */
extern const KvsqlctlPhoenixType kvsqlctl_phoenix_unknown_type;
/* The type of a column that an index has as @in_index. Phoenix changes types of a fixed size, if
 * they may be NULL. NULL: kvsql has no such type. */
const KvsqlctlPhoenixType *kvsqlctl_phoenix_type_find_in_index (gint number, gint in_index);
/* Whether a byte 0 ends the values in a key, in ascending order, and none is in them. */
gboolean kvsqlctl_phoenix_type_ends_with_zero (gint number, gint in_index);
/* Whether it is VARCHAR. */
gboolean kvsqlctl_phoenix_type_is_text (gint number);
/* For messages: also of types that kvsql has not. (transfer full) */
gchar *kvsqlctl_phoenix_type_describe (gint number);

/* The layout of a value outside of a key. @attribute: quoted. (transfer full) */
gchar *kvsqlctl_phoenix_type_value (const KvsqlctlPhoenixType *self,
                                    const KvsqlctlPhoenixColumn *column, const gchar *attribute);
/* The layout of a part of a key. @size: of the column of the data table. @may_be_null: then no
 * bytes are NULL. @is_last: nothing has to end it. (transfer full) */
gchar *kvsqlctl_phoenix_type_key (const KvsqlctlPhoenixType *self,
                                  const KvsqlctlPhoenixColumn *column, gint size,
                                  const gchar *attribute, gboolean may_be_null, gboolean is_last);

G_END_DECLS
