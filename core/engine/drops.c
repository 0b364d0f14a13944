/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * drops.c: DROP with several names, in one commit.
 */
#include "config.h"

#include "core/base/interrupt.h"
#include "core/engine/definitions-private.h"

guint
kvsql_decision_count_drop (const KvsqlDecision *self, const KvsqlCatalogEntry *entry)
{
  const guint n_views = MIN (self->execution->catalog->views->len, KVSQL_MAX_DROPPED_VIEWS);

  /* the schemas and their states, the relation and its rights, the sequences and theirs */
  return 2 * entry->n_schemas + 4 + 2 * entry->relation->n_attributes + n_views;
}

void
kvsql_decision_remove_duplicates (KvsqlDecision *self)
{
  guint n = 0;

  for (guint i = 0; i < self->n_changes; i++)
    {
      gboolean is_new = TRUE;

      for (guint k = 0; k < n && is_new; k++)
        is_new = self->changes[k].kind != self->changes[i].kind
                 || !g_str_equal (self->changes[k].name, self->changes[i].name);
      if (is_new)
        self->changes[n++] = self->changes[i];
    }
  self->n_changes = n;
}

/* Whether the commit has room for the removal of one more. */
static gboolean
check_room (const KvsqlDecision *self, const KvsqlDrop *drop, GError **error)
{
  const KvsqlCatalogEntry *entry
      = kvsql_authority_lookup (&self->execution->authority, self->execution->catalog, &drop->name);
  const guint n = entry != NULL ? kvsql_decision_count_drop (self, entry)
                                : KVSQL_MAX_DROPPED_VIEWS + 2; /* of a view or sequence */

  if (n <= KVSQL_MAX_DEFINITION_CHANGES - self->n_changes)
    return TRUE;
  kvsql_error_set (error, KVSQL_ERROR_LIMIT, drop->name.span,
                   "too much is dropped by one statement");
  return kvsql_error_hint (error, "Drop the rest with a second statement.");
}

static gboolean
decide (KvsqlDecision *self, const KvsqlDrop *drop, GError **error)
{
  return (drop->is_view       ? kvsql_decide_drop_view
          : drop->is_sequence ? kvsql_decide_drop_sequence
                              : kvsql_decide_drop) (self, drop, error);
}

gboolean
kvsql_decide_drops (KvsqlDecision *self, const KvsqlDrop *drop, GError **error)
{
  KvsqlDrop one = *drop;

  if (drop->n_others == 0)
    return decide (self, drop, error);
  one.n_others++;
  one.others = kvsql_arena_array (self->execution->binder.arena, KvsqlName, one.n_others);
  one.others[0] = drop->name;
  memcpy (one.others + 1, drop->others, drop->n_others * sizeof *drop->others);
  for (guint i = 0; i < one.n_others; i++)
    {
      one.name = one.others[i];
      if (!kvsql_interrupt_poll (error) || !check_room (self, &one, error)
          || !decide (self, &one, error))
        return FALSE;
    }
  kvsql_decision_remove_duplicates (self);
  return TRUE;
}
