/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * statistics-text.c: statistics as JSON, as a registry stores them.
 *
 *     {"tuples": 3, "complete": true, "sampled": 3, "made": 1700000000000000, "attributes": [
 *       {"name": "id", "type": "INT", "nulls": 0, "distinct": 3, "bytes": 4,
 *        "steps": ["1", 0, 1, "2", 1, 1, "7", 2, 1]}]}
 *
 * A step is a value as text, the sampled tuples with smaller values, and those with this value.
 */
#include "config.h"

#include "core/catalog/statistics.h"

#include <json-glib/json-glib.h>

#include "core/base/conversion.h"

#define NUMBERS_PER_STEP 3

/* Which histograms are printed: fewer, if the text becomes too long. */
typedef enum
{
  ALL,
  NO_TEXTS, /* numbers and times only */
  NONE,
  N_EXTENTS
} Extent;

/* ---- print */

/* A text with a NUL is no JSON. */
static gboolean
can_print_steps (const KvsqlAttributeStatistics *self)
{
  for (guint i = 0; i < self->n_steps; i++)
    {
      const KvsqlValue *value = &self->steps[i].value;

      if (value->type == KVSQL_TYPE_STRING
          && !g_utf8_validate_len ((const gchar *)value->bytes.data, value->bytes.size, NULL))
        return FALSE;
    }
  return TRUE;
}

static void
add_steps (const KvsqlAttributeStatistics *self, JsonBuilder *builder)
{
  json_builder_set_member_name (builder, "steps");
  json_builder_begin_array (builder);
  for (guint i = 0; i < self->n_steps; i++)
    {
      g_autofree gchar *text = kvsql_value_to_text (&self->steps[i].value);

      json_builder_add_string_value (builder, text);
      json_builder_add_int_value (builder, self->steps[i].below);
      json_builder_add_int_value (builder, self->steps[i].equal);
    }
  json_builder_end_array (builder);
}

static void
add_number (JsonBuilder *builder, const gchar *name, gdouble value)
{
  json_builder_set_member_name (builder, name);
  json_builder_add_double_value (builder, value);
}

static void
add_attribute (const KvsqlAttributeStatistics *self, const KvsqlAttribute *attribute, Extent extent,
               JsonBuilder *builder)
{
  gboolean is_number = kvsql_type_get_class (attribute->type) != KVSQL_CLASS_SLICE;

  json_builder_begin_object (builder);
  json_builder_set_member_name (builder, "name");
  json_builder_add_string_value (builder, attribute->name);
  json_builder_set_member_name (builder, "type");
  json_builder_add_string_value (builder, kvsql_type_get_name (attribute->type));
  add_number (builder, "nulls", self->n_nulls);
  add_number (builder, "distinct", self->distinct);
  add_number (builder, "bytes", self->bytes);
  if ((extent == ALL || (extent == NO_TEXTS && is_number)) && can_print_steps (self))
    add_steps (self, builder);
  json_builder_end_object (builder);
}

static gchar *
print (const KvsqlStatistics *self, const KvsqlRelation *relation, Extent extent)
{
  g_autoptr (JsonBuilder) builder = json_builder_new ();
  g_autoptr (JsonNode) root = NULL;

  json_builder_begin_object (builder);
  add_number (builder, "tuples", self->n_tuples);
  json_builder_set_member_name (builder, "complete");
  json_builder_add_boolean_value (builder, self->is_complete);
  add_number (builder, "sampled", self->n_sampled);
  json_builder_set_member_name (builder, "made");
  json_builder_add_int_value (builder, self->made_us);
  json_builder_set_member_name (builder, "attributes");
  json_builder_begin_array (builder);
  for (guint a = 0; a < relation->n_attributes; a++)
    add_attribute (&self->attributes[a], &relation->attributes[a], extent, builder);
  json_builder_end_array (builder);
  json_builder_end_object (builder);
  root = json_builder_get_root (builder);
  return json_to_string (root, FALSE);
}

gchar *
kvsql_statistics_print (const KvsqlStatistics *self, const KvsqlRelation *relation)
{
  gchar *text = print (self, relation, ALL);

  for (Extent extent = ALL + 1; extent < N_EXTENTS && strlen (text) > KVSQL_STATISTICS_MAX_BYTES;
       extent++)
    {
      g_free (text);
      text = print (self, relation, extent);
    }
  return text;
}

/* ---- parse */

static gboolean
get_number (JsonObject *object, const gchar *name, gdouble most, gdouble *out)
{
  JsonNode *node = json_object_get_member (object, name);

  if (node == NULL || !JSON_NODE_HOLDS_VALUE (node)
      || (json_node_get_value_type (node) != G_TYPE_INT64
          && json_node_get_value_type (node) != G_TYPE_DOUBLE))
    return FALSE;
  *out = json_node_get_double (node);
  return *out >= 0 && *out <= most;
}

static gboolean
get_count (JsonNode *node, guint most, guint *out)
{
  gint64 number;

  if (!JSON_NODE_HOLDS_VALUE (node) || json_node_get_value_type (node) != G_TYPE_INT64)
    return FALSE;
  number = json_node_get_int (node);
  *out = (guint)number;
  return number >= 0 && number <= most;
}

/* The counts have to fit the steps before, so that no share is negative. */
static gboolean
parse_step (JsonArray *array, guint at, KvsqlType type, const KvsqlStatistics *of,
            KvsqlAttributeStatistics *out)
{
  const gchar *text = json_node_get_string (json_array_get_element (array, at));
  const KvsqlHistogramStep *before = out->n_steps > 0 ? &out->steps[out->n_steps - 1] : NULL;
  KvsqlHistogramStep *step = &out->steps[out->n_steps];

  if (text == NULL
      || !kvsql_value_parse_scalar (type, kvsql_slice_from_text (text), of->arena, &step->value,
                                    NULL)
      || !get_count (json_array_get_element (array, at + 1), of->n_sampled, &step->below)
      || !get_count (json_array_get_element (array, at + 2), of->n_sampled - step->below,
                     &step->equal))
    return FALSE;
  out->n_steps++;
  return before == NULL
         || (step->below >= before->below + before->equal
             && kvsql_value_compare (&before->value, &step->value) < 0);
}

static gboolean
parse_steps (JsonObject *object, KvsqlType type, const KvsqlStatistics *of,
             KvsqlAttributeStatistics *out)
{
  JsonNode *node = json_object_get_member (object, "steps");
  JsonArray *array
      = node != NULL && JSON_NODE_HOLDS_ARRAY (node) ? json_node_get_array (node) : NULL;
  guint n = array != NULL ? json_array_get_length (array) : 0;

  if (node == NULL)
    return TRUE;
  if (array == NULL || n % NUMBERS_PER_STEP != 0 || n / NUMBERS_PER_STEP > KVSQL_MAX_STEPS)
    return FALSE;
  out->steps = kvsql_arena_array (of->arena, KvsqlHistogramStep, n / NUMBERS_PER_STEP);
  for (guint i = 0; i < n; i += NUMBERS_PER_STEP)
    if (!parse_step (array, i, type, of, out))
      return FALSE;
  return TRUE;
}

static const gchar *
get_text (JsonObject *object, const gchar *name)
{
  JsonNode *node = json_object_get_member (object, name);

  return node != NULL && JSON_NODE_HOLDS_VALUE (node) ? json_node_get_string (node) : NULL;
}

/* An attribute that the relation does not have any more, or not with this type, is left out. */
static gboolean
parse_attribute (JsonNode *node, const KvsqlRelation *relation, KvsqlStatistics *out)
{
  JsonObject *object = JSON_NODE_HOLDS_OBJECT (node) ? json_node_get_object (node) : NULL;
  const gchar *name = object != NULL ? get_text (object, "name") : NULL;
  const gchar *type = object != NULL ? get_text (object, "type") : NULL;

  if (name == NULL || type == NULL)
    return FALSE;
  for (guint a = 0; a < relation->n_attributes; a++)
    {
      const KvsqlAttribute *attribute = &relation->attributes[a];
      KvsqlAttributeStatistics *known = &out->attributes[a];
      gdouble nulls;

      if (!g_str_equal (attribute->name, name)
          || !g_str_equal (kvsql_type_get_name (attribute->type), type))
        continue;
      if (!get_number (object, "nulls", out->n_sampled, &nulls)
          || !get_number (object, "distinct", G_MAXDOUBLE, &known->distinct)
          || !get_number (object, "bytes", G_MAXDOUBLE, &known->bytes))
        return FALSE;
      known->n_nulls = (guint)nulls;
      return parse_steps (object, attribute->type, out, known);
    }
  return TRUE;
}

static gboolean
parse (JsonObject *root, const KvsqlRelation *relation, KvsqlStatistics *out)
{
  JsonNode *node = json_object_get_member (root, "attributes");
  JsonArray *attributes
      = node != NULL && JSON_NODE_HOLDS_ARRAY (node) ? json_node_get_array (node) : NULL;
  gdouble sampled, made;

  if (attributes == NULL || !get_number (root, "tuples", G_MAXDOUBLE, &out->n_tuples)
      || !get_number (root, "sampled", KVSQL_SAMPLE_TUPLES, &sampled)
      || !get_number (root, "made", (gdouble)G_MAXINT64 / 2, &made))
    return FALSE;
  out->is_complete = json_object_get_boolean_member_with_default (root, "complete", FALSE);
  out->n_sampled = (guint)sampled;
  out->made_us = (gint64)made;
  for (guint i = 0; i < json_array_get_length (attributes); i++)
    if (!parse_attribute (json_array_get_element (attributes, i), relation, out))
      return FALSE;
  return TRUE;
}

KvsqlStatistics *
kvsql_statistics_parse (const gchar *text, const KvsqlRelation *relation, GError **error)
{
  g_autoptr (KvsqlStatistics) self = kvsql_statistics_new (relation);
  g_autoptr (JsonParser) parser = json_parser_new_immutable ();
  JsonNode *root
      = json_parser_load_from_data (parser, text, -1, NULL) ? json_parser_get_root (parser) : NULL;

  if (root != NULL && JSON_NODE_HOLDS_OBJECT (root)
      && parse (json_node_get_object (root), relation, self))
    {
      self->text = kvsql_arena_strdup (self->arena, text);
      return g_steal_pointer (&self);
    }
  kvsql_error_set (error, KVSQL_ERROR_INVALID, KVSQL_SPAN_NONE,
                   "the statistics of relation \"%s\" are damaged", relation->name);
  kvsql_error_hint (error, "ANALYZE makes new ones.");
  return NULL;
}
