/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * el-phoenix-array.c: phoenix{a} and phoenix(type){a} for a list: an array of Phoenix
 * (phoenix-array.h).
 *
 * The type of the list's elements says what Phoenix's elements are. The argument names those of
 * Phoenix's types that need another form: TINYINT, CHAR(n), the unsigned ones and others.
 */
#include "config.h"

#include "core/layout/el-phoenix.h"

#include "core/base/collection.h"
#include "core/layout/automata/nfa.h"
#include "core/layout/constrain.h"
#include "core/layout/element-classes.h"
#include "core/layout/encoding/phoenix-array.h"
#include "core/sql/ast-definition.h"

#define MAX_WIDTH 65535

static const KvsqlPhoenixArray *
form_of (const KvsqlElement *self)
{
  return self->own;
}

/* ---- compiling */

static gboolean
fail_type (KvsqlType type, const KvsqlLayoutNode *node, GError **error)
{
  kvsql_error_set (error, KVSQL_ERROR_DEFINITION, node->inner.span,
                   "Phoenix has no array for a LIST<%s>", kvsql_type_get_name (type));
  if (type == KVSQL_TYPE_BYTES)
    return kvsql_error_hint (error, "A BINARY(16) ARRAY is phoenix(binary, 16){…}.");
  if (type == KVSQL_TYPE_UUID)
    return kvsql_error_hint (error, "Use a LIST<BYTES> with phoenix(binary, 16){…}, or a "
                                    "LIST<STRING> with phoenix(char, 36){…}.");
  return kvsql_error_hint (error, "Use json{…}.");
}

static gboolean
fail_name (const KvsqlName *name, GError **error)
{
  const gchar *const *names = kvsql_phoenix_array_list ();
  const gchar *near = kvsql_suggest (name->text, names, g_strv_length ((gchar **)names));
  g_autofree gchar *all = NULL;

  kvsql_error_set (error, KVSQL_ERROR_UNKNOWN_NAME, name->span,
                   "phoenix has no elements of type \"%s\"", name->text);
  if (near != NULL)
    return kvsql_error_hint (error, "Did you mean \"%s\"?", near);
  all = g_strjoinv (", ", (gchar **)names);
  return kvsql_error_hint (error, "There are %s. INTEGER, BIGINT, VARCHAR and others need no name.",
                           all);
}

static gboolean
check_arguments (const KvsqlPhoenixArray *found, const KvsqlLayoutNode *node, GError **error)
{
  if (node->n_arguments == (found->has_width ? 2 : 1))
    return TRUE;
  kvsql_error_set (error, KVSQL_ERROR_DEFINITION, node->span, "phoenix(%s) takes %s", found->name,
                   found->has_width ? "the size of an element" : "no size");
  return found->has_width
         && kvsql_error_hint (error, "Write phoenix(%s, 3){…} for %s(3) ARRAY.", found->name,
                              found->type == KVSQL_TYPE_STRING ? "CHAR" : "BINARY");
}

/* Sets *out from phoenix (name) or phoenix (name, width). */
static gboolean
read_arguments (const KvsqlLayoutNode *node, KvsqlType type, KvsqlPhoenixArray *out, GError **error)
{
  const KvsqlLayoutArgument *argument = &node->arguments[0];
  const KvsqlPhoenixArray *found;
  guint width;

  if (argument->kind != KVSQL_ARGUMENT_NAME)
    return kvsql_error_set (error, KVSQL_ERROR_DEFINITION, argument->span,
                            "phoenix needs the name of a type of Phoenix here");
  found = kvsql_phoenix_array_find (argument->name.text);
  if (found == NULL)
    return fail_name (&argument->name, error);
  if (!check_arguments (found, node, error))
    return FALSE;
  if (!kvsql_phoenix_array_takes (found, type))
    return kvsql_error_set (error, KVSQL_ERROR_DEFINITION, node->inner.span,
                            "phoenix(%s) holds a LIST<%s>, not a LIST<%s>", found->name,
                            kvsql_type_get_name (found->type), kvsql_type_get_name (type));
  *out = *found;
  out->type = type;
  if (!found->has_width)
    return TRUE;
  if (!kvsql_element_integer_argument (node, 1, 1, MAX_WIDTH, &width, error))
    return FALSE;
  out->size = width;
  return TRUE;
}

gboolean
kvsql_phoenix_array_compile (KvsqlElement *self, KvsqlLayoutCompiler *compiler,
                             const KvsqlLayoutNode *node, GError **error)
{
  KvsqlPhoenixArray *form = kvsql_arena_new0 (compiler->arena, KvsqlPhoenixArray);
  KvsqlType type = kvsql_type_get_element (self->type);

  if (node->n_arguments > 0)
    {
      if (!read_arguments (node, type, form, error))
        return FALSE;
    }
  else if (!kvsql_phoenix_array_for_type (type, form))
    return fail_type (type, node, error);
  self->klass = &kvsql_element_phoenix_array;
  self->own = form;
  self->is_open = TRUE;
  return TRUE;
}

/* ---- encoding and decoding */

static gboolean
fail_value (const KvsqlElement *self, const KvsqlEncoder *encoder, const KvsqlPhoenixFault *fault,
            guint element, GError **error)
{
  if (element == 0)
    kvsql_encode_error (encoder, self, error, "%s", fault->what);
  else
    kvsql_encode_error (encoder, self, error, "has element %u, which %s", element, fault->what);
  return kvsql_error_hint (error, "%s", fault->hint);
}

static gboolean
encode (const KvsqlElement *self, const KvsqlEncoder *encoder, KvsqlBuffer *out, GError **error)
{
  const KvsqlValue *value = kvsql_encoder_get_value (encoder, self, error);
  g_autoptr (KvsqlArena) arena = NULL;
  const KvsqlPhoenixFault *fault;
  KvsqlValue *elements;
  guint n, place;

  if (value == NULL)
    return FALSE;
  arena = kvsql_arena_new ();
  kvsql_list_split (self->type, value->bytes, arena, &elements, &n);
  fault = kvsql_phoenix_array_check (form_of (self), elements, n, &place);
  if (fault != NULL)
    return fail_value (self, encoder, fault, place, error);
  kvsql_phoenix_array_append (form_of (self), elements, n, out);
  return TRUE;
}

static gboolean
decode (const KvsqlElement *self, KvsqlSlice bytes, KvsqlDecoder *decoder)
{
  KvsqlValue value = { .type = self->type }, *elements;
  guint n;

  decoder->steps += bytes.size / 64; /* long values count as several steps */
  if (!kvsql_phoenix_array_read (form_of (self), bytes, decoder->arena, &elements, &n))
    return FALSE;
  value.bytes = kvsql_list_join (elements, n, decoder->arena);
  return kvsql_decoder_set (decoder, self, &value);
}

/* ---- automaton */

/* Accepts more than decode(): all bytes but none. */
static KvsqlNfaFragment
automaton (const KvsqlElement *self, KvsqlNfa *nfa)
{
  KvsqlNfaFragment value
      = self->is_restricted
            ? kvsql_element_any_value (self, nfa)
            : kvsql_nfa_sequence (nfa, kvsql_nfa_any_bytes (nfa, 1), kvsql_nfa_any (nfa));

  return kvsql_element_mark (self, nfa, value);
}

/* phoenix{…} becomes this class when its attribute is a list; layouts do not name it. */
const KvsqlElementClass kvsql_element_phoenix_array = {
  .name = "phoenix",
  .encode = encode,
  .decode = decode,
  .constrain = kvsql_element_constrain_nothing,
  .automaton = automaton,
};
