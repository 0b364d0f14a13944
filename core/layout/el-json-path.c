/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * el-json-path.c: json('$.a.b'){x}: members of one JSON text.
 *
 * The paths are a tree of the keys of objects. A member that is NULL is left out. json('$'){rest}
 * has what no path names: the object without the members of the other paths, and without objects on
 * their way that have nothing else. So a text of another program keeps it when it is written again.
 */
#include "config.h"

#include "core/layout/el-json-path.h"

#include "core/base/collection.h"
#include "core/base/json.h"
#include "core/layout/automata/nfa.h"
#include "core/layout/element-classes.h"
#include "core/layout/member-paths.h"
#include "core/layout/sequence.h"
#include "core/schema/relation.h"
#include "core/sql/ast-definition.h"

/* ---- compiling */

static const KvsqlMemberPath *
path_of (const KvsqlElement *member)
{
  return member->own;
}

static gboolean
check_type (const KvsqlElement *self, const KvsqlLayoutNode *node, GError **error)
{
  if (path_of (self)->n_keys > 0 || self->type == KVSQL_TYPE_JSONB)
    return TRUE;
  kvsql_error_set (error, KVSQL_ERROR_DEFINITION, node->inner.span,
                   "json('$') holds the other members as a JSONB, and \"%s\" is a %s",
                   node->inner.nodes[0].name.text, kvsql_type_get_name (self->type));
  return kvsql_error_hint (error, "The whole text as a JSON or JSONB is the bare attribute, as a "
                                  "map or list json{…}.");
}

gboolean
kvsql_json_member_compile (KvsqlElement *self, KvsqlLayoutCompiler *compiler,
                           const KvsqlLayoutNode *node, GError **error)
{
  KvsqlMemberPath *path = kvsql_arena_new0 (compiler->arena, KvsqlMemberPath);

  self->klass = &kvsql_element_json_member;
  self->own = path;
  if (node->arguments[0].kind != KVSQL_ARGUMENT_VALUE
      || node->arguments[0].value.type != KVSQL_TYPE_STRING)
    return kvsql_error_set (error, KVSQL_ERROR_DEFINITION, node->arguments[0].span,
                            "json needs a path here")
           || kvsql_error_hint (error, "Write json('$.name'){attribute}.");
  if (!kvsql_member_path_read (node->arguments[0].value.bytes, node->arguments[0].span,
                               compiler->arena, path, error))
    return FALSE;
  if (compiler->is_cell_key)
    return kvsql_error_set (error, KVSQL_ERROR_DEFINITION, node->span,
                            "json with a path is possible in VALUE only")
           || kvsql_error_hint (error, "The members of an object have no order, so there would be "
                                       "several keys of one tuple.");
  if (node->inner.n_nodes != 1 || node->inner.nodes[0].kind != KVSQL_LAYOUT_ATTRIBUTE)
    return kvsql_error_set (error, KVSQL_ERROR_DEFINITION, node->inner.span,
                            "json applies to one attribute");
  if (!kvsql_element_bind_attribute (self, compiler, &node->inner.nodes[0].name, error))
    return FALSE;
  self->holds_null = !compiler->relation->attributes[self->attribute].is_not_null;
  self->is_open = TRUE;
  return check_type (self, node, error);
}

/* Makes one element of a sequence of members. */
static gboolean
unite (KvsqlElement *self, const KvsqlSequence *members, KvsqlLayoutCompiler *compiler,
       GError **error)
{
  KvsqlMemberPaths *paths = kvsql_arena_new0 (compiler->arena, KvsqlMemberPaths);

  if (members->n_elements > KVSQL_MAX_ATTRIBUTES)
    return kvsql_error_set (error, KVSQL_ERROR_LIMIT, members->elements[KVSQL_MAX_ATTRIBUTES]->span,
                            "a JSON text has at most %d members with a path", KVSQL_MAX_ATTRIBUTES);
  for (guint i = 0; i < members->n_elements; i++)
    {
      if (members->elements[i]->klass != &kvsql_element_json_member)
        return kvsql_error_set (error, KVSQL_ERROR_DEFINITION, members->elements[i]->span,
                                "this element is next to members of a JSON text")
               || kvsql_error_hint (error, "Elements of json with a path are one text, in which "
                                           "nothing else can be.");
      if (!kvsql_member_paths_add (paths, path_of (members->elements[i]), members->elements[i],
                                   members->elements[i]->span, compiler->arena, error))
        return FALSE;
    }
  self->klass = &kvsql_element_json_document;
  self->own = paths;
  self->is_open = TRUE;
  if (paths->rest == NULL)
    self->loss = "the members of its JSON text that no path names; json('$'){…} keeps them in a "
                 "JSONB attribute";
  self->least_byte = 1; /* control characters are escaped */
  return TRUE;
}

/* ---- encoding */

typedef struct
{
  const KvsqlElement *document;
  const KvsqlEncoder *encoder;
  GString *out;
} Writer;

/* As json{…} writes maps and lists: without blanks. */
static void
append_compact (const KvsqlJson *json, GString *out)
{
  const gboolean is_object = json->kind == KVSQL_JSON_OBJECT;

  if (!is_object && json->kind != KVSQL_JSON_ARRAY)
    {
      kvsql_json_append (json, out);
      return;
    }
  g_string_append_c (out, is_object ? '{' : '[');
  for (guint i = 0; i < json->n; i++)
    {
      if (i > 0)
        g_string_append_c (out, ',');
      if (is_object)
        {
          kvsql_json_append_string (json->keys[i], out);
          g_string_append_c (out, ':');
        }
      append_compact (&json->items[i], out);
    }
  g_string_append_c (out, is_object ? '}' : ']');
}

static void
begin_member (const Writer *self, KvsqlSlice key)
{
  if (self->out->str[self->out->len - 1] != '{')
    g_string_append_c (self->out, ',');
  kvsql_json_append_string (key, self->out);
  g_string_append_c (self->out, ':');
}

static const KvsqlValue *
value_of (const Writer *self, const KvsqlElement *member)
{
  return &self->encoder->tuple[member->attribute];
}

static gboolean
has_value (const Writer *self, const KvsqlMemberNode *node)
{
  if (node->member != NULL)
    return !kvsql_value_is_null (value_of (self, node->member));
  for (const KvsqlMemberNode *child = node->first; child != NULL; child = child->next)
    if (has_value (self, child))
      return TRUE;
  return FALSE;
}

/* What '$' holds has a member where a path leads. */
static gboolean
fail_other (const Writer *self, const KvsqlMemberNode *node, GError **error)
{
  const KvsqlMemberPaths *paths = self->document->own;
  g_autofree gchar *key = kvsql_readable (node->key);

  kvsql_encode_error (self->encoder, paths->rest, error,
                      node->member != NULL ? "has a member \"%s\", which another attribute holds"
                                           : "has a member \"%s\" that is no object, and other "
                                             "attributes are members of it",
                      key);
  return kvsql_error_hint (error, "Take the member away: … #- '{%s}'.", key);
}

static gboolean
append_leaf (const Writer *self, const KvsqlMemberNode *node, const KvsqlJson *other,
             GError **error)
{
  const KvsqlElement *member = node->member;
  const KvsqlValue *value = value_of (self, member);

  if (other != NULL)
    return fail_other (self, node, error);
  if (kvsql_value_is_null (value))
    return member->holds_null || kvsql_encoder_get_value (self->encoder, member, error) != NULL;
  begin_member (self, node->key);
  if (kvsql_type_is_json (member->type))
    g_string_append_len (self->out, (const gchar *)value->bytes.data, (gssize)value->bytes.size);
  else
    kvsql_value_append_json (value, self->out);
  return TRUE;
}

static gboolean append_object (const Writer *self, const KvsqlMemberNode *node,
                               const KvsqlJson *others, GError **error);

static gboolean
append_node (const Writer *self, const KvsqlMemberNode *node, const KvsqlJson *other,
             GError **error)
{
  if (node->member != NULL)
    return append_leaf (self, node, other, error);
  if (other != NULL && other->kind != KVSQL_JSON_OBJECT && has_value (self, node))
    return fail_other (self, node, error);
  if (other == NULL && !has_value (self, node))
    return TRUE;
  begin_member (self, node->key);
  if (other == NULL || other->kind == KVSQL_JSON_OBJECT)
    return append_object (self, node, other, error);
  append_compact (other, self->out);
  return TRUE;
}

/* @others: nullable: an object with what no path names */
static gboolean
append_object (const Writer *self, const KvsqlMemberNode *node, const KvsqlJson *others,
               GError **error)
{
  g_string_append_c (self->out, '{');
  for (const KvsqlMemberNode *child = node->first; child != NULL; child = child->next)
    if (!append_node (self, child, others == NULL ? NULL : kvsql_json_find (others, child->key),
                      error))
      return FALSE;
  for (guint i = 0; others != NULL && i < others->n; i++)
    if (kvsql_member_node_find (node, others->keys[i]) == NULL)
      {
        begin_member (self, others->keys[i]);
        append_compact (&others->items[i], self->out);
      }
  g_string_append_c (self->out, '}');
  return TRUE;
}

/* Sets *out_others to what '$' holds; to NULL if it holds nothing. */
static gboolean
read_rest (const Writer *self, KvsqlArena *arena, const KvsqlJson **out_others, GError **error)
{
  const KvsqlMemberPaths *paths = self->document->own;
  KvsqlJson *others;

  *out_others = NULL;
  if (paths->rest == NULL || kvsql_value_is_null (value_of (self, paths->rest)))
    return paths->rest == NULL || paths->rest->holds_null
           || kvsql_encoder_get_value (self->encoder, paths->rest, error) != NULL;
  others = kvsql_arena_new0 (arena, KvsqlJson);
  if (!kvsql_json_read (value_of (self, paths->rest)->bytes, arena, others, error))
    return FALSE;
  *out_others = others;
  if (others->kind == KVSQL_JSON_OBJECT && others->n > 0)
    return TRUE;
  kvsql_encode_error (self->encoder, paths->rest, error, "is no object with members");
  return kvsql_error_hint (error, "json('$') holds other members, such as '{\"a\": 1}', or NULL.");
}

static gboolean
encode (const KvsqlElement *self, const KvsqlEncoder *encoder, KvsqlBuffer *out, GError **error)
{
  const KvsqlMemberPaths *paths = self->own;
  g_autoptr (KvsqlArena) arena = kvsql_arena_new ();
  g_autoptr (GString) text = g_string_new (NULL);
  const Writer writer = { .document = self, .encoder = encoder, .out = text };
  const KvsqlJson *others;

  if (!read_rest (&writer, arena, &others, error)
      || !append_object (&writer, &paths->root, others, error))
    return FALSE;
  kvsql_buffer_append (out, text->str, text->len);
  return TRUE;
}

/* ---- decoding */

static gboolean
read_value (KvsqlType type, KvsqlSlice text, KvsqlArena *arena, KvsqlValue *out)
{
  if (!kvsql_type_is_json (type))
    return kvsql_value_parse_json (type, text, arena, out);
  *out = (KvsqlValue){ .type = type, .bytes = text };
  return type == KVSQL_TYPE_JSON || kvsql_jsonb_parse (text, arena, &out->bytes, NULL);
}

/* @item: nullable */
static gboolean
decode_member (const KvsqlElement *self, const KvsqlJson *item, KvsqlDecoder *decoder)
{
  KvsqlValue value = KVSQL_VALUE_NULL;

  if (item != NULL && item->kind != KVSQL_JSON_NULL
      && !read_value (self->type, item->text, decoder->arena, &value))
    return FALSE;
  return (self->holds_null || !kvsql_value_is_null (&value))
         && kvsql_decoder_set (decoder, self, &value);
}

/* @object: nullable: NULL for all members */
static gboolean
decode_members (const KvsqlMemberNode *node, const KvsqlJson *object, KvsqlDecoder *decoder)
{
  for (const KvsqlMemberNode *child = node->first; child != NULL; child = child->next)
    {
      const KvsqlJson *item = object == NULL ? NULL : kvsql_json_find (object, child->key);
      gboolean is_object = item != NULL && item->kind == KVSQL_JSON_OBJECT;

      if (child->member != NULL ? !decode_member (child->member, item, decoder)
                                : !decode_members (child, is_object ? item : NULL, decoder))
        return FALSE;
    }
  return TRUE;
}

/* Keeps what no path names. */
static void
strip (const KvsqlMemberNode *node, KvsqlJson *object)
{
  guint n = 0;

  for (guint i = 0; i < object->n; i++)
    {
      const KvsqlMemberNode *child = kvsql_member_node_find (node, object->keys[i]);
      KvsqlJson *item = &object->items[i];

      if (child != NULL && child->member != NULL)
        continue;
      if (child != NULL && item->kind == KVSQL_JSON_OBJECT)
        {
          strip (child, item);
          if (item->n == 0)
            continue;
        }
      object->keys[n] = object->keys[i];
      object->items[n++] = *item;
    }
  object->n = n;
}

static gboolean
decode_rest (const KvsqlMemberPaths *self, KvsqlJson *document, KvsqlDecoder *decoder)
{
  KvsqlValue value = { .type = KVSQL_TYPE_JSONB };

  strip (&self->root, document);
  if (document->n == 0)
    return self->rest->holds_null && kvsql_decoder_set (decoder, self->rest, &KVSQL_VALUE_NULL);
  return kvsql_json_normalise (document, decoder->arena, NULL)
         && kvsql_jsonb_write (document, decoder->arena, &value.bytes, NULL)
         && kvsql_decoder_set (decoder, self->rest, &value);
}

static gboolean
decode (const KvsqlElement *self, KvsqlSlice bytes, KvsqlDecoder *decoder)
{
  const KvsqlMemberPaths *paths = self->own;
  KvsqlJson document;

  return kvsql_json_read (bytes, decoder->arena, &document, NULL)
         && document.kind == KVSQL_JSON_OBJECT && decode_members (&paths->root, &document, decoder)
         && (paths->rest == NULL || decode_rest (paths, &document, decoder));
}

/* Layouts do not have these: json with a path becomes a member, and members a document. */

const KvsqlElementClass kvsql_element_json_member = {
  .name = "json",
  .takes_attribute = TRUE,
  .unite = unite,
};

const KvsqlElementClass kvsql_element_json_document = {
  .name = "json",
  .is_text = TRUE,
  .encode = encode,
  .decode = decode,
  .constrain = kvsql_element_constrain_nothing,
  .automaton = kvsql_element_any_united,
};
