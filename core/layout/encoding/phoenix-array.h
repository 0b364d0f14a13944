/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * phoenix-array.h: lists in the form of Apache Phoenix's arrays, ascending.
 *
 * Phoenix 5.2.1 (PArrayDataType, PArrayDataTypeEncoder) writes elements of a fixed size one after
 * another, and nothing else. Elements of VARCHAR and DECIMAL are
 *
 *   each element, and 00 after it
 *   before an element that follows n NULLs: 00, n / 255 times 01, and if n % 255 > 0 also
 *     ff - (n % 255 - 1)
 *   00 00
 *   where each element starts (phoenix-offsets.h, version 1); a NULL starts before its 00
 *
 * NULLs at the end have an offset only. An empty array has no form: Phoenix takes it as NULL.
 */
#pragma once

#include "core/base/value.h"

G_BEGIN_DECLS

/* Of what type the elements are. */
typedef struct
{
  const gchar *name;  /* in layouts; NULL: that of @type without a name */
  KvsqlType type;     /* in kvsql */
  gsize size;         /* of an element in bytes; 0: each has its own */
  gboolean has_width; /* the layout gives @size */
  gboolean is_unsigned;
  gboolean has_nanoseconds; /* the last 4 bytes, which are 0 */
} KvsqlPhoenixArray;

/* Sets *out to the array that holds elements of @type. FALSE: Phoenix has none, or several. */
gboolean kvsql_phoenix_array_for_type (KvsqlType type, KvsqlPhoenixArray *out);
/* @name: of Phoenix's type, in any case. NULL: there is none. */
const KvsqlPhoenixArray *kvsql_phoenix_array_find (const gchar *name);
/* All names, NULL-terminated. */
const gchar *const *kvsql_phoenix_array_list (void);
/* Whether elements of @type can be those of @self. */
gboolean kvsql_phoenix_array_takes (const KvsqlPhoenixArray *self, KvsqlType type);

/* Why a list has no form. */
typedef struct
{
  const gchar *what; /* follows the name of the list or the number of its element */
  const gchar *hint;
} KvsqlPhoenixFault;

/* NULL: the list has a form. *out_element: from 1; 0: the whole list. */
const KvsqlPhoenixFault *kvsql_phoenix_array_check (const KvsqlPhoenixArray *self,
                                                    const KvsqlValue *values, guint n,
                                                    guint *out_element);
/* @values have a form. */
void kvsql_phoenix_array_append (const KvsqlPhoenixArray *self, const KvsqlValue *values, guint n,
                                 KvsqlBuffer *out);
/* Accepts only bytes that kvsql_phoenix_array_append() would write, and at most
 * KVSQL_COLLECTION_MAX_ELEMENTS elements. Values live in @arena and in @bytes. */
gboolean kvsql_phoenix_array_read (const KvsqlPhoenixArray *self, KvsqlSlice bytes,
                                   KvsqlArena *arena, KvsqlValue **out, guint *out_n);

G_END_DECLS
