/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * test.c: writes random tuples through a schema and reads them back, without storing them.
 *
 * EXPLAIN (CALLS) INSERT encodes a tuple and decodes the result, as a write does, and rejects the
 * tuple if it does not round-trip; nothing is written. The tuples and their cells can be saved as
 * test vectors for programs that read or write the same tables.
 */
#include "config.h"

#include <json-glib/json-glib.h>
#include <string.h>

#include "client/ctl/execute.h"
#include "client/ctl/schema/verbs.h"

#define MAX_REASONS 8 /* largest number of shown reasons */

typedef struct
{
  gchar *name;
  gchar *type;
  gboolean is_nullable;
} Attribute;

typedef struct
{
  const gchar *schema;
  gchar *relation;
  GArray *attributes; /* Attribute */
  GRand *random;
  GHashTable *reasons; /* reason of rejected tuples -> number of tuples */
  guint n_rejected;
  JsonBuilder *vectors; /* nullable */
} Test;

static void
attribute_clear (gpointer data)
{
  Attribute *self = data;

  g_free (self->name);
  g_free (self->type);
}

static void
test_clear (Test *self)
{
  g_free (self->relation);
  g_array_unref (self->attributes);
  g_rand_free (self->random);
  g_hash_table_unref (self->reasons);
  g_clear_object (&self->vectors);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Test, test_clear)

/* ---- the structs to fill */

static gchar *
find_relation (Kvsqlctl *ctl, const gchar *schema, GError **error)
{
  g_autofree gchar *quoted = kvsqlctl_quote_name (schema);
  g_autofree gchar *sql = g_strconcat ("DESCRIBE ", quoted, NULL);
  g_autoptr (KvsqlResult) result
      = kvsql_connection_query (ctl->connection, sql, NULL, ctl->cancellable, error);
  const gchar *part;

  if (result == NULL || !kvsql_result_next (result, error))
    return NULL;
  part = kvsql_result_get_text (result, 0);
  if (g_strcmp0 (part, "PRIMARY") == 0 || g_strcmp0 (part, "SCHEMA") == 0)
    return g_strdup (kvsql_result_get_text (result, 1));
  g_set_error (error, KVSQL_CLIENT_ERROR, KVSQL_CLIENT_ERROR_INVALID,
               "\"%s\" is not a schema; see \"kvsqlctl schema list\"", schema);
  return NULL;
}

static gboolean
read_attributes (Kvsqlctl *ctl, Test *self, GError **error)
{
  g_autofree gchar *quoted = kvsqlctl_quote_name (self->relation);
  g_autofree gchar *sql = g_strconcat ("DESCRIBE ", quoted, NULL);
  g_autoptr (GError) cause = NULL;
  g_autoptr (KvsqlResult) result
      = kvsql_connection_query (ctl->connection, sql, NULL, ctl->cancellable, error);

  if (result == NULL)
    return FALSE;
  while (kvsql_result_next (result, &cause))
    {
      Attribute attribute = { .name = g_strdup (kvsql_result_get_text (result, 0)),
                              .type = g_strdup (kvsql_result_get_text (result, 1)) };

      attribute.is_nullable = g_strcmp0 (kvsql_result_get_text (result, 3), "") == 0;
      g_array_append_val (self->attributes, attribute);
    }
  if (cause != NULL)
    g_propagate_error (error, g_steal_pointer (&cause));
  return self->attributes->len > 0;
}

/* ---- random values, as text that kvsqld reads */

static guint
below (Test *self, guint n)
{
  return g_rand_int_range (self->random, 0, n);
}

/* Letters, and characters that separators, padding and terminators are usually made of. */
static gchar *
random_string (Test *self)
{
  static const gchar *const pieces[] = { "a", "b", "z", "A",    "0",    "9", "-",  "_", "|",
                                         ":", "/", " ", "\x01", "\x7f", "ä", "日", "😀" };
  GString *text = g_string_new (NULL);
  guint kind = below (self, 4), n = below (self, kind == 0 ? 24 : 6);

  for (guint i = 0; i < n; i++)
    g_string_append (text, pieces[below (self, kind == 1 ? 4 : G_N_ELEMENTS (pieces))]);
  return g_string_free (text, FALSE);
}

static gchar *
random_bytes (Test *self)
{
  GString *text = g_string_new ("x'");
  guint n = below (self, 9);

  for (guint i = 0; i < n; i++)
    g_string_append_printf (
        text, "%02x", below (self, 3) == 0 ? (below (self, 2) ? 0xff : 0x00) : below (self, 256));
  g_string_append_c (text, '\'');
  return g_string_free (text, FALSE);
}

/* Often small, and often at the ends of the range. */
static gchar *
random_integer (Test *self, gint64 min, gint64 max)
{
  switch (below (self, 6))
    {
    case 0:
      return g_strdup_printf ("%" G_GINT64_FORMAT, min);
    case 1:
      return g_strdup_printf ("%" G_GINT64_FORMAT, max);
    case 2:
      return g_strdup_printf (
          "%" G_GINT64_FORMAT,
          (gint64)(min + g_rand_double (self->random) * ((gdouble)max - (gdouble)min) * 0.999));
    default:
      return g_strdup_printf ("%d", (gint)below (self, 2001) - 1000);
    }
}

static gchar *
random_real (Test *self)
{
  static const gchar *const special[] = { "0", "-0", "NaN", "Infinity", "-Infinity", "1e-300" };
  gchar buffer[G_ASCII_DTOSTR_BUF_SIZE];

  if (below (self, 4) == 0)
    return g_strdup (special[below (self, 5)]);
  return g_strdup (g_ascii_dtostr (buffer, sizeof buffer, (gint)below (self, 100000) / 64.0 - 700));
}

static gchar *
random_clock (Test *self)
{
  return g_strdup_printf ("%02u:%02u:%02u.%03u", below (self, 24), below (self, 60),
                          below (self, 60), below (self, 1000));
}

static gchar *
random_time (Test *self, gboolean has_time)
{
  gint year = below (self, 5) == 0 ? 1 + (gint)below (self, 9998) : 1960 + (gint)below (self, 80);
  GString *text = g_string_new (NULL);

  g_string_printf (text, "%04d-%02u-%02u", year, 1 + below (self, 12), 1 + below (self, 28));
  if (has_time)
    g_string_append_printf (text, "T%02u:%02u:%02u.%03uZ", below (self, 24), below (self, 60),
                            below (self, 60), below (self, 1000));
  return g_string_free (text, FALSE);
}

static gchar *random_value (Test *self, const Attribute *attribute);

/* MAP<STRING, T> or LIST<T> of up to three values, as JSON. */
static gchar *
random_collection (Test *self, const gchar *type)
{
  gboolean is_map = *type == 'M';
  const gchar *start = strchr (type, is_map ? ',' : '<') + (is_map ? 2 : 1);
  g_autofree gchar *element_type = g_strndup (start, strcspn (start, ">"));
  const Attribute element = { .type = element_type };
  GString *text = g_string_new (is_map ? "{" : "[");
  guint n = below (self, 4);

  for (guint i = 0; i < n; i++)
    {
      g_autofree gchar *value = random_value (self, &element);
      g_autoptr (JsonNode) node = json_node_init_string (json_node_alloc (), value);
      g_autofree gchar *json = json_to_string (node, FALSE);

      g_string_append (text, i > 0 ? "," : "");
      if (is_map)
        g_string_append_printf (text, "\"%c\":", (gchar)('a' + i));
      g_string_append (text, json);
    }
  g_string_append_c (text, is_map ? '}' : ']');
  return g_string_free (text, FALSE);
}

/* NULL: SQL's NULL. */
static gchar *
random_value (Test *self, const Attribute *attribute)
{
  const gchar *type = attribute->type;

  if (attribute->is_nullable && below (self, 8) == 0)
    return NULL;
  if (g_str_has_prefix (type, "MAP<") || g_str_has_prefix (type, "LIST<"))
    return random_collection (self, type);
  if (strcmp (type, "BYTES") == 0)
    return random_bytes (self);
  if (strcmp (type, "BOOLEAN") == 0)
    return g_strdup (below (self, 2) ? "true" : "false");
  if (strcmp (type, "INT") == 0)
    return random_integer (self, G_MININT32, G_MAXINT32);
  if (strcmp (type, "BIGINT") == 0)
    return random_integer (self, G_MININT64, G_MAXINT64);
  if (strcmp (type, "FLOAT") == 0 || strcmp (type, "DOUBLE") == 0)
    return random_real (self);
  if (strcmp (type, "DECIMAL") == 0)
    return g_strdup_printf ("%d.%02u", (gint)below (self, 20000) - 10000, below (self, 100));
  if (strcmp (type, "DATE") == 0 || strcmp (type, "TIMESTAMP") == 0)
    return random_time (self, *type == 'T');
  if (strcmp (type, "TIME") == 0)
    return random_clock (self);
  if (strcmp (type, "UUID") == 0)
    return g_strdup_printf ("%08x-%04x-%04x-%04x-%012x", below (self, G_MAXINT32),
                            below (self, 65536), below (self, 65536), below (self, 65536),
                            below (self, G_MAXINT32));
  if (g_str_has_prefix (type, "JSON"))
    return g_strdup_printf ("{\"a\": [%u, null]}", below (self, 1000));
  return random_string (self);
}

/* ---- one tuple */

/* Replaces numbers, so that reasons that differ only in a number are counted together. */
static gchar *
without_numbers (const gchar *message)
{
  GString *text = g_string_new (NULL);

  for (; *message != '\0'; message++)
    if (!g_ascii_isdigit (*message) || (text->len > 0 && text->str[text->len - 1] != ' '))
      g_string_append_c (text, *message);
    else
      {
        g_string_append (text, "N");
        while (g_ascii_isdigit (message[1]))
          message++;
      }
  return g_string_free (text, FALSE);
}

static void
count_rejected (Test *self, const gchar *message)
{
  g_autofree gchar *reason = without_numbers (message);
  gpointer n = g_hash_table_lookup (self->reasons, reason);

  self->n_rejected++;
  if (n != NULL || g_hash_table_size (self->reasons) < 1000)
    g_hash_table_insert (self->reasons, g_steal_pointer (&reason),
                         GUINT_TO_POINTER (GPOINTER_TO_UINT (n) + 1));
}

static void
add_tuple (Test *self, gchar *const *values)
{
  json_builder_set_member_name (self->vectors, "tuple");
  json_builder_begin_object (self->vectors);
  for (guint i = 0; i < self->attributes->len; i++)
    {
      json_builder_set_member_name (self->vectors,
                                    g_array_index (self->attributes, Attribute, i).name);
      if (values[i] == NULL)
        json_builder_add_null_value (self->vectors);
      else
        json_builder_add_string_value (self->vectors, values[i]);
    }
  json_builder_end_object (self->vectors);
}

/* Adds the puts of the tested schema among the calls. */
static void
add_puts (Test *self, JsonArray *calls)
{
  json_builder_set_member_name (self->vectors, "puts");
  json_builder_begin_array (self->vectors);
  for (guint i = 0; i < json_array_get_length (calls); i++)
    {
      JsonObject *call = json_array_get_object_element (calls, i);

      if (strcmp (json_object_get_string_member_with_default (call, "op", ""), "put") == 0
          && g_ascii_strcasecmp (json_object_get_string_member_with_default (call, "schema", ""),
                                 self->schema)
                 == 0)
        json_builder_add_value (self->vectors, json_node_copy (json_array_get_element (calls, i)));
    }
  json_builder_end_array (self->vectors);
}

static gboolean
add_vector (Test *self, gchar *const *values, const gchar *json, GError **error)
{
  g_autoptr (JsonParser) parser = json_parser_new ();

  if (!json_parser_load_from_data (parser, json, -1, error))
    return FALSE;
  json_builder_begin_object (self->vectors);
  add_tuple (self, values);
  add_puts (self, json_object_get_array_member (
                      json_node_get_object (json_parser_get_root (parser)), "calls"));
  json_builder_end_object (self->vectors);
  return TRUE;
}

static gboolean
add_parameters (Test *self, KvsqlStatement *statement, gchar *const *values, KvsqlParams *params,
                GError **error)
{
  for (guint i = 0; i < self->attributes->len; i++)
    if (values[i] == NULL)
      kvsql_params_add_null (params, NULL);
    else if (!kvsql_params_add_text (
                 params, NULL, kvsql_statement_get_parameter_type (statement, i), values[i], error))
      return FALSE;
  return TRUE;
}

static gboolean
try_tuple (Kvsqlctl *ctl, Test *self, KvsqlStatement *statement, GError **error)
{
  g_autoptr (GPtrArray) texts = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (KvsqlParams) params = kvsql_params_new ();
  g_autoptr (KvsqlResult) result = NULL;
  g_autoptr (GError) cause = NULL;
  gchar *const *values;

  for (guint i = 0; i < self->attributes->len; i++)
    g_ptr_array_add (texts, random_value (self, &g_array_index (self->attributes, Attribute, i)));
  values = (gchar *const *)texts->pdata;
  if (!add_parameters (self, statement, values, params, error))
    return FALSE;
  result = kvsql_statement_execute (statement, params, ctl->cancellable, &cause);
  if (g_error_matches (cause, KVSQL_CLIENT_ERROR, KVSQL_CLIENT_ERROR_VALUE))
    {
      count_rejected (self, cause->message);
      return TRUE;
    }
  if (cause != NULL || !kvsql_result_next (result, &cause))
    {
      if (cause != NULL)
        g_propagate_error (error, g_steal_pointer (&cause));
      return cause == NULL && error != NULL && *error == NULL;
    }
  return self->vectors == NULL
         || add_vector (self, values, kvsql_result_get_text (result, 0), error);
}

/* ---- the whole */

static gchar *
make_statement (const Test *self)
{
  g_autofree gchar *relation = kvsqlctl_quote_name (self->relation);
  GString *sql = g_string_new (NULL);

  g_string_printf (sql, "EXPLAIN (CALLS, FORMAT JSON) INSERT INTO %s VALUES (", relation);
  for (guint i = 0; i < self->attributes->len; i++)
    g_string_append (sql, i == 0 ? "?" : ", ?");
  g_string_append_c (sql, ')');
  return g_string_free (sql, FALSE);
}

static gboolean
write_vectors (Test *self, const gchar *path, GError **error)
{
  g_autoptr (JsonGenerator) generator = json_generator_new ();
  g_autoptr (JsonNode) root = NULL;

  json_builder_end_array (self->vectors);
  json_builder_end_object (self->vectors);
  root = json_builder_get_root (self->vectors);
  json_generator_set_root (generator, root);
  json_generator_set_pretty (generator, TRUE);
  return json_generator_to_file (generator, path, error);
}

static void
begin_vectors (Test *self, guint32 seed)
{
  self->vectors = json_builder_new ();
  json_builder_begin_object (self->vectors);
  json_builder_set_member_name (self->vectors, "relation");
  json_builder_add_string_value (self->vectors, self->relation);
  json_builder_set_member_name (self->vectors, "schema");
  json_builder_add_string_value (self->vectors, self->schema);
  json_builder_set_member_name (self->vectors, "seed");
  json_builder_add_int_value (self->vectors, seed);
  json_builder_set_member_name (self->vectors, "vectors");
  json_builder_begin_array (self->vectors);
}

static gint
by_count (gconstpointer a, gconstpointer b, gpointer reasons)
{
  guint x = GPOINTER_TO_UINT (g_hash_table_lookup (reasons, *(gchar *const *)a));
  guint y = GPOINTER_TO_UINT (g_hash_table_lookup (reasons, *(gchar *const *)b));

  return x == y ? strcmp (*(gchar *const *)a, *(gchar *const *)b) : (x < y) - (x > y);
}

static void
show_summary (Test *self, guint n_tuples, guint32 seed)
{
  g_autofree gchar **reasons = (gchar **)g_hash_table_get_keys_as_array (self->reasons, NULL);
  guint n = g_hash_table_size (self->reasons);

  printf ("%s: %u random tuples (seed %u): %u round-tripped, %u were rejected\n", self->schema,
          n_tuples, seed, n_tuples - self->n_rejected, self->n_rejected);
  g_qsort_with_data (reasons, n, sizeof *reasons, by_count, self->reasons);
  for (guint i = 0; i < MIN (n, MAX_REASONS); i++)
    printf ("  %5u  %s\n", GPOINTER_TO_UINT (g_hash_table_lookup (self->reasons, reasons[i])),
            reasons[i]);
  if (n > MAX_REASONS)
    printf ("         and %u other reasons\n", n - MAX_REASONS);
}

KvsqlctlStatus
kvsqlctl_schema_test (Kvsqlctl *ctl, const gchar *schema, const KvsqlctlSchemaTest *test)
{
  guint32 seed = test->seed != 0 ? (guint32)test->seed : 1 + g_random_int () % G_MAXINT32;
  g_auto (Test) self = { .schema = schema,
                         .attributes = g_array_new (FALSE, FALSE, sizeof (Attribute)),
                         .random = g_rand_new_with_seed (seed),
                         .reasons = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL) };
  g_autoptr (KvsqlStatement) statement = NULL;
  g_autofree gchar *sql = NULL;
  g_autoptr (GError) error = NULL;

  g_array_set_clear_func (self.attributes, attribute_clear);
  self.relation = find_relation (ctl, schema, &error);
  if (self.relation == NULL || !read_attributes (ctl, &self, &error))
    return kvsqlctl_report (ctl, error, NULL);
  if (test->vectors != NULL)
    begin_vectors (&self, seed);
  sql = make_statement (&self);
  statement = kvsql_connection_prepare (ctl->connection, sql, ctl->cancellable, &error);
  for (gint i = 0; i < test->n_tuples && error == NULL; i++)
    if (!try_tuple (ctl, &self, statement, &error))
      break;
  if (error == NULL && self.vectors != NULL)
    write_vectors (&self, test->vectors, &error);
  if (error != NULL)
    return kvsqlctl_report (ctl, error, NULL);
  show_summary (&self, test->n_tuples, seed);
  return KVSQLCTL_DONE;
}
