/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * checked-statements.c: see the header.
 */
#include "config.h"

#include "tests/write/checked-statements.h"

/* ---- statements */

guint
other_key (guint key)
{
  return N_KEYS - 1 - key;
}

State
state_after (const CheckedStatement *self, State before, CheckedOutcome *out_outcome)
{
  Content *here = &before.of[self->key], *there = &before.of[other_key (self->key)];
  gboolean is_refused = FALSE;

  *out_outcome = DONE;
  switch (self->kind)
    {
    case SET:
      *here = self->argument;
      break;
    case ADD:
      is_refused = *here != 0;
      *here = *here != 0 ? *here : self->argument;
      break;
    case REMOVE:
      is_refused = *here == 0;
      *here = 0;
      break;
    case CHANGE:
      is_refused = *here == 0 || *here > 2;
      *here += is_refused ? 0 : 2;
      break;
    case MOVE:
      is_refused = *here == 0;
      if (!is_refused && *there != 0)
        *out_outcome = OCCUPIED;
      if (is_refused || *there != 0)
        break;
      *there = *here;
      *here = 0;
      break;
    default:
      break;
    }
  if (is_refused)
    *out_outcome = REFUSED;
  return before;
}

static KvsqlValue
bigint (gint64 number)
{
  return (KvsqlValue){ .type = KVSQL_TYPE_BIGINT, .integer = number };
}

SampleTuple
tuple_of (guint key, Content content)
{
  SampleTuple tuple = { { bigint (7 + key), bigint (content > 2 ? 2 : 1), KVSQL_VALUE_NULL } };

  if (content != 0 && (content - 1) % 2 == 1)
    tuple.values[2] = bigint (5);
  return tuple;
}

Content
content_of (const KvsqlValue *tuple)
{
  return tuple == NULL
             ? 0
             : 1 + (guint)(tuple[1].integer - 1) * 2 + (kvsql_value_is_null (&tuple[2]) ? 0 : 1);
}

gchar *
statement_to_sql (const CheckedStatement *self)
{
  gint64 key = tuple_of (self->key, 1).values[0].integer;
  gint64 other = tuple_of (other_key (self->key), 1).values[0].integer;

  switch (self->kind)
    {
    case SET:
      return g_strdup ("INSERT INTO r VALUES (0, 0, 0)");
    case ADD:
      return g_strdup ("INSERT INTO r VALUES (0, 0, 0) ON CONFLICT DO NOTHING");
    case REMOVE:
      return g_strdup_printf ("DELETE FROM r WHERE k = %" G_GINT64_FORMAT, key);
    case CHANGE:
      return g_strdup_printf ("UPDATE r SET v = 2 WHERE k = %" G_GINT64_FORMAT " AND v = 1", key);
    default:
      return g_strdup_printf ("UPDATE r SET k = %" G_GINT64_FORMAT " WHERE k = %" G_GINT64_FORMAT,
                              other, key);
    }
}

/* ---- their order */

static gboolean
may_be_next (const CheckedStatement *statements, guint n, guint used, guint i)
{
  if ((used & (1u << i)) != 0 || statements[i].outcome == FAILED)
    return FALSE;
  for (guint j = 0; j < n; j++)
    if ((used & (1u << j)) == 0 && j != i && statements[j].outcome != FAILED
        && statements[j].outcome != UNKNOWN && statements[j].end < statements[i].begin)
      return FALSE;
  return TRUE;
}

/* Whether the statements that are not @used can follow each other, from the state @now to @last. Of
 * unknown outcomes each may have been done or not. */
static gboolean
is_explained (const CheckedStatement *statements, guint n, guint used, State now, State last)
{
  gboolean is_complete = memcmp (&now, &last, sizeof now) == 0;

  for (guint i = 0; i < n; i++)
    {
      const CheckedStatement *statement = &statements[i];
      CheckedOutcome outcome;
      State after;

      if ((used & (1u << i)) == 0 && statement->outcome != UNKNOWN && statement->outcome != FAILED)
        is_complete = FALSE;
      if (!may_be_next (statements, n, used, i))
        continue;
      after = state_after (statement, now, &outcome);
      if (statement->outcome != UNKNOWN
          && (statement->outcome != outcome
              || (statement->kind == LOOK && statement->seen != now.of[statement->key])))
        continue;
      if (is_explained (statements, n, used | (1u << i), after, last))
        return TRUE;
    }
  return is_complete;
}

gboolean
statements_are_explained (const CheckedStatement *statements, guint n, State first, State last)
{
  return is_explained (statements, n, 0, first, last);
}

/* ---- cells */

static const gchar *const definitions[] = {
  "DEFINE RELATION r { k BIGINT KEY, v BIGINT, w BIGINT }",
  "DEFINE PRIMARY SCHEMA p FOR r { TABLE 'p', ROW k, FAMILY 'f', QUALIFIER attr_name[k], "
  "VALUE attr_value[k] }",
  "DEFINE SCHEMA s FOR r { TABLE 's', ROW ordered{v}:ordered{k}, FAMILY 'f', VALUE ordered{w} }",
};

static const gchar *const tables[] = { "p", "s" };

KvsqlCatalog *
checked_catalog_new (void)
{
  return version_catalog_new (1, definitions, G_N_ELEMENTS (definitions), KVSQL_WRITES_CHECKED);
}

gchar *
checked_world_print (const VersionWorld *self)
{
  return version_world_print (self, tables, G_N_ELEMENTS (tables));
}

gchar *
checked_world_print_expected (const VersionWorld *self, const KvsqlCatalogEntry *entry, State state)
{
  SampleTuple values[N_KEYS];
  const KvsqlValue *tuples[N_KEYS];
  guint n = 0;

  for (guint key = 0; key < N_KEYS; key++)
    {
      values[key] = tuple_of (key, state.of[key]);
      if (state.of[key] != 0)
        tuples[n++] = values[key].values;
    }
  return version_world_print_expected (self, entry, tuples, n, tables, G_N_ELEMENTS (tables));
}
