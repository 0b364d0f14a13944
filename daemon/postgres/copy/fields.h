/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * fields.h: the fields of a line of the text or CSV format.
 */
#pragma once

#include "core/base/arena.h"
#include "core/base/error.h"
#include "core/base/slice.h"

G_BEGIN_DECLS

typedef struct _KvsqlCopy KvsqlCopy; /* core/sql/ast-copy.h */

typedef struct
{
  KvsqlSlice bytes; /* borrowed from the line, or in the arena */
  gboolean is_null;
} KvsqldPgField;

/**
 * kvsqld_pg_fields_split:
 * @max: the size of @out
 * @out_n: (out): how many fields the line has; those above @max are counted only
 *
 * Errors: %KVSQL_ERROR_VALUE with 22P04.
 */
gboolean kvsqld_pg_fields_split (const KvsqlCopy *copy, KvsqlSlice line, KvsqlArena *arena,
                                 KvsqldPgField *out, guint max, guint *out_n,
                                 GError **error) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
