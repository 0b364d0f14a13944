/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * each-schema.c: the KEY of tuples in one cell, and where their elements end.
 *
 * The proof of VALUE has a cell with one tuple. Three facts make it true of several tuples:
 *
 * - An element ends at a place that its own bytes show, so a list of elements can be split in one
 *   way only. What ends at a separator may therefore not contain it: it is restricted, also where
 *   the proof of one tuple needs no restriction.
 * - What the tuples of a cell do not share has a KEY attribute. So two elements of a cell are two
 *   tuples.
 * - Each KEY attribute is in the cell key or in the elements. So tuples of two cells differ, unless
 *   the cell key also depends on other attributes, as in each schema.
 */
#include "config.h"

#include "core/catalog/each-schema.h"

#include "core/layout/automata/nfa.h"
#include "core/layout/automata/proof.h"
#include "core/layout/each.h"
#include "core/layout/element.h"
#include "core/layout/sequence.h"
#include "core/schema/relation-options.h"

/* ---- the KEY */

/* The first KEY attribute that is in @a and not in @b; -1: none. */
static gint
find_key (const KvsqlSchema *self, const KvsqlAttributeSet *a, const KvsqlAttributeSet *b)
{
  KvsqlAttributeSet keys = self->relation->keys;

  kvsql_attribute_set_keep_all (&keys, a);
  kvsql_attribute_set_remove_all (&keys, b);
  return kvsql_attribute_set_next (&keys, -1);
}

/* Adds the attributes of a field that its elements do not hold. */
static void
add_shared (const KvsqlEach *each, KvsqlAttributeSet *out)
{
  if (each == NULL)
    return;
  kvsql_attribute_set_add_all (out, &each->before->attributes);
  kvsql_attribute_set_add_all (out, &each->after->attributes);
}

static gboolean
check_shared (const KvsqlSchema *self, const KvsqlEach *each, const KvsqlAttributeSet *cell_key,
              GError **error)
{
  KvsqlAttributeSet shared = { 0 };
  gint key;

  add_shared (each, &shared);
  add_shared (each->qualifier, &shared);
  key = find_key (self, &shared, cell_key);
  if (key < 0)
    return TRUE;
  return kvsql_error_set (error, KVSQL_ERROR_DEFINITION, each->span,
                          "KEY attribute \"%s\" of schema \"%s\" is outside of each{…}",
                          self->relation->attributes[key].name, self->name)
         || kvsql_error_hint (error,
                              "All tuples of a cell would have the same value: put it into "
                              "each{…}, or into %s.",
                              each->qualifier != NULL ? "TABLE, ROW or FAMILY"
                                                      : "TABLE, ROW, FAMILY or QUALIFIER");
}

/* A written cell is changed tuple by tuple: nothing in it may be about all of them. */
static gboolean
check_only_keys (const KvsqlSchema *self, const KvsqlEach *each, GError **error)
{
  KvsqlAttributeSet around = self->cell_key_attributes;
  gint a;

  add_shared (each, &around);
  kvsql_attribute_set_remove_all (&around, &self->relation->keys);
  a = kvsql_attribute_set_next (&around, -1);
  if (a < 0)
    return TRUE;
  return kvsql_error_set (error, KVSQL_ERROR_DEFINITION, each->span,
                          "attribute \"%s\" of schema \"%s\" is outside of each{…}",
                          self->relation->attributes[a].name, self->name)
         || kvsql_error_hint (error, "All tuples of a cell would have the same value. In a schema "
                                     "that is written, only KEY attributes may be there.");
}

static gboolean
check_written (const KvsqlSchema *self, const KvsqlEach *each, GError **error)
{
  const KvsqlRelation *relation = self->relation;

  if (self->options.role == KVSQL_ROLE_READ)
    return TRUE;
  if (each->qualifier != NULL)
    return kvsql_error_set (error, KVSQL_ERROR_UNSUPPORTED, each->qualifier->span,
                            "a schema with each{…} in QUALIFIER can only be read")
           || kvsql_error_hint (error, "Define it WITH (role = read).");
  if (!self->is_primary)
    return kvsql_error_set (error, KVSQL_ERROR_UNSUPPORTED, each->span,
                            "a schema with each{…} is the only written one of its relation")
           || kvsql_error_hint (error, "Define it as the PRIMARY one, or WITH (role = read).");
  if (relation->mode != KVSQL_WRITES_PLAIN)
    return kvsql_error_set (error, KVSQL_ERROR_UNSUPPORTED, each->span,
                            "relation \"%s\" needs plain writes for each{…}: its writes are %s",
                            relation->name, kvsql_write_mode_get_name (relation->mode))
           || kvsql_error_hint (error, "DEFINE the relation WITH (writes = plain), or the schema "
                                       "WITH (role = read). A compare-and-set of the one cell "
                                       "changes a tuple as a whole.");
  return check_only_keys (self, each, error);
}

gboolean
kvsql_schema_check_each (const KvsqlSchema *self, GError **error)
{
  const KvsqlEach *each = self->cells[0].each;
  KvsqlAttributeSet cell_key = { 0 };

  if (each == NULL)
    return TRUE;
  kvsql_cell_collect_held (&self->cells[0],
                           each->qualifier != NULL ? KVSQL_FIELD_QUALIFIER : KVSQL_FIELD_VALUE,
                           &cell_key);
  if (!check_shared (self, each, &cell_key, error))
    return FALSE;
  if (find_key (self, &each->attributes, &cell_key) < 0)
    return kvsql_error_set (error, KVSQL_ERROR_DEFINITION, each->span,
                            "the tuples of a cell could not be distinguished in schema \"%s\"",
                            self->name)
           || kvsql_error_hint (error, "Put a KEY attribute into each{…}, and into no other place: "
                                       "two tuples of a cell differ in it.");
  return check_written (self, each, error);
}

gboolean
kvsql_schema_check_alone (const KvsqlSchema *self, const KvsqlSchema *other, KvsqlSpan span,
                          GError **error)
{
  const KvsqlSchema *sharing = self->cells[0].each != NULL ? self : other;

  if (self->relation != other->relation || sharing->cells[0].each == NULL
      || self->options.role == KVSQL_ROLE_READ || other->options.role == KVSQL_ROLE_READ)
    return TRUE;
  return kvsql_error_set (error, KVSQL_ERROR_UNSUPPORTED, span,
                          "schema \"%s\" has each{…}, so it is the only written one of relation "
                          "\"%s\"",
                          sharing->name, sharing->relation->name)
         || kvsql_error_hint (error, "Define the other one WITH (role = read).");
}

/* ---- ends */

/* Whether a value that @element ends may contain its separator. */
static gboolean
may_contain (const KvsqlElement *element, gboolean *out, GError **error)
{
  g_autoptr (KvsqlArena) arena = kvsql_arena_new ();
  KvsqlNfa *nfa = kvsql_nfa_new (arena);
  KvsqlNfaFragment value, around;
  KvsqlProofExample *example;

  value = element->is_open ? element->klass->automaton (element, nfa)
                           : kvsql_sequence_automaton (element->inner, nfa);
  around = kvsql_nfa_sequence (
      nfa, kvsql_nfa_any (nfa),
      kvsql_nfa_sequence (nfa, kvsql_nfa_literal (nfa, element->separator), kvsql_nfa_any (nfa)));
  if (!kvsql_proof_intersection (arena, nfa, value, around, &example, NULL, error))
    return FALSE;
  *out = example != NULL;
  return TRUE;
}

static gboolean
restrict_ends (KvsqlSchema *self, const KvsqlSequence *sequence, GError **error)
{
  for (guint i = 0; i < sequence->n_elements; i++)
    {
      KvsqlElement *element = sequence->elements[i];
      gboolean is_possible;

      if (element->fixed_size >= 0 || !element->is_delimited || element->is_restricted)
        continue;
      if (!may_contain (element, &is_possible, error))
        return kvsql_error_at (error, element->span);
      element->is_restricted = TRUE;
      self->n_restricted += is_possible != FALSE;
    }
  return TRUE;
}

static gboolean
restrict_field (KvsqlSchema *self, const KvsqlEach *each, GError **error)
{
  return each == NULL
         || (restrict_ends (self, each->before, error) && restrict_ends (self, each->inner, error)
             && restrict_field (self, each->qualifier, error));
}

gboolean
kvsql_schema_prove_each (KvsqlSchema *self, GError **error)
{
  return restrict_field (self, self->cells[0].each, error);
}
