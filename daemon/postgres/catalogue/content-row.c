/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * content-row.c: see content-private.h.
 */
#include "config.h"

#include "daemon/postgres/catalogue/content-private.h"

#include <string.h>

#include "core/base/interrupt.h"
#include "daemon/postgres/catalogue/facts.h"

/* Most columns cannot be NULL. */
static KvsqlValue
default_of (guint32 type)
{
  const KvsqldPgTypeFacts *facts = kvsqld_pg_facts_find_type (type);

  switch (facts != NULL ? facts->category : 'U')
    {
    case 'N':
    case 'B':
      return type == KVSQLD_PGT_REGPROC
                 ? (KvsqlValue){ .type = KVSQL_TYPE_STRING, .bytes = kvsql_slice ("-", 1) }
                 : (KvsqlValue){ .type = KVSQL_TYPE_BIGINT };
    case 'S':
    case 'Z':
      return type == KVSQLD_PGT_CHAR || type == KVSQLD_PGT_NAME
                 ? (KvsqlValue){ .type = KVSQL_TYPE_STRING, .bytes = kvsql_slice ("", 0) }
                 : KVSQL_VALUE_NULL;
    default:
      return type == KVSQLD_PGT_XID ? (KvsqlValue){ .type = KVSQL_TYPE_BIGINT } : KVSQL_VALUE_NULL;
    }
}

void
kvsqld_pg_row_begin (KvsqldPgContent *self)
{
  for (guint i = 0; i < self->row.table->n_columns; i++)
    self->row.values[i] = default_of (self->row.table->columns[i].type);
}

static KvsqlValue *
find (KvsqldPgContent *self, const gchar *column)
{
  const KvsqldPgTableFacts *table = self->row.table;

  for (guint i = 0; i < table->n_columns; i++)
    if (strcmp (table->columns[i].name, column) == 0)
      return &self->row.values[i];
  g_critical ("%s has no column %s", table->name, column);
  return &self->row.values[0];
}

void
kvsqld_pg_row_set_number (KvsqldPgContent *self, const gchar *column, gint64 number)
{
  *find (self, column) = (KvsqlValue){ .type = KVSQL_TYPE_BIGINT, .integer = number };
}

void
kvsqld_pg_row_set_text (KvsqldPgContent *self, const gchar *column, const gchar *text)
{
  *find (self, column) = text == NULL ? KVSQL_VALUE_NULL
                                      : (KvsqlValue){ .type = KVSQL_TYPE_STRING,
                                                      .bytes = kvsql_slice_from_text (text) };
}

void
kvsqld_pg_row_set_character (KvsqldPgContent *self, const gchar *column, gchar character)
{
  kvsqld_pg_row_set_text (
      self, column, character != '\0' ? kvsql_arena_strndup (self->arena, &character, 1) : "");
}

void
kvsqld_pg_row_insert (KvsqldPgContent *self)
{
  if (self->error == NULL && kvsql_interrupt_poll (&self->error)
      && !kvsqld_pg_database_write (self->database, self->row.insert, self->row.values,
                                    self->row.table->n_columns, &self->error))
    return;
}

void
kvsqld_pg_row_insert_dependency (KvsqldPgContent *self, guint32 class, guint32 oid, guint32 on,
                                 guint attribute, gchar kind)
{
  kvsqld_pg_row_begin (self);
  kvsqld_pg_row_set_number (self, "classid", class);
  kvsqld_pg_row_set_number (self, "objid", oid);
  kvsqld_pg_row_set_number (self, "refclassid", KVSQLD_PG_CLASS_OF_RELATIONS);
  kvsqld_pg_row_set_number (self, "refobjid", on);
  kvsqld_pg_row_set_number (self, "refobjsubid", attribute);
  kvsqld_pg_row_set_character (self, "deptype", kind);
  kvsqld_pg_row_insert (self);
}
