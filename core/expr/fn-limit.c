/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * fn-limit.c: what CAST to VARCHAR(n), CHAR(n), NUMERIC(p, s), SMALLINT, TIMESTAMP(p) and TIME(p)
 * does to a value of the type without a limit. A cast cuts a text off, while an assignment refuses
 * it.
 */
#include "config.h"

#include "core/expr/function.h"
#include "core/schema/type-limit.h"

static gboolean
apply (const KvsqlFunctionCall *call, KvsqlTypeLimit limit, const KvsqlValue *value,
       KvsqlValue *out, GError **error)
{
  *out = *value;
  return kvsql_type_limit_apply (&limit, out, call->arena, error);
}

static gboolean
cut_off (const KvsqlFunctionCall *call, KvsqlLimitKind kind, const KvsqlValue *arguments,
         KvsqlValue *out, GError **error)
{
  guint size = (guint)CLAMP (arguments[1].integer, 0, G_MAXINT32);
  KvsqlValue text = arguments[0];

  text.bytes.size = kvsql_type_limit_prefix (text.bytes, size);
  return apply (call, (KvsqlTypeLimit){ kind, size, 0 }, &text, out, error);
}

static gboolean
to_varchar (const KvsqlFunctionCall *call, const KvsqlValue *arguments, KvsqlValue *out,
            GError **error)
{
  return cut_off (call, KVSQL_LIMIT_LENGTH, arguments, out, error);
}

static gboolean
to_bpchar (const KvsqlFunctionCall *call, const KvsqlValue *arguments, KvsqlValue *out,
           GError **error)
{
  return cut_off (call, KVSQL_LIMIT_BLANKS, arguments, out, error);
}

static gboolean
to_numeric (const KvsqlFunctionCall *call, const KvsqlValue *arguments, KvsqlValue *out,
            GError **error)
{
  KvsqlTypeLimit limit = { KVSQL_LIMIT_DIGITS, (guint)CLAMP (arguments[1].integer, 1, 1000),
                           (guint)CLAMP (arguments[2].integer, 0, 1000) };

  return apply (call, limit, &arguments[0], out, error);
}

static gboolean
to_int2 (const KvsqlFunctionCall *call, const KvsqlValue *arguments, KvsqlValue *out,
         GError **error)
{
  return apply (call, (KvsqlTypeLimit){ KVSQL_LIMIT_SMALL, 0, 0 }, &arguments[0], out, error);
}

static gboolean
to_seconds (const KvsqlFunctionCall *call, KvsqlLimitKind kind, const KvsqlValue *arguments,
            KvsqlValue *out, GError **error)
{
  KvsqlTypeLimit limit = { kind, (guint)CLAMP (arguments[1].integer, 0, 6), 0 };

  return apply (call, limit, &arguments[0], out, error);
}

static gboolean
to_timestamp (const KvsqlFunctionCall *call, const KvsqlValue *arguments, KvsqlValue *out,
              GError **error)
{
  return to_seconds (call, KVSQL_LIMIT_TIMESTAMP, arguments, out, error);
}

static gboolean
to_time (const KvsqlFunctionCall *call, const KvsqlValue *arguments, KvsqlValue *out,
         GError **error)
{
  return to_seconds (call, KVSQL_LIMIT_TIME, arguments, out, error);
}

static const KvsqlFunction functions[] = {
  KVSQL_FUNCTION_2 ("varchar", STRING, INT, STRING, to_varchar),
  KVSQL_FUNCTION_2 ("bpchar", STRING, INT, STRING, to_bpchar),
  KVSQL_FUNCTION_3 ("numeric", DECIMAL, INT, INT, DECIMAL, to_numeric),
  KVSQL_FUNCTION_1 ("int2", INT, INT, to_int2),
  KVSQL_FUNCTION_2 ("timestamp", TIMESTAMP, INT, TIMESTAMP, to_timestamp),
  KVSQL_FUNCTION_2 ("time", TIME, INT, TIME, to_time),
};

const KvsqlFunctionFamily kvsql_functions_limit = { functions, G_N_ELEMENTS (functions) };
