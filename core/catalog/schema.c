/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * schema.c: the life of compiled schemas, and their definitions with another state.
 */
#include "config.h"

#include "core/catalog/schema.h"

#include "core/layout/sequence.h"
#include "core/sql/options.h"
#include "core/sql/parser.h"
#include "core/sql/printer.h"

KvsqlSchema *
kvsql_schema_new_empty (KvsqlRelation *relation)
{
  KvsqlSchema *self = g_atomic_rc_box_new0 (KvsqlSchema);

  self->arena = kvsql_arena_new ();
  self->neighbours = g_ptr_array_new ();
  self->relation = kvsql_relation_ref (relation);
  return self;
}

KvsqlSchema *
kvsql_schema_share (const KvsqlSchema *self)
{
  KvsqlSchema *copy = g_atomic_rc_box_new (KvsqlSchema);

  *copy = *self;
  copy->origin = kvsql_schema_ref ((KvsqlSchema *)(self->origin != NULL ? self->origin : self));
  g_assert (copy->origin->origin == NULL); /* no chain, which would grow with each change */
  copy->neighbours = g_ptr_array_new ();
  kvsql_relation_ref (copy->relation);
  return copy;
}

void
kvsql_schema_add_neighbour (KvsqlSchema *self, KvsqlSchema *other)
{
  g_assert (self != other);
  if (self->has_constant_table && other->has_constant_table
      && !kvsql_slice_equal (self->table, other->table))
    return;
  g_ptr_array_add (self->neighbours, other);
  g_ptr_array_add (other->neighbours, self);
}

KvsqlSchema *
kvsql_schema_ref (KvsqlSchema *self)
{
  return g_atomic_rc_box_acquire (self);
}

static void
schema_clear (gpointer data)
{
  KvsqlSchema *self = data;

  g_ptr_array_unref (self->neighbours);
  kvsql_relation_unref (self->relation);
  if (self->origin != NULL)
    kvsql_schema_unref (self->origin);
  else
    kvsql_arena_free (self->arena);
}

void
kvsql_schema_unref (KvsqlSchema *self)
{
  if (self != NULL)
    g_atomic_rc_box_release_full (self, schema_clear);
}

gchar *
kvsql_schema_print_with_state (const KvsqlSchema *self, KvsqlSchemaState state)
{
  g_autoptr (KvsqlArena) arena = kvsql_arena_new ();
  KvsqlAstStatement *statement
      = kvsql_parser_parse_definition (kvsql_slice_from_text (self->text), arena, NULL);
  KvsqlOption option = kvsql_option_word ("state", kvsql_schema_state_get_name (state));
  KvsqlOptions *options;
  GString *text;

  if (statement == NULL)
    return g_strdup (self->text);
  g_assert (statement->kind == KVSQL_STATEMENT_DEFINE_SCHEMA);
  options = &statement->define_schema.options;
  text = g_string_new (NULL);
  if (state != KVSQL_STATE_READABLE)
    kvsql_options_set (options, &option, arena);
  else
    kvsql_options_remove (options, "state", arena);
  kvsql_print_statement (statement, text);
  return g_string_free (text, FALSE);
}

gboolean
kvsql_schema_may_use_table (const KvsqlSchema *self, KvsqlSlice table)
{
  g_autofree KvsqlType *types = NULL;
  g_autoptr (KvsqlArena) arena = NULL;
  g_autoptr (KvsqlBatch) scratch = NULL;
  KvsqlDecoder decoder = { 0 };
  gboolean is_possible = FALSE;

  if (self->has_constant_table)
    return kvsql_slice_equal (self->table, table);
  types = g_new0 (KvsqlType, self->n_columns);
  for (guint a = 0; a < self->n_columns; a++)
    types[a] = self->columns->attributes[a].type;
  arena = kvsql_arena_new ();
  scratch = kvsql_batch_new (types, self->n_columns, 1);
  decoder = (KvsqlDecoder){ .batch = scratch, .arena = arena };
  for (guint c = 0; c < self->n_cells && !is_possible; c++)
    is_possible = kvsql_sequence_decode (self->cells[c].fields[KVSQL_FIELD_TABLE], table, &decoder);
  return is_possible;
}
