/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * type-limit.h: types that are another type with a limit, which is checked when a tuple is written:
 * VARCHAR(n), CHAR(n), NUMERIC(p, s), SMALLINT, TIMESTAMP(p), TIME(p), TIMESTAMPTZ.
 *
 * They are stored, compared and read as that other type: STRING, DECIMAL, INT, TIMESTAMP, TIME.
 */
#pragma once

#include "core/base/value.h"

G_BEGIN_DECLS

typedef enum
{
  KVSQL_LIMIT_NONE,
  KVSQL_LIMIT_LENGTH,    /* VARCHAR(n): at most n characters; more are cut off if they are blanks.
                            n is 0 for VARCHAR, which is a STRING but for its name */
  KVSQL_LIMIT_BLANKS,    /* CHAR(n): the same, and blanks at the end are not stored */
  KVSQL_LIMIT_DIGITS,    /* NUMERIC(p, s): rounded to s digits after the point; at most p in all */
  KVSQL_LIMIT_SMALL,     /* SMALLINT: 16 bits */
  KVSQL_LIMIT_TIMESTAMP, /* TIMESTAMP(p): rounded to p digits after the point, at most 3 */
  KVSQL_LIMIT_TIME,      /* TIME(p): the same */
  KVSQL_LIMIT_ZONE,      /* TIMESTAMPTZ(p): the same as TIMESTAMP(p), and clients of PostgreSQL are
                            told that its zone is UTC */
  KVSQL_LIMIT_SCALE,     /* no limit: what is computed from a NUMERIC(p, s) is shown with @scale
                            digits after the point, as a value of that is */
} KvsqlLimitKind;

typedef struct
{
  KvsqlLimitKind kind;
  guint size; /* n or p */
  guint scale;
} KvsqlTypeLimit;

#define KVSQL_MAX_SECOND_DIGITS 3 /* of a second; more are not kept */

/* TIMESTAMPTZ */
#define KVSQL_TYPE_LIMIT_ZONE                                                                      \
  ((KvsqlTypeLimit){ .kind = KVSQL_LIMIT_ZONE, .size = KVSQL_MAX_SECOND_DIGITS })

/**
 * kvsql_type_limit_find:
 * @name: a type as it is written, "VARCHAR(10)", without blanks
 * @out: of kind NONE: @name is another type, which is not looked at
 *
 * Errors: a limit that is out of range; a type that takes no numbers in parentheses.
 */
gboolean kvsql_type_limit_find (const gchar *name, KvsqlType *out_type, KvsqlTypeLimit *out,
                                GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* Whether @name has more digits of seconds than are kept: TIMESTAMP(6). */
gboolean kvsql_type_limit_is_wide (const gchar *name);

/* How a value of the type is shown where its limit does not hold: of kind ZONE, SCALE or NONE. */
KvsqlTypeLimit kvsql_type_limit_shown_of (const KvsqlTypeLimit *self);

/* Whether the type has a name of its own: VARCHAR(10). */
static inline gboolean
kvsql_type_limit_is_named (const KvsqlTypeLimit *self)
{
  return self->kind != KVSQL_LIMIT_NONE && self->kind != KVSQL_LIMIT_SCALE;
}

/* Whether there are values of the type that kvsql_type_limit_apply() changes or refuses. */
static inline gboolean
kvsql_type_limit_is_checked (const KvsqlTypeLimit *self)
{
  if (self->kind == KVSQL_LIMIT_ZONE)
    return self->size < KVSQL_MAX_SECOND_DIGITS;
  if (self->kind == KVSQL_LIMIT_LENGTH)
    return self->size > 0;
  return kvsql_type_limit_is_named (self);
}

/* How many bytes the first @n characters of a text have. */
gsize kvsql_type_limit_prefix (KvsqlSlice text, guint n);

/* The name with which PostgreSQL would show it, in capitals. (transfer full) */
gchar *kvsql_type_limit_to_text (const KvsqlTypeLimit *self);

/* Changes a value of the type so that it satisfies the limit. Errors: KVSQL_ERROR_VALUE with
 * SQLSTATE 22001, 22003 or 22008. */
gboolean kvsql_type_limit_apply (const KvsqlTypeLimit *self, KvsqlValue *inout, KvsqlArena *arena,
                                 GError **error) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
