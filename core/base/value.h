/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * value.h: one typed value, possibly NULL.
 *
 * A value is small and copied freely. The bytes of a STRING, BYTES or DECIMAL are borrowed from
 * their owner (an arena, a batch). Functions that make values have a parameter for the arena that
 * owns such bytes.
 */
#pragma once

#include "core/base/civil-date.h"
#include "core/base/error.h"
#include "core/base/slice.h"
#include "core/base/type.h"

G_BEGIN_DECLS

typedef struct
{
  KvsqlType type; /* KVSQL_TYPE_NULL: SQL's NULL, for attributes of every type */
  union
  {
    gboolean boolean;
    gint64 integer;   /* INT, BIGINT, DATE, TIMESTAMP, TIME */
    gdouble real;     /* FLOAT, DOUBLE */
    KvsqlSlice bytes; /* all others */
  };
} KvsqlValue;

#define KVSQL_VALUE_NULL ((KvsqlValue){ .type = KVSQL_TYPE_NULL })

static inline gboolean
kvsql_value_is_null (const KvsqlValue *self)
{
  return self->type == KVSQL_TYPE_NULL;
}

/**
 * kvsql_value_compare:
 *
 * Total order of two values of one type, neither NULL. Text and bytes compare by
 * their bytes; NaN equals NaN and is greater than every number; -0 equals 0
 * (PostgreSQL's rules). Returns: <0, 0, >0.
 */
gint kvsql_value_compare (const KvsqlValue *a, const KvsqlValue *b);

/* The same for the bytes of values of one type of KVSQL_CLASS_SLICE. */
gint kvsql_type_compare_slices (KvsqlType type, KvsqlSlice a, KvsqlSlice b);

/* As compare() == 0, but two NULLs are equal, too. */
gboolean kvsql_value_equal (const KvsqlValue *a, const KvsqlValue *b);

/* Whether @values contain @value. @values are ascending, none of them NULL. */
gboolean kvsql_values_contain (const KvsqlValue *values, guint n, const KvsqlValue *value);

/* The value of a text form of a scalar type: kvsql_value_parse() without collections. */
gboolean kvsql_value_parse_scalar (KvsqlType type, KvsqlSlice text, KvsqlArena *arena,
                                   KvsqlValue *out, GError **error) G_GNUC_WARN_UNUSED_RESULT;
/* A TIMESTAMP, whose zone is checked and does not count. */
gboolean kvsql_value_parse_clock (KvsqlSlice text, KvsqlValue *out,
                                  GError **error) G_GNUC_WARN_UNUSED_RESULT;
/* Sets the error of a value that @type cannot hold. Returns: FALSE */
gboolean kvsql_value_fail_range (KvsqlType type, const gchar *text, GError **error);

/* Whether @type, of KVSQL_CLASS_INTEGER, has this number. */
static inline gboolean
kvsql_type_has_integer (KvsqlType type, gint64 value)
{
  switch (type)
    {
    case KVSQL_TYPE_INT:
      return value == (gint32)value;
    case KVSQL_TYPE_DATE:
      return value >= KVSQL_DATE_MIN && value <= KVSQL_DATE_MAX;
    case KVSQL_TYPE_TIMESTAMP:
      return value >= KVSQL_DATE_MIN * KVSQL_MS_PER_DAY
             && value < (KVSQL_DATE_MAX + 1LL) * KVSQL_MS_PER_DAY;
    case KVSQL_TYPE_TIME:
      return value >= 0 && value <= KVSQL_MS_PER_DAY;
    default:
      return TRUE;
    }
}

/* The text form, which round-trips: DATE 2024-02-29, TIMESTAMP 2024-02-29T12:00:00.000Z, BYTES
 * x'00ff', shortest reals. */
void kvsql_value_append_text (const KvsqlValue *self, GString *out);
gchar *kvsql_value_to_text (const KvsqlValue *self); /* (transfer full) */
/* A literal of the language: 'it''s', NULL, DATE '2024-02-29' as '2024-02-29'. */
void kvsql_value_append_literal (const KvsqlValue *self, GString *out);

/* A deep copy whose bytes live in @arena. */
KvsqlValue kvsql_value_dup (const KvsqlValue *self, KvsqlArena *arena);

G_END_DECLS
