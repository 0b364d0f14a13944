/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * proof-schema.c: asks the automata about a schema's fields and cells.
 *
 * A field is tried without any restriction first. If its bytes could be split in two ways, every
 * value that a separator ends is forbidden to contain it; then one restriction after the other is
 * taken back while the field stays unambiguous. What is left is what writes have to check.
 */
#include "config.h"

#include "core/catalog/proof-schema.h"
#include "core/layout/proof.h"
#include "core/sql/printer.h"

/* Elements whose value may be forbidden to contain their separator. */
static void
collect_restrictable (const KvsqlSequence *sequence, GPtrArray *out)
{
  for (guint i = 0; i < sequence->n_elements; i++)
    {
      KvsqlElement *element = sequence->elements[i];
      gboolean is_leaf = element->inner == NULL
                         || (element->inner->n_elements == 1
                             && (element->inner->elements[0]->inner == NULL
                                 || element->inner->elements[0]->is_open));

      if (element->is_derived)
        continue;
      if (element->is_delimited && element->attribute >= 0 && is_leaf)
        g_ptr_array_add (out, element);
      else if (element->inner != NULL)
        collect_restrictable (element->inner, out);
    }
}

static gboolean
find_ambiguity (const KvsqlSequence *sequence, KvsqlArena *arena, KvsqlProofAmbiguity **out,
                GError **error)
{
  KvsqlNfa *nfa = kvsql_nfa_new (arena);

  return kvsql_proof_ambiguity (arena, nfa, kvsql_sequence_automaton (sequence, nfa), out, error);
}

static gchar *
describe_reading (const KvsqlRelation *relation, const KvsqlProofAmbiguity *found,
                  const KvsqlProofValue *values)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < found->n_attributes; i++)
    {
      g_string_append_printf (
          text, "%s%s = ", i > 0 ? ", " : "",
          relation->attributes[found->attributes[i] % KVSQL_MAX_ATTRIBUTES].name);
      if (!values[i].is_present)
        {
          g_string_append (text, "nothing");
          continue;
        }
      g_string_append_c (text, '"');
      kvsql_append_readable (text, values[i].bytes);
      g_string_append_c (text, '"');
    }
  return g_string_free (text, FALSE);
}

/* The element whose end cannot be told, for the error's position. */
static KvsqlSpan
open_element_span (const KvsqlSequence *sequence, KvsqlSpan otherwise)
{
  for (guint i = 0; i + 1 < sequence->n_elements; i++)
    if (sequence->elements[i]->is_open && !sequence->elements[i]->is_delimited)
      return sequence->elements[i]->span;
  return otherwise;
}

static gboolean
refuse (const KvsqlSchema *self, const KvsqlDefineSchema *definition, const KvsqlCellLayout *cell,
        KvsqlField field, const KvsqlProofAmbiguity *found, GError **error)
{
  const KvsqlSequence *sequence = cell->fields[field];
  g_autofree gchar *first = describe_reading (cell->relation, found, found->first);
  g_autofree gchar *second = describe_reading (cell->relation, found, found->second);
  g_autofree gchar *bytes = kvsql_readable (found->example.bytes);

  kvsql_error_set (error, KVSQL_ERROR_DEFINITION,
                   open_element_span (sequence, definition->fields[field].span),
                   "%s of schema \"%s\" cannot be split into its parts again",
                   kvsql_field_get_name (field), self->name);
  if (found->is_certain)
    kvsql_error_detail (error, "Two tuples would collide: (%s) and (%s) both give \"%s\".", first,
                        second, bytes);
  else
    kvsql_error_detail (error,
                        "It could not be excluded that two tuples collide, such as (%s) and (%s).",
                        first, second);
  return kvsql_error_hint (
      error,
      "Say where a value ends: suffix('-'){…}, size{…}, fixed(n){…}, or a constant after it.");
}

static gboolean
prove_field (KvsqlSchema *self, const KvsqlDefineSchema *definition, const KvsqlCellLayout *cell,
             KvsqlField field, GError **error)
{
  const KvsqlSequence *sequence = cell->fields[field];
  g_autoptr (KvsqlArena) arena = kvsql_arena_new ();
  g_autoptr (GPtrArray) restrictable = g_ptr_array_new ();
  KvsqlProofAmbiguity *found;

  if (!find_ambiguity (sequence, arena, &found, error))
    return kvsql_error_at (error, definition->fields[field].span);
  if (found == NULL)
    return TRUE;
  collect_restrictable (sequence, restrictable);
  for (guint i = 0; i < restrictable->len; i++)
    ((KvsqlElement *)restrictable->pdata[i])->is_restricted = TRUE;
  if (!find_ambiguity (sequence, arena, &found, error))
    return kvsql_error_at (error, definition->fields[field].span);
  if (found != NULL)
    return refuse (self, definition, cell, field, found, error);
  for (guint i = 0; i < restrictable->len; i++)
    {
      KvsqlElement *element = restrictable->pdata[i];
      kvsql_arena_reset (arena);
      element->is_restricted = FALSE;
      if (!find_ambiguity (sequence, arena, &found, error))
        return kvsql_error_at (error, definition->fields[field].span);
      element->is_restricted = found != NULL;
      self->n_restricted += found != NULL;
    }
  return TRUE;
}

/* ---- cells that could be the same */

static gboolean
differ_in_constants (const KvsqlCellLayout *a, const KvsqlCellLayout *b, KvsqlArena *arena)
{
  for (guint field = 0; field < KVSQL_FIELD_VALUE; field++)
    {
      KvsqlSlice x, y;
      if (kvsql_sequence_get_constant (a->fields[field], arena, &x)
          && kvsql_sequence_get_constant (b->fields[field], arena, &y) && !kvsql_slice_equal (x, y))
        return TRUE;
    }
  return FALSE;
}

static KvsqlNfaFragment
address_automaton (const KvsqlCellLayout *cell, KvsqlNfa *nfa)
{
  KvsqlNfaFragment result = kvsql_sequence_automaton (cell->fields[0], nfa);

  for (guint field = 1; field < KVSQL_FIELD_VALUE; field++)
    {
      result = kvsql_nfa_sequence (nfa, result, kvsql_nfa_end_of_field (nfa));
      result
          = kvsql_nfa_sequence (nfa, result, kvsql_sequence_automaton (cell->fields[field], nfa));
    }
  return result;
}

static gboolean
find_shared_cell (const KvsqlCellLayout *a, const KvsqlCellLayout *b, KvsqlArena *arena,
                  KvsqlProofExample **out, GError **error)
{
  KvsqlNfa *nfa;

  *out = NULL;
  if (differ_in_constants (a, b, arena))
    return TRUE;
  nfa = kvsql_nfa_new (arena);
  return kvsql_proof_intersection (arena, nfa, address_automaton (a, nfa),
                                   address_automaton (b, nfa), out, NULL, error);
}

static gchar *
describe_address (const KvsqlProofExample *example)
{
  g_autofree gchar *table = kvsql_readable (example->fields[0]);
  g_autofree gchar *row = kvsql_readable (example->fields[1]);
  g_autofree gchar *family = kvsql_readable (example->fields[2]);
  g_autofree gchar *qualifier = kvsql_readable (example->fields[3]);

  return g_strdup_printf ("table \"%s\", row \"%s\", column \"%s:%s\"", table, row, family,
                          qualifier);
}

static gboolean
prove_cells_apart (KvsqlSchema *self, const KvsqlDefineSchema *definition, GError **error)
{
  g_autoptr (KvsqlArena) arena = kvsql_arena_new ();

  for (guint i = 0; i < self->n_cells; i++)
    for (guint j = i + 1; j < self->n_cells; j++)
      {
        KvsqlProofExample *example;
        g_autofree gchar *address = NULL;

        kvsql_arena_reset (arena);
        if (!find_shared_cell (&self->cells[i], &self->cells[j], arena, &example, error))
          return kvsql_error_at (error, definition->name.span);
        if (example == NULL)
          continue;
        address = describe_address (example);
        kvsql_error_set (
            error, KVSQL_ERROR_DEFINITION, definition->fields[KVSQL_FIELD_QUALIFIER].span,
            "two cells of a tuple could not be told apart in schema \"%s\"", self->name);
        kvsql_error_detail (error, "Different attributes could both be stored at %s.", address);
        if (self->map_attribute >= 0)
          kvsql_error_hint (error, "Let the QUALIFIER of every entry begin with a constant, as in "
                                   "prefix('m:'){map_key(m)}.");
        return FALSE;
      }
  return TRUE;
}

gboolean
kvsql_schema_prove (KvsqlSchema *self, const KvsqlDefineSchema *definition, GError **error)
{
  for (guint c = 0; c < self->n_cells; c++)
    for (guint field = 0; field < KVSQL_N_FIELDS; field++)
      if (!prove_field (self, definition, &self->cells[c], field, error))
        return FALSE;
  return prove_cells_apart (self, definition, error);
}

gboolean
kvsql_schema_find_shared (const KvsqlSchema *self, const KvsqlSchema *other, gchar **out_address,
                          GError **error)
{
  g_autoptr (KvsqlArena) arena = kvsql_arena_new ();

  *out_address = NULL;
  for (guint i = 0; i < self->n_cells; i++)
    for (guint j = 0; j < other->n_cells; j++)
      {
        KvsqlProofExample *example;

        kvsql_arena_reset (arena);
        if (!find_shared_cell (&self->cells[i], &other->cells[j], arena, &example, error))
          return FALSE;
        if (example == NULL)
          continue;
        *out_address = describe_address (example);
        return TRUE;
      }
  return TRUE;
}

gboolean
kvsql_schema_check_apart (const KvsqlSchema *self, const KvsqlSchema *other, KvsqlSpan span,
                          GError **error)
{
  g_autofree gchar *address = NULL;

  /* what is never written from here collides with nothing */
  if (self->options.role == KVSQL_ROLE_READ || other->options.role == KVSQL_ROLE_READ)
    return TRUE;
  if (!kvsql_schema_find_shared (self, other, &address, error))
    return kvsql_error_at (error, span);
  if (address == NULL)
    return TRUE;
  kvsql_error_set (error, KVSQL_ERROR_DEFINITION, span,
                   "schemas \"%s\" and \"%s\" could write the same cell", self->name, other->name);
  kvsql_error_detail (error, "Both could write %s.", address);
  return kvsql_error_hint (
      error, "Use another table, or keep them apart by a constant in ROW, FAMILY or QUALIFIER.");
}
