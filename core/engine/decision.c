/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * decision.c: collects the changes that a statement leads to.
 */
#include "config.h"

#include "core/engine/definitions-private.h"

void
kvsql_decision_add (KvsqlDecision *self, KvsqlDefinitionKind kind, const gchar *name,
                    gboolean is_quoted, const gchar *text)
{
  KvsqlArena *arena = self->execution->binder.arena;

  g_assert (self->n_changes < KVSQL_MAX_DEFINITION_CHANGES);
  self->changes[self->n_changes++]
      = (KvsqlDefinitionChange){ .kind = kind,
                                 .name = kvsql_name_fold_in_arena (arena, name, is_quoted),
                                 .text = kvsql_arena_strdup (arena, text) };
}
