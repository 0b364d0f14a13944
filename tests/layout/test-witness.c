/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * test-witness.c: two tuples that the definition check prints collide, on random layouts.
 *
 * The test reads the tuples as a user would: as literals of an INSERT. It encodes both, and
 * compares their bytes with the printed ones. KVSQL_TEST_SEED repeats a run.
 */
#include "config.h"

#include "core/base/conversion.h"
#include "core/catalog/compile-schema.h"
#include "core/catalog/proof-schema.h"
#include "core/catalog/schema.h"
#include "core/layout/element.h"
#include "core/layout/sequence.h"
#include "core/layout/witness.h"
#include "core/sql/parser.h"

#define N_RELATIONS 300
#define N_ATTRIBUTES 3
#define N_RANDOM 2000

static const gchar *const types[]
    = { "STRING", "STRING", "STRING", "BYTES",   "INT",     "BIGINT",   "DATE",
        "DOUBLE", "FLOAT",  "STRING", "DECIMAL", "BOOLEAN", "TIMESTAMP" };

/* $ is an attribute that was not used yet, % two elements, and # any attribute. */
static const gchar *const elements[] = {
  "$",
  "$",
  "$",
  "$",
  "suffix('-'){$}",
  "suffix('ab'){$}",
  "size{$}",
  "text{$}",
  "text{$}",
  "text{$}",
  "ordered{$}",
  "phoenix{$}",
  "fixed(3, ' '){$}",
  "hex{$}",
  "desc{$}",
  "base64{$}",
  "json{$}",
  "prefix('ab'){$}",
  "optional('-'){$}",
  "optional('a'){%}",
  "regexp('[ab]*'){$}",
  "regexp('a?b?-?'){$}",
  "suffix(x'00'){phoenix{$}}",
  "desc{suffix(x'00'){phoenix{$}}}",
  "suffix(x'00'){phoenix_decimal{$}}",
  "desc{ordered{$}}",
  "unsigned(2){$}",
  "flipped{$}",
  "short{$}",
  "hive{$}",
  "hive(2){$}",
  "byte{$}",
  "uuid{$}",
  "reversed('-'){$}",
  "suffix('|'){%}",
  "size{%}",
  "suffix('-'){%}",
};

static const gchar *const between[]
    = { "'a':", "'-':", "x'00':", "salt(4){#}:", "hash(2){#}:", "bucket(10){text{#}}:", "#:" };

typedef struct
{
  GRand *random;
  KvsqlArena *arena;
  KvsqlRelation *relation;
  guint n_placed;
  guint n_rejected, n_found, n_missed, n_escaped;
} Trial;

static guint
pick (Trial *self, guint n)
{
  return (guint)g_rand_int_range (self->random, 0, (gint)n);
}

static void
append_element (Trial *self, GString *out, guint depth)
{
  const gchar *element = elements[pick (self, G_N_ELEMENTS (elements))];

  while ((depth > 0 || self->n_placed + 2 > N_ATTRIBUTES) && strchr (element, '%') != NULL)
    element = elements[pick (self, G_N_ELEMENTS (elements))];
  if (pick (self, 6) == 0)
    for (const gchar *c = between[pick (self, G_N_ELEMENTS (between))]; *c != '\0'; c++)
      g_string_append_c (out, *c == '#' ? (gchar)('a' + pick (self, N_ATTRIBUTES)) : *c);
  for (const gchar *c = element; *c != '\0'; c++)
    if (*c == '$')
      g_string_append_c (out, (gchar)('a' + self->n_placed++));
    else if (*c == '%')
      {
        append_element (self, out, depth + 1);
        g_string_append_c (out, ':');
        append_element (self, out, depth + 1);
      }
    else
      g_string_append_c (out, *c);
}

static void
append_row (Trial *self, GString *out)
{
  for (self->n_placed = 0; self->n_placed < N_ATTRIBUTES;)
    {
      if (self->n_placed > 0)
        g_string_append_c (out, ':');
      append_element (self, out, 0);
    }
}

static KvsqlAstStatement *
parse (Trial *self, const gchar *sql)
{
  g_autoptr (GError) error = NULL;
  KvsqlAstStatement *statement = kvsql_parser_parse (
      kvsql_slice_dup (self->arena, kvsql_slice_from_text (sql)), self->arena, &error);

  if (statement == NULL)
    g_error ("%s: %s", sql, error->message);
  return statement;
}

static void
make_relation (Trial *self)
{
  g_autoptr (GString) sql = g_string_new ("DEFINE RELATION r { ");

  for (guint a = 0; a < N_ATTRIBUTES; a++)
    g_string_append_printf (sql, "%s%c %s KEY", a > 0 ? ", " : "", 'a' + a,
                            types[pick (self, G_N_ELEMENTS (types))]);
  g_string_append (sql, " }");
  self->relation = kvsql_relation_new (&parse (self, sql->str)->define_relation, NULL);
  g_assert_nonnull (self->relation);
}

/* ---- printed tuples */

/* Reads "(a = 1, b = 'x')" at @at into @tuple, and returns the position after it. */
static const gchar *
read_tuple (Trial *self, const gchar *at, KvsqlValue *tuple)
{
  g_assert_true (*at++ == '(');
  while (*at != ')')
    {
      guint a = (guint)(*at - 'a');
      g_autofree gchar *sql = NULL;
      g_autoptr (GError) error = NULL;
      const KvsqlAstExpr *expr;
      gsize size = 0;
      gboolean is_quoted = FALSE;

      g_assert_cmpuint (a, <, N_ATTRIBUTES);
      g_assert_true (g_str_has_prefix (at + 1, " = "));
      for (at += 4; is_quoted || (at[size] != ',' && at[size] != ')'); size++)
        is_quoted ^= at[size] == '\'';
      sql = g_strdup_printf ("INSERT INTO r (a) VALUES (%.*s)", (gint)size, at);
      expr = parse (self, sql)->insert.rows[0][0];
      if (expr->kind == KVSQL_AST_UNARY)
        g_assert_true (kvsql_value_parse (self->relation->attributes[a].type,
                                          kvsql_slice (at, size), self->arena, &tuple[a], NULL));
      else if (!kvsql_value_convert (&expr->value, self->relation->attributes[a].type, self->arena,
                                     &tuple[a], &error))
        g_error ("%.*s: %s", (gint)size, at, error->message);
      at += size;
      if (g_str_has_prefix (at, ", "))
        at += 2;
    }
  return at + 1;
}

/* Sets the attributes that are not printed. */
static void
fill (Trial *self, KvsqlValue *tuple)
{
  static const gchar *const texts[] = { "0", "true", "2000-01-01", "x''" };

  for (guint a = 0; a < N_ATTRIBUTES; a++)
    {
      KvsqlType type = self->relation->attributes[a].type;
      tuple[a] = (KvsqlValue){ .type = type };
      for (guint i = 0; i < G_N_ELEMENTS (texts) && type != KVSQL_TYPE_STRING; i++)
        if (kvsql_value_parse (type, kvsql_slice_from_text (texts[i]), self->arena, &tuple[a],
                               NULL))
          break;
    }
}

static void
restrict_values (KvsqlSequence *sequence)
{
  for (guint i = 0; i < sequence->n_elements; i++)
    {
      KvsqlElement *element = sequence->elements[i];
      if (element->is_delimited && element->attribute >= 0 && !element->is_derived)
        element->is_restricted = TRUE;
      else if (element->inner != NULL && !element->is_derived)
        restrict_values (element->inner);
    }
}

static gchar *
encoded (Trial *self, const KvsqlCellLayout *cell, KvsqlField field, const KvsqlValue *tuple)
{
  KvsqlEncoder encoder = { .relation = self->relation, .schema = "s", .tuple = tuple };
  KvsqlBuffer buffer = { 0 };
  g_autoptr (GError) error = NULL;
  gchar *readable;

  if (!kvsql_sequence_encode (cell->fields[field], &encoder, &buffer, &error))
    g_error ("%s", error->message);
  readable = kvsql_readable (kvsql_buffer_slice (&buffer));
  kvsql_buffer_clear (&buffer);
  return readable;
}

/* Compiles the layout, with values that may not contain their separators where the check may
 * require that. */
static const KvsqlCellLayout *
compile (Trial *self, const KvsqlDefineSchema *definition)
{
  KvsqlCellLayout *cells;
  guint n_cells;

  g_assert_true (kvsql_cell_layouts_compile (definition, self->relation, KVSQL_SLICE_EMPTY,
                                             KVSQL_SLICE_EMPTY, self->arena, &cells, &n_cells,
                                             NULL));
  restrict_values (cells[0].fields[KVSQL_FIELD_ROW]);
  return &cells[0];
}

static void
check_printed (Trial *self, const KvsqlDefineSchema *definition, const gchar *detail)
{
  KvsqlValue first[N_ATTRIBUTES], second[N_ATTRIBUTES];
  const gchar *at = detail + strlen ("Two tuples would collide: ");
  g_autofree gchar *one = NULL, *other = NULL, *shown = NULL;
  const KvsqlCellLayout *cell;
  gboolean differ = FALSE;

  fill (self, first);
  fill (self, second);
  at = read_tuple (self, at, first);
  g_assert_true (g_str_has_prefix (at, " and "));
  at = read_tuple (self, at + 5, second);
  g_assert_true (g_str_has_prefix (at, " both give \""));
  shown = g_strndup (at + 12, strlen (at + 12) - 2);
  for (guint a = 0; a < N_ATTRIBUTES; a++)
    differ = differ || !kvsql_value_equal (&first[a], &second[a]);
  g_assert_true (differ);
  cell = compile (self, definition);
  one = encoded (self, cell, KVSQL_FIELD_ROW, first);
  other = encoded (self, cell, KVSQL_FIELD_ROW, second);
  g_assert_cmpstr (one, ==, other);
  g_assert_cmpstr (one, ==, shown);
}

/* ---- collisions that were not found */

static void
random_tuple (Trial *self, KvsqlValue *tuple)
{
  static const gchar *const texts[]
      = { "0", "1", "-1", "10", "11", "97", "true", "false", "2000-01-01", "1970-01-02", "0.5" };
  static const gchar *const snippets[] = { "a", "b", "-", "ab", "|", "0", "1" };

  for (guint a = 0; a < N_ATTRIBUTES; a++)
    {
      KvsqlType type = self->relation->attributes[a].type;
      g_autoptr (GString) text = g_string_new (NULL);

      tuple[a] = (KvsqlValue){ .type = type };
      if (type == KVSQL_TYPE_STRING || type == KVSQL_TYPE_BYTES)
        {
          for (guint n = pick (self, 3); n > 0; n--)
            g_string_append (text, snippets[pick (self, G_N_ELEMENTS (snippets))]);
          tuple[a].bytes = kvsql_slice_dup (self->arena, kvsql_slice (text->str, text->len));
          continue;
        }
      while (!kvsql_value_parse (type,
                                 kvsql_slice_from_text (texts[pick (self, G_N_ELEMENTS (texts))]),
                                 self->arena, &tuple[a], NULL))
        ;
    }
}

/* Whether some of many random tuples collide: their bytes are the keys of a hash table. */
static gboolean
collides (Trial *self, const KvsqlDefineSchema *definition)
{
  g_autoptr (GHashTable) seen = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  KvsqlAttributeSet attributes = { 0 };
  const KvsqlCellLayout *cell;

  cell = compile (self, definition);
  kvsql_sequence_collect_attributes (cell->fields[KVSQL_FIELD_ROW], &attributes);
  for (guint i = 0; i < N_RANDOM; i++)
    {
      KvsqlValue *tuple = kvsql_arena_array (self->arena, KvsqlValue, N_ATTRIBUTES);
      KvsqlEncoder encoder = { .relation = self->relation, .schema = "s", .tuple = tuple };
      KvsqlBuffer buffer = { 0 };
      const KvsqlValue *other;
      gchar *key;

      random_tuple (self, tuple);
      if (!kvsql_sequence_encode (cell->fields[KVSQL_FIELD_ROW], &encoder, &buffer, NULL))
        {
          kvsql_buffer_clear (&buffer);
          continue;
        }
      key = kvsql_hex (kvsql_buffer_slice (&buffer));
      kvsql_buffer_clear (&buffer);
      other = g_hash_table_lookup (seen, key);
      for (guint a = 0; other != NULL && a < N_ATTRIBUTES; a++)
        if (kvsql_attribute_set_has (&attributes, a) && !kvsql_value_equal (&other[a], &tuple[a]))
          {
            g_free (key);
            return TRUE;
          }
      g_hash_table_replace (seen, key, tuple);
    }
  return FALSE;
}

static void
try_layout (Trial *self)
{
  g_autoptr (GString) sql = g_string_new ("DEFINE PRIMARY SCHEMA s FOR r { TABLE 't', ROW ");
  g_autoptr (GError) error = NULL;
  g_autoptr (KvsqlSchema) schema = NULL;
  const KvsqlDefineSchema *definition;
  const gchar *detail;

  append_row (self, sql);
  g_string_append (sql, ", FAMILY 'f', VALUE '' }");
  definition = &parse (self, sql->str)->define_schema;
  schema = kvsql_schema_new (definition, self->relation, &error);
  if (schema != NULL || !g_str_has_prefix (error->message, "ROW of schema \"s\" cannot be split"))
    return;
  self->n_rejected++;
  detail = kvsql_error_get_detail (error);
  if (g_str_has_prefix (detail, "Two tuples would collide: "))
    {
      self->n_found++;
      if (strstr (detail, "\\x") != NULL && strstr (detail, "\\x") < strstr (detail, " both give"))
        self->n_escaped++; /* a control character cannot be in a literal */
      else
        check_printed (self, definition, detail);
      return;
    }
  g_assert_cmpstr (detail, ==,
                   "It could not be proved that no two tuples collide. A search found no two that "
                   "do.");
  if (!collides (self, definition))
    return;
  self->n_missed++;
  g_test_message ("missed: %s, of %s, %s, %s", sql->str,
                  kvsql_type_get_name (self->relation->attributes[0].type),
                  kvsql_type_get_name (self->relation->attributes[1].type),
                  kvsql_type_get_name (self->relation->attributes[2].type));
}

static void
test_printed (void)
{
  const gchar *given = g_getenv ("KVSQL_TEST_SEED");
  guint32 seed = given != NULL ? (guint32)g_ascii_strtoull (given, NULL, 10) : g_random_int ();
  Trial trial = { .random = g_rand_new_with_seed (seed) };

  g_test_message ("KVSQL_TEST_SEED=%u", seed);
  for (guint i = 0; i < N_RELATIONS; i++)
    {
      trial.arena = kvsql_arena_new ();
      make_relation (&trial);
      for (guint j = 0; j < 4; j++)
        try_layout (&trial);
      kvsql_relation_unref (trial.relation);
      kvsql_arena_free (trial.arena);
    }
  g_rand_free (trial.random);
  g_test_message ("%u rejected, %u with two tuples, %u without where there are some",
                  trial.n_rejected, trial.n_found, trial.n_missed);
  g_assert_cmpuint (trial.n_found, >, 40);
  g_assert_cmpuint (trial.n_escaped * 10, <, trial.n_found);
  g_assert_cmpuint (trial.n_missed * 20, <, trial.n_found);
}

/* ---- two schemas */

/* Reads the row out of 'table "t", row "…", column "f:"'. */
static gchar *
row_of (const gchar *address)
{
  const gchar *from = strstr (address, ", row \"") + strlen (", row \"");

  return g_strndup (from, (gsize)(strstr (from, "\", column") - from));
}

static KvsqlSchema *
random_schema (Trial *self, const gchar *name)
{
  g_autoptr (GString) sql = g_string_new (NULL);

  g_string_printf (sql, "DEFINE PRIMARY SCHEMA %s FOR r { TABLE 't', ROW ", name);
  append_row (self, sql);
  g_string_append (sql, ", FAMILY 'f', VALUE '' }");
  return kvsql_schema_new (&parse (self, sql->str)->define_schema, self->relation, NULL);
}

/* Whether some tuple is written to this row: decodes the row as the daemon does, and encodes it
 * again. */
static gboolean
writes_row (Trial *self, const KvsqlSchema *schema, const gchar *row)
{
  const KvsqlCellLayout *cell = &schema->cells[0];
  KvsqlType column_types[N_ATTRIBUTES];
  g_autoptr (KvsqlBatch) batch = NULL;
  KvsqlSlot slots[KVSQL_MAX_SLOTS] = { 0 };
  KvsqlDecoder decoder = { .arena = self->arena, .slots = slots };
  KvsqlValue tuple[N_ATTRIBUTES];
  g_autofree gchar *again = NULL;
  KvsqlBuffer bytes = { 0 };
  gboolean is_read;

  for (guint a = 0; a < N_ATTRIBUTES; a++)
    column_types[a] = self->relation->attributes[a].type;
  decoder.batch = batch = kvsql_batch_new (column_types, N_ATTRIBUTES, 1);
  for (const gchar *c = row; *c != '\0';)
    if (g_str_has_prefix (c, "\\x"))
      {
        kvsql_buffer_append_byte (
            &bytes, (guint8)(g_ascii_xdigit_value (c[2]) << 4 | g_ascii_xdigit_value (c[3])));
        c += 4;
      }
    else
      {
        c += *c == '\\' ? 1 : 0;
        kvsql_buffer_append_byte (&bytes, (guint8)*c++);
      }
  is_read
      = kvsql_sequence_decode (cell->fields[KVSQL_FIELD_ROW], kvsql_buffer_slice (&bytes), &decoder)
        && (cell->derived == NULL
            || kvsql_derived_finish (cell->derived, self->relation, &decoder));
  for (guint a = 0; is_read && a < N_ATTRIBUTES; a++)
    tuple[a] = kvsql_vector_get (&batch->columns[a], 0);
  if (is_read)
    {
      again = encoded (self, cell, KVSQL_FIELD_ROW, tuple);
      g_assert_cmpstr (again, ==, row);
    }
  kvsql_buffer_clear (&bytes);
  return is_read;
}

static void
test_shared (void)
{
  const gchar *given = g_getenv ("KVSQL_TEST_SEED");
  guint32 seed = given != NULL ? (guint32)g_ascii_strtoull (given, NULL, 10) : g_random_int ();
  Trial trial = { .random = g_rand_new_with_seed (seed) };
  guint n_pairs = 0;

  g_test_message ("KVSQL_TEST_SEED=%u", seed);
  for (guint i = 0; i < 6 * N_RELATIONS; i++)
    {
      g_autoptr (KvsqlSchema) a = NULL, b = NULL;
      g_autofree gchar *address = NULL;
      KvsqlSharing sharing;

      trial.arena = kvsql_arena_new ();
      make_relation (&trial);
      a = random_schema (&trial, "s");
      b = random_schema (&trial, "t");
      if (a != NULL && b != NULL && kvsql_schema_find_shared (a, b, &sharing, &address, NULL))
        {
          n_pairs++;
          trial.n_rejected += sharing != KVSQL_SHARING_NONE;
          g_assert_cmpint (sharing == KVSQL_SHARING_FOUND, ==, address != NULL);
          if (address != NULL)
            {
              g_autofree gchar *row = row_of (address);
              trial.n_found++;
              g_assert_true (writes_row (&trial, a, row));
              g_assert_true (writes_row (&trial, b, row));
            }
        }
      kvsql_relation_unref (trial.relation);
      kvsql_arena_free (trial.arena);
    }
  g_rand_free (trial.random);
  g_test_message ("%u pairs, %u that may share cells, %u with such a cell", n_pairs,
                  trial.n_rejected, trial.n_found);
  g_assert_cmpuint (trial.n_found, >, 1);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/layout/witness/printed-tuples-collide", test_printed);
  g_test_add_func ("/layout/witness/shared-cells", test_shared);
  return g_test_run ();
}
