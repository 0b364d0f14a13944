/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * fn-sequence.c: nextval (), currval (), lastval () and setval ().
 */
#include "config.h"

#include "core/base/sequence-source.h"
#include "core/expr/function.h"

static gboolean
fail_without_source (GError **error)
{
  return kvsql_error_set (error, KVSQL_ERROR_UNSUPPORTED, KVSQL_SPAN_NONE,
                          "a sequence cannot be used here");
}

/* The sequence of an argument. (transfer full): NULL with an error */
static gchar *
find_name (const KvsqlSequenceSource *source, const KvsqlValue *argument, GError **error)
{
  g_autofree gchar *text = g_strndup ((const gchar *)argument->bytes.data, argument->bytes.size);

  if (source != NULL)
    return source->fold (text);
  fail_without_source (error);
  return NULL;
}

static gboolean
sequence_next (const KvsqlFunctionCall *call, const KvsqlValue *arguments, KvsqlValue *out,
               GError **error)
{
  const KvsqlSequenceSource *source = kvsql_sequence_source_get ();
  g_autofree gchar *name = find_name (source, &arguments[0], error);

  out->type = call->type;
  return name != NULL && source->next (source->data, name, &out->integer, error);
}

static gboolean
sequence_current (const KvsqlFunctionCall *call, const KvsqlValue *arguments, KvsqlValue *out,
                  GError **error)
{
  const KvsqlSequenceSource *source = kvsql_sequence_source_get ();
  g_autofree gchar *name = find_name (source, &arguments[0], error);

  out->type = call->type;
  return name != NULL && source->current (source->data, name, &out->integer, error);
}

static gboolean
sequence_last (const KvsqlFunctionCall *call, const KvsqlValue *arguments, KvsqlValue *out,
               GError **error)
{
  const KvsqlSequenceSource *source = kvsql_sequence_source_get ();

  out->type = call->type;
  if (source == NULL)
    return fail_without_source (error);
  return source->current (source->data, NULL, &out->integer, error);
}

static gboolean
set (const KvsqlValue *arguments, gboolean is_called, KvsqlType type, KvsqlValue *out,
     GError **error)
{
  const KvsqlSequenceSource *source = kvsql_sequence_source_get ();
  g_autofree gchar *name = find_name (source, &arguments[0], error);

  *out = (KvsqlValue){ .type = type, .integer = arguments[1].integer };
  return name != NULL && source->set (source->data, name, arguments[1].integer, is_called, error);
}

static gboolean
sequence_set (const KvsqlFunctionCall *call, const KvsqlValue *arguments, KvsqlValue *out,
              GError **error)
{
  return set (arguments, TRUE, call->type, out, error);
}

static gboolean
sequence_set_called (const KvsqlFunctionCall *call, const KvsqlValue *arguments, KvsqlValue *out,
                     GError **error)
{
  return set (arguments, arguments[2].boolean, call->type, out, error);
}

static const KvsqlFunction functions[] = {
  KVSQL_FUNCTION_1 ("nextval", STRING, BIGINT, sequence_next, .is_volatile = TRUE),
  KVSQL_FUNCTION_1 ("currval", STRING, BIGINT, sequence_current, .is_volatile = TRUE),
  KVSQL_FUNCTION_0 ("lastval", BIGINT, sequence_last, .is_volatile = TRUE),
  KVSQL_FUNCTION_2 ("setval", STRING, BIGINT, BIGINT, sequence_set, .is_volatile = TRUE),
  KVSQL_FUNCTION_3 ("setval", STRING, BIGINT, BOOLEAN, BIGINT, sequence_set_called,
                    .is_volatile = TRUE),
};

const KvsqlFunctionFamily kvsql_functions_sequence = { functions, G_N_ELEMENTS (functions) };
