/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * content-right.c: see content-private.h: the rights of the session, for has_table_privilege () and
 * its relatives.
 */
#include "config.h"

#include "core/sql/printer.h"
#include "daemon/postgres/catalogue/content-private.h"

/* @attribute: from 1 on; 0: the whole */
static void
add (KvsqldPgContent *self, guint32 oid, guint attribute, const gchar *name)
{
  kvsqld_pg_row_begin (self);
  kvsqld_pg_row_set_number (self, "oid", oid);
  kvsqld_pg_row_set_number (self, "attnum", attribute);
  kvsqld_pg_row_set_text (self, "name", name);
  kvsqld_pg_row_insert (self);
}

static void
add_rights (KvsqldPgContent *self, guint32 oid, guint attribute, guint rights)
{
  for (guint i = 0; i < KVSQL_N_RIGHTS; i++)
    if ((rights & 1u << i) != 0)
      add (self, oid, attribute, kvsql_right_get_name ((KvsqlRight)(1u << i)));
}

static void
add_relation (KvsqldPgContent *self, const KvsqldPgRelation *relation)
{
  const KvsqlAuthority *authority = self->session->authority;
  guint rights = kvsql_authority_get_rights (authority, relation->entry);

  add_rights (self, relation->oid, 0, rights);
  if (kvsql_authority_owns (authority, relation->entry))
    {
      add (self, relation->oid, 0, "REFERENCES");
      add (self, relation->oid, 0, "TRIGGER");
    }
  for (guint a = 0; a < relation->entry->relation->n_attributes; a++)
    add_rights (self, relation->oid, a + 1,
                kvsql_authority_get_attribute_rights (authority, relation->entry, a) & ~rights);
}

static void
fill_rights (KvsqldPgContent *self)
{
  const KvsqldPgObjects *objects = self->objects;

  for (guint i = 0; i < objects->n_relations && self->error == NULL; i++)
    add_relation (self, &objects->relations[i]);
  for (guint i = 0; i < objects->n_views && self->error == NULL; i++)
    add_rights (self, objects->views[i].oid, 0, KVSQL_RIGHT_SELECT);
  for (guint i = 0; i < objects->n_sequences && self->error == NULL; i++)
    add_rights (self, objects->sequences[i].oid, 0,
                kvsql_authority_get_sequence_rights (self->session->authority,
                                                     objects->sequences[i].sequence));
}

const KvsqldPgFiller kvsqld_pg_right_fillers[] = {
  { "kvsql_right", fill_rights },
  { NULL, NULL },
};
