/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * proof-schema.c: proofs about a schema's fields and cells, with automata.
 *
 * The proof of a field starts without restrictions. If its bytes could be split in two ways, every
 * value that ends with a separator is restricted: it may not contain the separator. Then
 * restrictions are removed, one after the other, as long as the field stays unambiguous. Writes
 * have to check the restrictions that remain.
 */
#include "config.h"

#include "core/catalog/proof-schema.h"
#include "core/layout/element.h"
#include "core/layout/sequence.h"
#include "core/layout/automata/nfa.h"
#include "core/layout/witness.h"
#include "core/sql/printer.h"

/* The elements that can be restricted: their values end with a separator. */
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

/* A literal, with control characters escaped as in all messages. */
static void
append_value (const KvsqlValue *value, GString *out)
{
  g_autoptr (GString) literal = g_string_new (NULL);
  gboolean has_control = FALSE;

  kvsql_value_append_literal (value, literal);
  for (gsize i = 0; i < literal->len; i++)
    has_control = has_control || g_ascii_iscntrl (literal->str[i]);
  if (has_control)
    kvsql_append_readable (out, kvsql_slice (literal->str, literal->len));
  else
    g_string_append_len (out, literal->str, (gssize)literal->len);
}

/* The attributes that the field depends on, as literals. */
static gchar *
describe_tuple (const KvsqlCellLayout *cell, KvsqlField field, const KvsqlValue *tuple)
{
  GString *text = g_string_new (NULL);
  KvsqlAttributeSet attributes = { 0 };

  kvsql_sequence_collect_attributes (cell->fields[field], &attributes);
  for (gint a = -1; (a = kvsql_attribute_set_next (&attributes, a)) >= 0;)
    {
      g_string_append_printf (text, "%s%s = ", text->len > 0 ? ", " : "",
                              cell->relation->attributes[a].name);
      append_value (&tuple[a], text);
    }
  return g_string_free (text, FALSE);
}

/* The element whose end is ambiguous, for the error's position. */
static KvsqlSpan
open_element_span (const KvsqlSequence *sequence, KvsqlSpan otherwise)
{
  for (guint i = 0; i + 1 < sequence->n_elements; i++)
    if (sequence->elements[i]->is_open && !sequence->elements[i]->is_delimited)
      return sequence->elements[i]->span;
  return otherwise;
}

static gboolean
fail (const KvsqlSchema *self, const KvsqlDefineSchema *definition, const KvsqlCellLayout *cell,
      KvsqlField field, const KvsqlProofAmbiguity *found, GError **error)
{
  g_autoptr (KvsqlArena) arena = kvsql_arena_new ();
  const KvsqlWitness *witness = kvsql_witness_find_ambiguity (arena, cell, field, found);

  kvsql_error_set (error, KVSQL_ERROR_DEFINITION,
                   open_element_span (cell->fields[field], definition->fields[field].span),
                   "%s of schema \"%s\" cannot be split into its parts again",
                   kvsql_field_get_name (field), self->name);
  if (witness != NULL)
    {
      g_autofree gchar *first = describe_tuple (cell, field, witness->first);
      g_autofree gchar *second = describe_tuple (cell, field, witness->second);
      g_autofree gchar *bytes = kvsql_readable (witness->fields[0]);
      kvsql_error_detail (error, "Two tuples would collide: (%s) and (%s) both give \"%s\".", first,
                          second, bytes);
    }
  else
    kvsql_error_detail (error, "It could not be proved that no two tuples collide. A search found "
                               "no two that do.");
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
    return fail (self, definition, cell, field, found, error);
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
differ_in_constants (const KvsqlCellLayout *a, const KvsqlCellLayout *b)
{
  for (guint field = 0; field < KVSQL_FIELD_VALUE; field++)
    if (a->fields[field]->is_constant && b->fields[field]->is_constant
        && !kvsql_slice_equal (a->fields[field]->constant, b->fields[field]->constant))
      return TRUE;
  return FALSE;
}

static KvsqlNfaFragment
cell_key_automaton (const KvsqlCellLayout *cell, KvsqlNfa *nfa)
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
  if (differ_in_constants (a, b))
    return TRUE;
  nfa = kvsql_nfa_new (arena);
  return kvsql_proof_intersection (arena, nfa, cell_key_automaton (a, nfa),
                                   cell_key_automaton (b, nfa), out, NULL, error);
}

static gchar *
describe_cell_key (const KvsqlWitness *witness)
{
  g_autofree gchar *table = kvsql_readable (witness->fields[0]);
  g_autofree gchar *row = kvsql_readable (witness->fields[1]);
  g_autofree gchar *family = kvsql_readable (witness->fields[2]);
  g_autofree gchar *qualifier = kvsql_readable (witness->fields[3]);

  return g_strdup_printf ("table \"%s\", row \"%s\", column \"%s:%s\"", table, row, family,
                          qualifier);
}

/* @out_cell_key: (nullable): as that of kvsql_schema_find_shared(). */
static gboolean
compare_cells (const KvsqlCellLayout *a, const KvsqlCellLayout *b, KvsqlSharing *out_sharing,
               gchar **out_cell_key, GError **error)
{
  g_autoptr (KvsqlArena) arena = kvsql_arena_new ();
  const KvsqlWitness *witness;
  KvsqlProofExample *example;

  *out_sharing = KVSQL_SHARING_NONE;
  *out_cell_key = NULL;
  if (!find_shared_cell (a, b, arena, &example, error))
    return FALSE;
  if (example == NULL)
    return TRUE;
  witness = kvsql_witness_find_shared (arena, a, b, example);
  *out_sharing = witness != NULL ? KVSQL_SHARING_FOUND : KVSQL_SHARING_POSSIBLE;
  *out_cell_key = witness != NULL ? describe_cell_key (witness) : NULL;
  return TRUE;
}

static gboolean
prove_cells_disjoint (KvsqlSchema *self, const KvsqlDefineSchema *definition, GError **error)
{
  for (guint i = 0; i < self->n_cells; i++)
    for (guint j = i + 1; j < self->n_cells; j++)
      {
        const KvsqlCellLayout *other = &self->cells[j];
        g_autofree gchar *cell_key = NULL;
        KvsqlSharing sharing;

        /* OTHERS has only cells that no other line could have */
        if (self->cells[i].is_others || other->is_others)
          continue;
        if (!compare_cells (&self->cells[i], other, &sharing, &cell_key, error))
          return kvsql_error_at (error, definition->name.span);
        if (sharing == KVSQL_SHARING_NONE)
          continue;
        kvsql_error_set (error, KVSQL_ERROR_DEFINITION, other->span,
                         "two cells of a tuple could not be distinguished in schema \"%s\"",
                         self->name);
        if (cell_key != NULL)
          kvsql_error_detail (error, "Different attributes could both be stored at %s.", cell_key);
        else
          kvsql_error_detail (error, "It could not be proved that no cell is for two attributes. "
                                     "A search found none that is.");
        if (self->cells[i].map_attribute >= 0 || other->map_attribute >= 0)
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
  return prove_cells_disjoint (self, definition, error);
}

gboolean
kvsql_schema_find_shared (const KvsqlSchema *self, const KvsqlSchema *other,
                          KvsqlSharing *out_sharing, gchar **out_cell_key, GError **error)
{
  *out_sharing = KVSQL_SHARING_NONE;
  *out_cell_key = NULL;
  for (guint i = 0; i < self->n_cells; i++)
    for (guint j = 0; j < other->n_cells; j++)
      {
        KvsqlSharing sharing;

        if (!compare_cells (&self->cells[i], &other->cells[j], &sharing, out_cell_key, error))
          return FALSE;
        *out_sharing = MAX (*out_sharing, sharing);
        if (sharing == KVSQL_SHARING_FOUND)
          return TRUE;
      }
  return TRUE;
}

gboolean
kvsql_schema_check_disjoint (const KvsqlSchema *self, const KvsqlSchema *other, KvsqlSpan span,
                             GError **error)
{
  g_autofree gchar *cell_key = NULL;
  KvsqlSharing sharing;

  /* kvsql never writes a schema with role = read, so it has no collisions */
  if (self->options.role == KVSQL_ROLE_READ || other->options.role == KVSQL_ROLE_READ)
    return TRUE;
  if (!kvsql_schema_find_shared (self, other, &sharing, &cell_key, error))
    return kvsql_error_at (error, span);
  if (sharing == KVSQL_SHARING_NONE)
    return TRUE;
  kvsql_error_set (error, KVSQL_ERROR_DEFINITION, span,
                   "schemas \"%s\" and \"%s\" could write the same cell", self->name, other->name);
  if (cell_key != NULL)
    kvsql_error_detail (error, "Both could write %s.", cell_key);
  else
    kvsql_error_detail (error, "It could not be proved that they write different cells. A search "
                               "found none that both write.");
  return kvsql_error_hint (
      error, "Use another table, or keep them apart by a constant in ROW, FAMILY or QUALIFIER.");
}
