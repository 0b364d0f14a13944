/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * facts.c: see facts.h.
 */
#include "config.h"

#include "daemon/postgres/catalogue/facts.h"

#include <string.h>

/* Relations that are not PostgreSQL's: what definitions are as text. */
static const KvsqldPgRelationFacts helpers[] = {
  { "kvsql_function", 0, 'r',
    "oid:oid arguments:text identity_arguments:text result:text options:text" },
  { "kvsql_index", 0, 'r', "oid:oid names:text head:text tail:text" },
  { "kvsql_constraint", 0, 'r', "oid:oid definition:text" },
  { "kvsql_right", 0, 'r', "oid:oid attnum:int2 name:text" },
  { "kvsql_view", 0, 'r', "oid:oid definition:text" },
};

/* The columns of pg_type that are read here. */
enum
{
  TYPE_OID = 0,
  TYPE_NAME = 1,
  TYPE_SIZE = 4,
  TYPE_BY_VALUE = 5,
  TYPE_CATEGORY = 7,
  TYPE_ELEMENT = 13,
  TYPE_ARRAY = 14,
  TYPE_ALIGN = 22,
  TYPE_STORAGE = 23,
  TYPE_COLLATION = 28,
};

typedef struct
{
  GArray *types; /* KvsqldPgTypeFacts, in the order of oid */
  GHashTable *type_names;
  KvsqldPgTableFacts *tables;
  guint n_tables; /* without the helpers */
  GHashTable *table_names;
} Facts;

static guint32
to_number (const gchar *text)
{
  return (guint32)g_ascii_strtoull (text, NULL, 10);
}

static void
read_types (Facts *self)
{
  self->types = g_array_new (FALSE, FALSE, sizeof (KvsqldPgTypeFacts));
  for (const KvsqldPgRowFacts *row = kvsqld_pg_row_facts; row->relation != NULL; row++)
    {
      g_auto (GStrv) values = NULL;

      if (strcmp (row->relation, "pg_type") != 0)
        continue;
      values = g_strsplit (row->values, "\t", -1);
      const KvsqldPgTypeFacts type
          = { .oid = to_number (values[TYPE_OID]),
              .name = g_intern_string (values[TYPE_NAME]),
              .size = (gint16)g_ascii_strtoll (values[TYPE_SIZE], NULL, 10),
              .category = values[TYPE_CATEGORY][0],
              .element = to_number (values[TYPE_ELEMENT]),
              .array = to_number (values[TYPE_ARRAY]),
              .is_by_value = values[TYPE_BY_VALUE][0] == 't',
              .align = values[TYPE_ALIGN][0],
              .storage = values[TYPE_STORAGE][0],
              .collation = to_number (values[TYPE_COLLATION]) };
      g_array_append_val (self->types, type);
    }
  self->type_names = g_hash_table_new (g_str_hash, g_str_equal);
  for (guint i = 0; i < self->types->len; i++)
    {
      KvsqldPgTypeFacts *type = &g_array_index (self->types, KvsqldPgTypeFacts, i);

      g_hash_table_insert (self->type_names, (gpointer)type->name, type);
    }
}

static void
read_columns (Facts *self, const gchar *text, KvsqldPgTableFacts *out)
{
  g_auto (GStrv) columns = g_strsplit (text, " ", -1);

  out->n_columns = g_strv_length (columns);
  out->columns = g_new0 (KvsqldPgColumnFacts, out->n_columns);
  for (guint i = 0; i < out->n_columns; i++)
    {
      gchar *colon = strchr (columns[i], ':');
      const KvsqldPgTypeFacts *type = g_hash_table_lookup (self->type_names, colon + 1);

      *colon = '\0';
      out->columns[i] = (KvsqldPgColumnFacts){ .name = g_intern_string (columns[i]),
                                               .type = type != NULL ? type->oid : KVSQLD_PGT_TEXT };
    }
}

static void
read_tables (Facts *self)
{
  const KvsqldPgRelationFacts *all = kvsqld_pg_relation_facts;
  guint n = 0;

  while (all[self->n_tables].name != NULL)
    self->n_tables++;
  self->tables = g_new0 (KvsqldPgTableFacts, self->n_tables + G_N_ELEMENTS (helpers));
  self->table_names = g_hash_table_new (g_str_hash, g_str_equal);
  for (guint i = 0; i < self->n_tables + G_N_ELEMENTS (helpers); i++, n++)
    {
      const KvsqldPgRelationFacts *from
          = i < self->n_tables ? &all[i] : &helpers[i - self->n_tables];

      self->tables[n]
          = (KvsqldPgTableFacts){ .name = from->name, .oid = from->oid, .kind = from->kind };
      read_columns (self, from->columns, &self->tables[n]);
      g_hash_table_insert (self->table_names, (gpointer)from->name, &self->tables[n]);
    }
}

static const Facts *
get_facts (void)
{
  static gsize is_made;
  static Facts facts;

  if (g_once_init_enter (&is_made))
    {
      read_types (&facts);
      read_tables (&facts);
      g_once_init_leave (&is_made, 1);
    }
  return &facts;
}

const KvsqldPgTypeFacts *
kvsqld_pg_facts_find_type (guint32 oid)
{
  const GArray *types = get_facts ()->types;
  guint first = 0, end = types->len;

  while (first < end)
    {
      guint middle = (first + end) / 2;
      const KvsqldPgTypeFacts *type = &g_array_index (types, KvsqldPgTypeFacts, middle);

      if (type->oid == oid)
        return type;
      if (type->oid < oid)
        first = middle + 1;
      else
        end = middle;
    }
  return NULL;
}

const KvsqldPgTypeFacts *
kvsqld_pg_facts_find_type_name (const gchar *name)
{
  return g_hash_table_lookup (get_facts ()->type_names, name);
}

const KvsqldPgTableFacts *
kvsqld_pg_facts_find_table (const gchar *name)
{
  return g_hash_table_lookup (get_facts ()->table_names, name);
}

const KvsqldPgTableFacts *
kvsqld_pg_facts_get_tables (guint *out_n)
{
  *out_n = get_facts ()->n_tables;
  return get_facts ()->tables;
}

guint32
kvsqld_pg_facts_get_element (guint32 oid)
{
  const KvsqldPgTypeFacts *type = kvsqld_pg_facts_find_type (oid);

  if (oid == KVSQLD_PGT_ANYARRAY)
    return KVSQLD_PGT_TEXT;
  /* name and others of fixed size have elements, too, but are no arrays */
  return type != NULL && type->size == -1 ? type->element : 0;
}

/* ---- kinds */

gboolean
kvsqld_pg_is_integer (guint32 type)
{
  switch (type)
    {
    case KVSQLD_PGT_INT8:
    case KVSQLD_PGT_INT2:
    case KVSQLD_PGT_INT4:
    case KVSQLD_PGT_OID:
    case KVSQLD_PGT_XID:
    case KVSQLD_PGT_CID:
    case KVSQLD_PGT_REGCLASS:
    case KVSQLD_PGT_REGTYPE:
    case KVSQLD_PGT_REGNAMESPACE:
    case KVSQLD_PGT_REGROLE:
      return TRUE;
    default:
      return FALSE;
    }
}

gboolean
kvsqld_pg_is_text (guint32 type)
{
  switch (type)
    {
    case KVSQLD_PGT_CHAR:
    case KVSQLD_PGT_NAME:
    case KVSQLD_PGT_TEXT:
    case KVSQLD_PGT_BPCHAR:
    case KVSQLD_PGT_VARCHAR:
      return TRUE;
    default:
      return FALSE;
    }
}

gboolean
kvsqld_pg_is_real (guint32 type)
{
  return type == KVSQLD_PGT_FLOAT4 || type == KVSQLD_PGT_FLOAT8 || type == KVSQLD_PGT_NUMERIC;
}

gboolean
kvsqld_pg_is_array (guint32 type)
{
  return type == KVSQLD_PGT_INT2VECTOR || type == KVSQLD_PGT_OIDVECTOR
         || kvsqld_pg_facts_get_element (type) != 0;
}

gboolean
kvsqld_pg_is_reference (guint32 type)
{
  return type == KVSQLD_PGT_REGCLASS || type == KVSQLD_PGT_REGTYPE
         || type == KVSQLD_PGT_REGNAMESPACE || type == KVSQLD_PGT_REGROLE;
}
