/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * mutations.c: encodes tuples, and decodes them again where nothing else ensures the round trip.
 */
#include "config.h"

#include "core/base/collection.h"
#include "core/base/hash.h"
#include "core/catalog/catalog.h"
#include "core/layout/map-cells.h"
#include "core/layout/others-key.h"
#include "core/write/mutations.h"
#include "core/layout/element.h"
#include "core/layout/sequence.h"
#include "core/layout/encode-plan.h"
#include "core/sql/printer.h"

#define FIRST_CAPACITY 8

static guint
hash_address (gconstpointer key)
{
  const KvsqlMutation *address = key;

  return (guint)kvsql_hash (kvsql_slice_hash (address->row), address->qualifier.data,
                            address->qualifier.size);
}

static gboolean
equal_addresses (gconstpointer a, gconstpointer b)
{
  const KvsqlMutation *x = a, *y = b;

  return kvsql_slice_equal (x->row, y->row) && kvsql_slice_equal (x->qualifier, y->qualifier)
         && kvsql_slice_equal (x->family, y->family) && kvsql_slice_equal (x->table, y->table);
}

KvsqlMutationList *
kvsql_mutation_list_new (void)
{
  KvsqlMutationList *self = g_new0 (KvsqlMutationList, 1);

  self->arena = kvsql_arena_new ();
  self->mutations = g_array_new (FALSE, FALSE, sizeof (KvsqlMutation));
  self->cells = g_hash_table_new (hash_address, equal_addresses);
  return self;
}

void
kvsql_mutation_list_free (KvsqlMutationList *self)
{
  if (self == NULL)
    return;
  g_array_unref (self->mutations);
  g_hash_table_unref (self->cells);
  kvsql_buffer_clear (&self->scratch);
  kvsql_arena_free (self->arena);
  g_free (self);
}

void
kvsql_mutation_list_reserve (KvsqlMutationList *self, guint n)
{
  guint n_mutations = self->mutations->len;

  self->capacity = MAX (self->capacity, n_mutations + n);
  /* old elements stay as they are */
  g_array_set_size (self->mutations, n_mutations + n);
  g_array_set_size (self->mutations, n_mutations);
}

static void
append (KvsqlMutationList *self, const KvsqlSchema *schema, const KvsqlMutation *mutation)
{
  guint n = self->mutations->len;

  if (n == self->capacity)
    kvsql_mutation_list_reserve (self, MAX (n, FIRST_CAPACITY));
  /* within the reserved room, this is all that g_array_append_val() does */
  self->mutations->len = n + 1;
  g_array_index (self->mutations, KvsqlMutation, n) = *mutation;
  g_array_index (self->mutations, KvsqlMutation, n).tag = schema;
  self->n_puts += mutation->kind == KVSQL_MUTATION_PUT;
}

static gboolean
encode_values (KvsqlMutationList *self, const KvsqlSequence *sequence, const KvsqlEncoder *encoder,
               KvsqlSlice *out, GError **error)
{
  if (sequence->encode_plan != NULL
      && kvsql_encode_plan_run (sequence->encode_plan, encoder->tuple, self->arena, out))
    return TRUE;
  self->is_unverified = TRUE;
  self->scratch.size = 0;
  if (!kvsql_sequence_encode (sequence, encoder, &self->scratch, error))
    return FALSE;
  *out = kvsql_slice_dup (self->arena, kvsql_buffer_slice (&self->scratch));
  return TRUE;
}

static inline gboolean
encode_field (KvsqlMutationList *self, const KvsqlCellLayout *cell, KvsqlField field,
              const KvsqlEncoder *encoder, KvsqlSlice *out, GError **error)
{
  const KvsqlSequence *sequence = cell->fields[field];

  if (!sequence->is_constant)
    return encode_values (self, sequence, encoder, out, error);
  *out = sequence->constant;
  return TRUE;
}

static gboolean
encode_address (KvsqlMutationList *self, const KvsqlCellLayout *cell, const KvsqlEncoder *encoder,
                KvsqlMutation *out, GError **error)
{
  return encode_field (self, cell, KVSQL_FIELD_TABLE, encoder, &out->table, error)
         && encode_field (self, cell, KVSQL_FIELD_ROW, encoder, &out->row, error)
         && encode_field (self, cell, KVSQL_FIELD_FAMILY, encoder, &out->family, error)
         && encode_field (self, cell, KVSQL_FIELD_QUALIFIER, encoder, &out->qualifier, error);
}

/* Reports a value that no store can hold, in terms of the layout. */
static gboolean
check_address (const KvsqlSchema *schema, const KvsqlMutation *mutation, GError **error)
{
  const KvsqlSlice fields[] = { mutation->table, mutation->row, mutation->family };

  for (guint field = 0; field < G_N_ELEMENTS (fields); field++)
    if (fields[field].size == 0)
      {
        kvsql_error_set (error, KVSQL_ERROR_VALUE, KVSQL_SPAN_NONE,
                         "%s of schema \"%s\" would be empty", kvsql_field_get_name (field),
                         schema->name);
        return kvsql_error_hint (error,
                                 "Where all of its values may be empty, %s needs a constant "
                                 "or size{…} in its layout.",
                                 kvsql_field_get_name (field));
      }
  return TRUE;
}

/* ---- round-trip check */

static gboolean
fails_round_trip (const KvsqlSchema *schema, const gchar *name, const KvsqlValue *got,
                  const gchar *field, GError **error)
{
  g_autoptr (GString) text = g_string_new (NULL);

  kvsql_value_append_literal (got, text);
  kvsql_error_set (error, KVSQL_ERROR_VALUE, KVSQL_SPAN_NONE,
                   "attribute \"%s\" would come back as %s from %s of schema \"%s\"", name,
                   text->str, field, schema->name);
  return kvsql_error_hint (
      error, "The layout cannot hold this value; use size{…} or another separator or padding.");
}

/* Maps are equal if their texts are equal: there -0 is not 0. */
static gboolean
is_same_element (const KvsqlValue *a, const KvsqlValue *b)
{
  g_autoptr (GString) x = g_string_new (NULL), y = g_string_new (NULL);

  kvsql_value_append_json (a, x);
  kvsql_value_append_json (b, y);
  return g_string_equal (x, y);
}

static gboolean
check_field (KvsqlMutationList *self, const KvsqlSchema *schema, const KvsqlCellLayout *cell,
             KvsqlField field, KvsqlSlice bytes, const KvsqlValue *tuple, KvsqlBatch *scratch,
             KvsqlSlot *slots, gboolean *out_fits, GError **error)
{
  KvsqlDecoder decoder = { .batch = scratch, .arena = self->arena, .slots = slots };
  const gchar *name = kvsql_field_get_name (field);
  const KvsqlAttributeSet *held = &cell->fields[field]->attributes;
  g_autofree gchar *shown = NULL;

  if (cell->fields[field]->is_constant)
    return TRUE;
  *out_fits = kvsql_sequence_decode (cell->fields[field], bytes, &decoder);
  if (!*out_fits)
    {
      shown = kvsql_readable (kvsql_slice (bytes.data, MIN (bytes.size, 80)));
      kvsql_error_set (error, KVSQL_ERROR_VALUE, KVSQL_SPAN_NONE,
                       "%s of schema \"%s\" could not be read back from \"%s\"", name, schema->name,
                       shown);
      return kvsql_error_hint (error, "One of the values does not fit the layout.");
    }
  for (gint a = kvsql_attribute_set_next (held, -1); a >= 0; a = kvsql_attribute_set_next (held, a))
    {
      KvsqlValue got;
      if (scratch->columns[a].type == KVSQL_TYPE_NULL)
        continue;
      got = kvsql_vector_get (&scratch->columns[a], 0);
      if (!kvsql_value_equal (&got, &tuple[a])
          || ((guint)a >= schema->relation->n_attributes && !is_same_element (&got, &tuple[a])))
        return fails_round_trip (schema, cell->relation->attributes[a].name, &got, name, error);
    }
  return TRUE;
}

/* Compares attributes that several fields hold together. */
static gboolean
check_joins (KvsqlMutationList *self, const KvsqlSchema *schema, const KvsqlCellLayout *cell,
             const KvsqlValue *tuple, KvsqlBatch *scratch, KvsqlSlot *slots, gboolean *out_fits,
             GError **error)
{
  KvsqlDecoder decoder = { .batch = scratch, .arena = self->arena, .slots = slots };

  if (cell->derived == NULL)
    return TRUE;
  *out_fits = kvsql_derived_finish (cell->derived, schema->relation, &decoder);
  if (!*out_fits)
    return kvsql_error_set (error, KVSQL_ERROR_VALUE, KVSQL_SPAN_NONE,
                            "the tuple could not be read back from schema \"%s\"", schema->name)
           || kvsql_error_hint (error, "One of the values does not fit the layout.");
  for (guint i = 0; i < cell->derived->n_composites; i++)
    {
      const KvsqlCompositeAttribute *composite = &cell->derived->composites[i];
      KvsqlValue got = kvsql_vector_get (&scratch->columns[composite->attribute], 0);
      if (!kvsql_value_equal (&got, &tuple[composite->attribute]))
        return fails_round_trip (schema, schema->relation->attributes[composite->attribute].name,
                                 &got, kvsql_field_get_name (composite->parts[0]->field), error);
    }
  return TRUE;
}

/* Decodes a put into a row in which all attributes that the put does not hold stay NULL.
 * *out_fits: whether it could be decoded. */
static gboolean
check_put (KvsqlMutationList *self, const KvsqlSchema *schema, const KvsqlCellLayout *cell,
           const KvsqlMutation *put, const KvsqlValue *tuple, gboolean *out_fits, GError **error)
{
  const KvsqlSlice fields[KVSQL_N_FIELDS]
      = { put->table, put->row, put->family, put->qualifier, put->value };
  const KvsqlRelation *relation = cell->relation;
  /* only as many as there are attributes are used: clearing all of them would take longer than
   * everything else here */
  KvsqlVector columns[KVSQL_MAX_ATTRIBUTES];
  KvsqlSlice values[KVSQL_MAX_ATTRIBUTES]; /* large enough for every class */
  KvsqlSlot slots[KVSQL_MAX_SLOTS];
  guint8 nulls[KVSQL_MAX_ATTRIBUTES];
  KvsqlBatch scratch
      = { .n_rows = 1, .capacity = 1, .n_columns = relation->n_attributes, .columns = columns };

  *out_fits = TRUE;
  for (guint a = 0; a < relation->n_attributes; a++)
    {
      if (a < schema->relation->n_attributes && !kvsql_attribute_set_has (&cell->attributes, a))
        {
          columns[a].type = KVSQL_TYPE_NULL;
          continue;
        }
      nulls[a] = 0;
      columns[a] = (KvsqlVector){ .type = relation->attributes[a].type,
                                  .nulls = &nulls[a],
                                  .data = &values[a] };
      /* attributes that no field holds must not look like a difference */
      kvsql_vector_set (&columns[a], 0, &tuple[a]);
    }
  for (guint field = 0; field < KVSQL_N_FIELDS; field++)
    if (!check_field (self, schema, cell, field, fields[field], tuple, &scratch, slots, out_fits,
                      error))
      return FALSE;
  return check_joins (self, schema, cell, tuple, &scratch, slots, out_fits, error);
}

/* ---- adding */

gboolean
kvsql_schema_may_leave_out (const KvsqlSchema *schema, const KvsqlValue *tuple)
{
  if (schema->options.role == KVSQL_ROLE_SHADOW || !kvsql_schema_is_filled (schema))
    return TRUE;
  for (guint c = 0; c < schema->n_cells; c++)
    if (kvsql_cell_is_absent (&schema->cells[c], tuple))
      return TRUE;
  return FALSE;
}

/* If the cell key holds an attribute that is NULL in the tuple, there is no such cell. */
static gboolean
has_address (const KvsqlCellLayout *cell, const KvsqlValue *tuple)
{
  if (!kvsql_cell_is_absent (cell, tuple))
    return TRUE;
  for (guint field = 0; field < KVSQL_FIELD_VALUE; field++)
    if (kvsql_attribute_set_intersects (&cell->fields[field]->attributes, &cell->optional))
      return FALSE;
  return TRUE;
}

/* The primary is the relation: if it is read-only, the relation is read-only. */
static gboolean
check_is_written (const KvsqlSchema *schema, GError **error)
{
  if (!schema->is_primary)
    return TRUE;
  kvsql_error_set (error, KVSQL_ERROR_INVALID, KVSQL_SPAN_NONE,
                   "relation \"%s\" is only read: its primary schema \"%s\" has role = read",
                   schema->relation->name, schema->name);
  return kvsql_error_hint (error, "Others write these tables. Without the role they can be written "
                                  "from here too.");
}

void
kvsql_mutation_list_remove (KvsqlMutationList *self, guint first, guint n)
{
  for (guint i = first; i < first + n; i++)
    if (g_array_index (self->mutations, KvsqlMutation, i).kind == KVSQL_MUTATION_PUT)
      self->n_puts--;
  g_array_remove_range (self->mutations, first, n);
  g_hash_table_remove_all (self->cells);
  self->n_in_cells = 0;
}

/* ---- cells of the list */

static void
index_cells (KvsqlMutationList *self)
{
  for (; self->n_in_cells < self->mutations->len; self->n_in_cells++)
    {
      const KvsqlMutation *mutation
          = &g_array_index (self->mutations, KvsqlMutation, self->n_in_cells);
      KvsqlMutation *address;

      if (mutation->kind != KVSQL_MUTATION_PUT && g_hash_table_contains (self->cells, mutation))
        continue;
      address = kvsql_arena_copy (self->arena, mutation, sizeof *mutation);
      g_hash_table_replace (self->cells, address, GUINT_TO_POINTER (self->n_in_cells));
    }
}

/* The mutation of the list for the cell; a put, if there is one. */
static const KvsqlMutation *
find_mutation (KvsqlMutationList *self, const KvsqlMutation *address)
{
  gpointer at;

  index_cells (self);
  if (!g_hash_table_lookup_extended (self->cells, address, NULL, &at))
    return NULL;
  return &g_array_index (self->mutations, KvsqlMutation, GPOINTER_TO_UINT (at));
}

static gboolean
has_mutation (KvsqlMutationList *self, const KvsqlMutation *address)
{
  index_cells (self);
  return g_hash_table_contains (self->cells, address);
}

const KvsqlMutation *
kvsql_mutation_list_find_put (KvsqlMutationList *self, const KvsqlMutation *address)
{
  const KvsqlMutation *found = find_mutation (self, address);

  return found != NULL && found->kind == KVSQL_MUTATION_PUT ? found : NULL;
}

/* ---- the entries of a map */

/* Tuples of a schema that has a cell for each entry of a map: one tuple for each entry. */
typedef struct
{
  KvsqlValue tuple[KVSQL_MAX_ATTRIBUTES];
  KvsqlMapEntry *entries;
  guint n_entries;
} Entries;

static void
split_entries (KvsqlMutationList *self, const KvsqlSchema *schema, const KvsqlCellLayout *cell,
               const KvsqlValue *tuple, Entries *out)
{
  guint n = schema->relation->n_attributes;
  const KvsqlValue *map = &tuple[cell->map_attribute];

  memcpy (out->tuple, tuple, n * sizeof *tuple);
  for (guint a = n; a < cell->relation->n_attributes; a++)
    out->tuple[a] = KVSQL_VALUE_NULL;
  out->n_entries = 0;
  if (!kvsql_value_is_null (map))
    kvsql_map_split (map->type, map->bytes, self->arena, &out->entries, &out->n_entries);
}

static gboolean
fails_others (const KvsqlSchema *schema, const KvsqlCellLayout *cell, KvsqlSlice key,
              const gchar *why, const gchar *hint, GError **error)
{
  g_autofree gchar *shown = kvsql_readable (key);

  kvsql_error_set (error, KVSQL_ERROR_VALUE, KVSQL_SPAN_NONE,
                   "attribute \"%s\" has the key \"%s\", which %s schema \"%s\"",
                   schema->relation->attributes[cell->map_attribute].name, shown, why,
                   schema->name);
  return kvsql_error_hint (error, "%s", hint);
}

/* The key of an entry of OTHERS is a column that no other cell of the schema has. */
static gboolean
set_others (KvsqlMutationList *self, const KvsqlSchema *schema, const KvsqlCellLayout *cell,
            KvsqlSlice key, KvsqlValue *columns, GError **error)
{
  KvsqlBatch *scratch;
  KvsqlDecoder decoder = { .arena = self->arena };
  KvsqlType types[KVSQL_MAX_ATTRIBUTES];
  KvsqlSlice family, qualifier;
  gboolean is_named;

  if (!kvsql_others_key_parse (key, self->arena, &family, &qualifier))
    return fails_others (schema, cell, key, "is not a column of",
                         "Write family:qualifier, as EXPLAIN shows columns: other bytes than "
                         "printable ASCII as \\xHH, and a backslash twice.",
                         error);
  columns[KVSQL_MAP_FAMILY] = (KvsqlValue){ .type = KVSQL_TYPE_BYTES, .bytes = family };
  columns[KVSQL_MAP_KEY] = (KvsqlValue){ .type = KVSQL_TYPE_BYTES, .bytes = qualifier };
  for (guint a = 0; a < schema->n_columns; a++)
    types[a] = schema->columns->attributes[a].type;
  decoder.batch = scratch = kvsql_batch_new (types, schema->n_columns, 1);
  is_named
      = kvsql_cell_layouts_have_name (schema->cells, schema->n_cells, family, qualifier, &decoder);
  kvsql_batch_free (scratch);
  return !is_named
         || fails_others (schema, cell, key, "is a cell of its own in",
                          "Set the attribute of that cell.", error);
}

static gboolean
set_entry (KvsqlMutationList *self, const KvsqlSchema *schema, const KvsqlCellLayout *cell,
           Entries *entries, guint index, GError **error)
{
  KvsqlValue *columns = &entries->tuple[cell->first_column];
  KvsqlSlice key = entries->entries[index].key;

  columns[KVSQL_MAP_VALUE] = entries->entries[index].value;
  if (cell->is_others)
    return set_others (self, schema, cell, key, columns, error);
  columns[KVSQL_MAP_KEY] = (KvsqlValue){ .type = KVSQL_TYPE_STRING, .bytes = key };
  return TRUE;
}

/* A map without entries would have no cells, and be read as NULL. A NULL value has no form in a
 * cell. */
static gboolean
check_entries (const KvsqlSchema *schema, const KvsqlCellLayout *cell, const Entries *entries,
               GError **error)
{
  const gchar *name = schema->relation->attributes[cell->map_attribute].name;

  if (entries->n_entries == 0 && !kvsql_value_is_null (&entries->tuple[cell->map_attribute]))
    {
      kvsql_error_set (error, KVSQL_ERROR_VALUE, KVSQL_SPAN_NONE,
                       "attribute \"%s\" is an empty map, which has no cells in schema \"%s\"",
                       name, schema->name);
      return kvsql_error_hint (error, "It would come back as NULL: write NULL, or hold the map as "
                                      "json{…}.");
    }
  for (guint i = 0; i < entries->n_entries; i++)
    if (kvsql_value_is_null (&entries->entries[i].value))
      {
        g_autofree gchar *key = kvsql_readable (entries->entries[i].key);
        kvsql_error_set (error, KVSQL_ERROR_VALUE, KVSQL_SPAN_NONE,
                         "attribute \"%s\" has NULL under \"%s\", which has no cell in schema "
                         "\"%s\"",
                         name, key, schema->name);
        return kvsql_error_hint (error, "Leave the entry out, or hold the map as json{…}.");
      }
  return TRUE;
}

/* ---- puts and deletes */

static gboolean add_puts (KvsqlMutationList *self, const KvsqlSchema *schema,
                          const KvsqlValue *tuple, gint64 timestamp, GError **error);

gboolean
kvsql_mutation_list_add_puts (KvsqlMutationList *self, const KvsqlSchema *schema,
                              const KvsqlValue *tuple, gint64 timestamp, GError **error)
{
  guint n = self->mutations->len;

  if (schema->options.role == KVSQL_ROLE_READ)
    return check_is_written (schema, error);
  if (schema->options.state == KVSQL_STATE_DELETING && !self->is_stored)
    return kvsql_mutation_list_add_deletes (self, schema, tuple, timestamp - 1, error);
  if (schema->options.role != KVSQL_ROLE_SHADOW)
    return add_puts (self, schema, tuple, timestamp, error);
  if (!add_puts (self, schema, tuple, timestamp, NULL))
    {
      kvsql_mutation_list_remove (self, n, self->mutations->len - n);
      /* the old tuple must not stay there either, as far as its cell keys can be encoded */
      return self->is_stored
             || kvsql_mutation_list_add_deletes (self, schema, tuple, timestamp - 1, error);
    }
  return TRUE;
}

/* One cell. */
static gboolean
add_put (KvsqlMutationList *self, const KvsqlSchema *schema, const KvsqlCellLayout *cell,
         const KvsqlValue *tuple, gint64 timestamp, GError **error)
{
  KvsqlEncoder encoder = { .relation = cell->relation, .schema = schema->name, .tuple = tuple };
  KvsqlMutation mutation = { .kind = KVSQL_MUTATION_PUT, .timestamp = timestamp };
  gboolean fits;

  /* an attribute in several fields is known only when all of them are decoded */
  self->is_unverified = cell->derived != NULL || cell->map_attribute >= 0;
  if (!encode_address (self, cell, &encoder, &mutation, error)
      || !check_address (schema, &mutation, error)
      || !encode_field (self, cell, KVSQL_FIELD_VALUE, &encoder, &mutation.value, error)
      || (self->is_unverified && !self->is_stored
          && !check_put (self, schema, cell, &mutation, tuple, &fits, error)))
    return FALSE;
  append (self, schema, &mutation);
  return TRUE;
}

static gboolean
add_entries (KvsqlMutationList *self, const KvsqlSchema *schema, const KvsqlCellLayout *cell,
             const KvsqlValue *tuple, gint64 timestamp, GError **error)
{
  Entries entries;

  split_entries (self, schema, cell, tuple, &entries);
  if (!check_entries (schema, cell, &entries, error))
    return FALSE;
  for (guint i = 0; i < entries.n_entries; i++)
    {
      if (!set_entry (self, schema, cell, &entries, i, error)
          || !add_put (self, schema, cell, entries.tuple, timestamp, error))
        return FALSE;
    }
  return TRUE;
}

/* Deletes a cell that the tuple leaves out. */
static gboolean
add_absent (KvsqlMutationList *self, const KvsqlSchema *schema, const KvsqlCellLayout *cell,
            const KvsqlValue *tuple, gint64 timestamp, GError **error)
{
  KvsqlEncoder encoder = { .relation = cell->relation, .schema = schema->name, .tuple = tuple };
  KvsqlMutation mutation = { .kind = KVSQL_MUTATION_DELETE, .timestamp = timestamp - 1 };

  if (!has_address (cell, tuple))
    return TRUE;
  if (!encode_address (self, cell, &encoder, &mutation, error)
      || !check_address (schema, &mutation, error))
    return FALSE;
  append (self, schema, &mutation);
  return TRUE;
}

static gboolean
add_puts (KvsqlMutationList *self, const KvsqlSchema *schema, const KvsqlValue *tuple,
          gint64 timestamp, GError **error)
{
  guint n_puts = self->n_puts;

  for (guint c = 0; c < schema->n_cells; c++)
    {
      const KvsqlCellLayout *cell = &schema->cells[c];
      gboolean ok;

      if (cell->map_attribute >= 0)
        ok = add_entries (self, schema, cell, tuple, timestamp, error);
      else if (kvsql_cell_is_absent (cell, tuple))
        ok = add_absent (self, schema, cell, tuple, timestamp, error);
      else
        ok = add_put (self, schema, cell, tuple, timestamp, error);
      if (!ok)
        return FALSE;
    }
  if (self->n_puts > n_puts)
    return TRUE;
  kvsql_error_set (error, KVSQL_ERROR_VALUE, KVSQL_SPAN_NONE,
                   "every attribute with a cell of its own is NULL, so schema \"%s\" would hold "
                   "nothing of the tuple",
                   schema->name);
  return kvsql_error_hint (
      error, schema->has_lines
                 ? "Give one of them a value, or CELLS a line for a marker, as 'f':x'00' = ''."
                 : "Give one of them a value, or define the schema WITH (marker = x'00').");
}

/* Deletes one cell, unless the list puts it. */
static gboolean
add_delete (KvsqlMutationList *self, const KvsqlSchema *schema, const KvsqlCellLayout *cell,
            const KvsqlValue *tuple, gint64 timestamp, GError **error)
{
  KvsqlEncoder encoder = { .relation = cell->relation, .schema = schema->name, .tuple = tuple };
  KvsqlMutation mutation = { .kind = KVSQL_MUTATION_DELETE, .timestamp = timestamp };

  if (!encode_address (self, cell, &encoder, &mutation, error))
    return FALSE;
  if (self->n_puts == 0 || kvsql_mutation_list_find_put (self, &mutation) == NULL)
    append (self, schema, &mutation);
  return TRUE;
}

static gboolean
delete_entries (KvsqlMutationList *self, const KvsqlSchema *schema, const KvsqlCellLayout *cell,
                const KvsqlValue *tuple, gint64 timestamp, GError **error)
{
  Entries entries;

  split_entries (self, schema, cell, tuple, &entries);
  for (guint i = 0; i < entries.n_entries; i++)
    {
      if (!set_entry (self, schema, cell, &entries, i, error)
          || !add_delete (self, schema, cell, entries.tuple, timestamp, error))
        return FALSE;
    }
  return TRUE;
}

static gboolean
add_deletes (KvsqlMutationList *self, const KvsqlSchema *schema, const KvsqlValue *tuple,
             gint64 timestamp, GError **error)
{
  for (guint c = 0; c < schema->n_cells; c++)
    {
      const KvsqlCellLayout *cell = &schema->cells[c];

      if (cell->map_attribute >= 0
              ? !delete_entries (self, schema, cell, tuple, timestamp, error)
              : has_address (cell, tuple)
                    && !add_delete (self, schema, cell, tuple, timestamp, error))
        return FALSE;
    }
  return TRUE;
}

gboolean
kvsql_mutation_list_add_deletes (KvsqlMutationList *self, const KvsqlSchema *schema,
                                 const KvsqlValue *tuple, gint64 timestamp, GError **error)
{
  guint n = self->mutations->len;

  if (schema->options.role == KVSQL_ROLE_READ)
    return check_is_written (schema, error);
  /* a schema that is not filled never held what it cannot hold */
  if (schema->options.role != KVSQL_ROLE_SHADOW && kvsql_schema_is_filled (schema))
    return add_deletes (self, schema, tuple, timestamp, error);
  if (!add_deletes (self, schema, tuple, timestamp, NULL))
    kvsql_mutation_list_remove (self, n, self->mutations->len - n);
  return TRUE;
}

/* ---- cells of other programs */

/* A cell of the store compared with what a tuple has in that place. */
typedef struct
{
  gboolean is_of_tuple; /* the tuple has a cell there, or leaves it out */
  gboolean is_left_out;
  gboolean is_readable; /* readers skip a cell that fits no layout */
  gboolean is_same;
} Comparison;

/* @layout: that of one cell */
static void
compare_cell (KvsqlMutationList *self, const KvsqlSchema *schema, const KvsqlCellLayout *layout,
              const KvsqlMutation *cell, const KvsqlValue *tuple, Comparison *out)
{
  KvsqlEncoder encoder = { .relation = layout->relation, .schema = schema->name, .tuple = tuple };
  KvsqlMutation address = { 0 };

  out->is_of_tuple
      = encode_address (self, layout, &encoder, &address, NULL) && equal_addresses (&address, cell);
  if (!out->is_of_tuple)
    return;
  out->is_left_out = kvsql_cell_is_absent (layout, tuple);
  out->is_same = check_put (self, schema, layout, cell, tuple, &out->is_readable, NULL);
}

static void
compare_entry (KvsqlMutationList *self, const KvsqlSchema *schema, const KvsqlCellLayout *layout,
               const KvsqlMutation *cell, const KvsqlValue *tuple, Comparison *out)
{
  Entries entries;

  split_entries (self, schema, layout, tuple, &entries);
  for (guint i = 0; i < entries.n_entries && !out->is_of_tuple; i++)
    if (set_entry (self, schema, layout, &entries, i, NULL))
      compare_cell (self, schema, layout, cell, entries.tuple, out);
}

/* @tuple: nullable */
static Comparison
compare_with_tuple (KvsqlMutationList *self, const KvsqlSchema *schema, const KvsqlMutation *cell,
                    const KvsqlValue *tuple)
{
  Comparison comparison = { 0 };

  for (guint c = 0; tuple != NULL && c < schema->n_cells && !comparison.is_of_tuple; c++)
    {
      const KvsqlCellLayout *layout = &schema->cells[c];

      if (layout->map_attribute >= 0)
        compare_entry (self, schema, layout, cell, tuple, &comparison);
      else if (has_address (layout, tuple))
        compare_cell (self, schema, layout, cell, tuple, &comparison);
    }
  return comparison;
}

gboolean
kvsql_mutation_list_is_expected (KvsqlMutationList *self, const KvsqlSchema *schema,
                                 const KvsqlMutation *cell, const KvsqlValue *old_tuple,
                                 const KvsqlValue *new_tuple)
{
  Comparison comparison = compare_with_tuple (self, schema, cell, old_tuple);

  if (comparison.is_of_tuple)
    return comparison.is_same || (!comparison.is_readable && comparison.is_left_out);
  comparison = compare_with_tuple (self, schema, cell, new_tuple);
  return comparison.is_of_tuple && !comparison.is_readable;
}

/* ---- differences */

gboolean
kvsql_mutation_list_add_old (KvsqlMutationList *self, const KvsqlSchema *schema,
                             const KvsqlValue *tuple, GError **error)
{
  g_autoptr (GError) unfit = NULL;

  self->is_stored = TRUE;
  if (kvsql_mutation_list_add_puts (self, schema, tuple, 1, &unfit)
      || g_error_matches (unfit, KVSQL_ERROR, KVSQL_ERROR_VALUE))
    return TRUE;
  g_propagate_error (error, g_steal_pointer (&unfit));
  return FALSE;
}

static void
copy_mutation (KvsqlMutationList *self, const KvsqlSchema *schema, const KvsqlMutation *from)
{
  KvsqlMutation copy = *from;

  copy.table = kvsql_slice_dup (self->arena, from->table);
  copy.row = kvsql_slice_dup (self->arena, from->row);
  copy.family = kvsql_slice_dup (self->arena, from->family);
  copy.qualifier = kvsql_slice_dup (self->arena, from->qualifier);
  copy.value = kvsql_slice_dup (self->arena, from->value);
  append (self, schema, &copy);
}

void
kvsql_mutation_list_touch (KvsqlMutationList *self, const KvsqlSchema *schema,
                           const KvsqlMutationList *before, gint64 timestamp)
{
  for (guint i = 0; i < self->mutations->len; i++)
    if (g_array_index (self->mutations, KvsqlMutation, i).kind == KVSQL_MUTATION_PUT)
      return;
  for (guint i = 0; i < before->mutations->len; i++)
    {
      KvsqlMutation mutation = g_array_index (before->mutations, KvsqlMutation, i);

      if (mutation.kind != KVSQL_MUTATION_PUT || has_mutation (self, &mutation))
        continue;
      mutation.timestamp = timestamp;
      copy_mutation (self, schema, &mutation);
      return;
    }
}

gboolean
kvsql_mutation_list_add_difference (KvsqlMutationList *self, const KvsqlSchema *schema,
                                    const KvsqlValue *old_tuple, const KvsqlValue *new_tuple,
                                    gint64 timestamp, GError **error)
{
  g_autoptr (KvsqlMutationList) before = kvsql_mutation_list_new ();
  g_autoptr (KvsqlMutationList) after = kvsql_mutation_list_new ();

  if (!kvsql_mutation_list_add_old (before, schema, old_tuple, error)
      || !kvsql_mutation_list_add_puts (after, schema, new_tuple, timestamp, error))
    return FALSE;
  for (guint i = 0; i < after->mutations->len; i++)
    {
      const KvsqlMutation *mutation = &g_array_index (after->mutations, KvsqlMutation, i);
      const KvsqlMutation *old = kvsql_mutation_list_find_put (before, mutation);
      gboolean is_as_it_was = mutation->kind == KVSQL_MUTATION_PUT
                                  ? old != NULL && kvsql_slice_equal (old->value, mutation->value)
                                  : old == NULL;
      /* the stored cells of a schema that is being filled are not known */
      if (!is_as_it_was || !kvsql_schema_is_filled (schema))
        copy_mutation (self, schema, mutation);
    }
  for (guint i = 0; i < before->mutations->len; i++)
    {
      KvsqlMutation *mutation = &g_array_index (before->mutations, KvsqlMutation, i);

      if (mutation->kind != KVSQL_MUTATION_PUT || has_mutation (after, mutation))
        continue;
      mutation->kind = KVSQL_MUTATION_DELETE;
      mutation->timestamp = timestamp - 1;
      mutation->value = KVSQL_SLICE_EMPTY;
      copy_mutation (self, schema, mutation);
    }
  return TRUE;
}
