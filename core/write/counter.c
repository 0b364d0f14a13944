/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * counter.c: decides which cells are counters, and adds to them.
 */
#include "config.h"

#include "core/write/counter.h"

#include "core/layout/element.h"
#include "core/layout/sequence.h"
#include "core/write/each-write.h"
#include "core/write/mutations.h"

/* Whether the value of a cell is the attribute alone, as 8 bytes, big-endian. */
static gboolean
is_whole_number (const KvsqlCellLayout *cell, const KvsqlSchema *schema, guint attribute)
{
  static const gint64 probes[] = { 0, -1, G_GINT64_CONSTANT (0x0102030405060708) };
  KvsqlValue tuple[KVSQL_MAX_ATTRIBUTES] = { 0 };
  KvsqlEncoder encoder = { .relation = schema->relation, .schema = schema->name, .tuple = tuple };
  gboolean is_whole = TRUE;

  for (guint i = 0; i < G_N_ELEMENTS (probes) && is_whole; i++)
    {
      KvsqlBuffer bytes = { 0 };

      tuple[attribute] = (KvsqlValue){ .type = KVSQL_TYPE_BIGINT, .integer = probes[i] };
      is_whole = kvsql_sequence_encode (cell->fields[KVSQL_FIELD_VALUE], &encoder, &bytes, NULL)
                 && bytes.size == sizeof (gint64)
                 && (gint64)kvsql_get_be64 (bytes.data) == probes[i];
      kvsql_buffer_clear (&bytes);
    }
  return is_whole;
}

static gboolean
is_counter_cell (const KvsqlCellLayout *cell, const KvsqlSchema *schema, guint attribute)
{
  KvsqlAttributeSet of_value = { 0 }, only = { 0 }, address = { 0 };

  kvsql_attribute_set_add (&only, attribute);
  kvsql_sequence_collect_attributes (cell->fields[KVSQL_FIELD_VALUE], &of_value);
  kvsql_attribute_set_add_all (&of_value, &cell->fields[KVSQL_FIELD_VALUE]->derived_from);
  for (guint field = 0; field < KVSQL_FIELD_VALUE; field++)
    {
      kvsql_sequence_collect_attributes (cell->fields[field], &address);
      kvsql_attribute_set_add_all (&address, &cell->fields[field]->derived_from);
    }
  return kvsql_attribute_set_contains (&only, &of_value)
         && !kvsql_attribute_set_has (&address, attribute)
         && is_whole_number (cell, schema, attribute);
}

/* 1: a counter; 0: the schema does not hold the attribute; -1: in another form. */
static gint
classify_in_schema (const KvsqlSchema *schema, guint attribute)
{
  gint n_counters = 0;

  for (guint c = 0; c < schema->n_cells; c++)
    {
      const KvsqlCellLayout *cell = &schema->cells[c];
      gboolean is_there = kvsql_attribute_set_has (&cell->attributes, attribute);

      for (guint field = 0; field < KVSQL_N_FIELDS; field++)
        is_there
            = is_there || kvsql_attribute_set_has (&cell->fields[field]->derived_from, attribute);
      if (!is_there)
        continue;
      if (!is_counter_cell (cell, schema, attribute) || n_counters > 0)
        return -1;
      n_counters++;
    }
  return n_counters;
}

gboolean
kvsql_entry_has_counter (const KvsqlCatalogEntry *entry, guint attribute,
                         const KvsqlStoreCapabilities *capabilities)
{
  guint n = 0;

  if (entry->relation->attributes[attribute].type != KVSQL_TYPE_BIGINT
      || kvsql_entry_shares_cells (entry))
    return FALSE;
  for (guint s = 0; s < entry->n_schemas; s++)
    {
      gint found = classify_in_schema (entry->schemas[s], attribute);
      /* the tuple may be missing in a schema that is being filled */
      if (found < 0 || !kvsql_schema_is_filled (entry->schemas[s]))
        return FALSE;
      n += found;
    }
  return n == 1 || (n > 1 && (capabilities->flags & KVSQL_STORE_ATOMIC_BATCH) == 0);
}

/* Two tuples that differ in the number alone differ in the counter's cell. This gives its cell
 * key. */
static gboolean
add_in_schema (KvsqlStorage *storage, const KvsqlSchema *schema, const KvsqlValue *old,
               const KvsqlValue *new, gint64 amount, const KvsqlCall *call, GError **error)
{
  g_autoptr (KvsqlMutationList) list = kvsql_mutation_list_new ();
  KvsqlCall tagged = call == NULL ? (KvsqlCall){ 0 } : *call;
  gint64 sum;

  tagged.tag = schema;
  if (!kvsql_mutation_list_add_difference (list, schema, old, new, 2, error))
    return FALSE;
  for (guint i = 0; i < list->mutations->len; i++)
    {
      const KvsqlMutation *cell = &g_array_index (list->mutations, KvsqlMutation, i);
      if (!kvsql_store_increment (kvsql_storage_get_store (storage), cell->table, cell->row,
                                  cell->family, cell->qualifier, amount, &tagged, &sum, error))
        return FALSE;
    }
  return TRUE;
}

gboolean
kvsql_counter_add (KvsqlStorage *storage, const KvsqlCatalogEntry *entry, const KvsqlValue *old,
                   guint attribute, gint64 amount, const KvsqlCall *call, GError **error)
{
  KvsqlValue new[KVSQL_MAX_ATTRIBUTES];
  g_auto (KvsqlKeyLocks) locks = { 0 };

  if (amount == 0)
    return TRUE;
  for (guint a = 0; a < entry->relation->n_attributes; a++)
    new[a] = old[a];
  if (__builtin_add_overflow (old[attribute].integer, amount, &new[attribute].integer))
    return kvsql_error_set (error, KVSQL_ERROR_VALUE, KVSQL_SPAN_NONE, "bigint out of range")
           || kvsql_error_sqlstate (error, "22003");
  if (!kvsql_storage_may_write (storage, error))
    return FALSE;
  for (guint s = 0; s < entry->n_schemas; s++)
    if (!add_in_schema (storage, entry->schemas[s], old, new, amount, call, error))
      return FALSE;
  /* the store chose a timestamp of its own: the next write needs a newer one */
  kvsql_key_locks_add_tuples (&locks, entry->relation, &old, 1);
  kvsql_storage_next_timestamp (storage, &locks, TRUE, NULL);
  return TRUE;
}
