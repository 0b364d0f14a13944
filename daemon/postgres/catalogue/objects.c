/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * objects.c: see objects.h.
 */
#include "config.h"

#include "daemon/postgres/catalogue/objects.h"

#include <string.h>

#include "core/base/interrupt.h"
#include "core/catalog/object-number.h"
#include "core/catalog/rights.h"
#include "core/catalog/sequence-default.h"
#include "core/layout/element.h"
#include "core/sql/printer.h"
#include "daemon/postgres/catalogue/facts.h"

/* ---- numbers */

guint32
kvsqld_pg_objects_choose_number (KvsqldPgObjects *self, const gchar *kind, const gchar *name)
{
  guint32 number = kvsql_object_number (kind, name);

  while (!g_hash_table_add (self->numbers, GUINT_TO_POINTER (number)))
    number = kvsql_object_number_after (number);
  return number;
}

static KvsqldPgRowType
choose_row_type (KvsqldPgObjects *self, const gchar *name)
{
  return (KvsqldPgRowType){ .oid = kvsqld_pg_objects_choose_number (self, "type ", name),
                            .array = kvsqld_pg_objects_choose_number (self, "array type ", name) };
}

/* Those of relations, which RowDescription tells, too. */
static void
take_numbers (KvsqldPgObjects *self, const KvsqlCatalog *definitions)
{
  GHashTableIter iter;
  gpointer number;

  g_hash_table_iter_init (&iter, definitions->numbers);
  while (g_hash_table_iter_next (&iter, &number, NULL))
    g_hash_table_add (self->numbers, number);
}

/* ---- indexes */

/* The attributes of a row key, in their order. */
static void
collect (const KvsqlSequence *sequence, const KvsqlRelation *relation, KvsqlAttributeSet *seen,
         GArray *out)
{
  for (guint i = 0; i < sequence->n_elements; i++)
    {
      const KvsqlElement *element = sequence->elements[i];
      guint attribute = (guint)element->attribute;

      if (element->inner != NULL)
        collect (element->inner, relation, seen, out);
      else if (element->attribute >= 0 && attribute < relation->n_attributes && !element->is_derived
               && !kvsql_attribute_set_has (seen, attribute))
        {
          kvsql_attribute_set_add (seen, attribute);
          g_array_append_val (out, attribute);
        }
    }
}

/* The KEY at the end of another schema's row keys only makes them differ. */
static void
remove_key (const KvsqlRelation *relation, GArray *attributes)
{
  while (attributes->len > 1
         && relation->attributes[g_array_index (attributes, guint, attributes->len - 1)].is_key)
    g_array_set_size (attributes, attributes->len - 1);
}

static void
set_attributes (KvsqldPgIndex *index, const GArray *attributes, KvsqlArena *arena)
{
  index->n_attributes = attributes->len;
  index->attributes = kvsql_arena_array (arena, guint, attributes->len + 1);
  if (attributes->len > 0)
    memcpy (index->attributes, attributes->data, attributes->len * sizeof (guint));
}

/* A hidden KEY is none for clients. */
static gboolean
is_key (const KvsqlAttribute *attribute)
{
  return attribute->is_key && !attribute->is_hidden;
}

/* The KEY, in the order in which the row keys of the primary schema have it, if they have all of
 * it. */
static void
set_primary_key (KvsqldPgIndex *index, const KvsqlRelation *relation, const KvsqlSchema *schema,
                 KvsqlArena *arena)
{
  g_autoptr (GArray) attributes = g_array_new (FALSE, FALSE, sizeof (guint));
  KvsqlAttributeSet seen = { 0 };

  if (schema != NULL)
    collect (schema->cells[0].fields[KVSQL_FIELD_ROW], relation, &seen, attributes);
  for (guint i = attributes->len; i-- > 0;)
    if (!is_key (&relation->attributes[g_array_index (attributes, guint, i)]))
      g_array_remove_index (attributes, i);
  for (guint a = 0; a < relation->n_attributes; a++)
    if (is_key (&relation->attributes[a]) && !kvsql_attribute_set_has (&seen, a))
      g_array_append_val (attributes, a);
  set_attributes (index, attributes, arena);
}

static void
add_primary (KvsqldPgObjects *self, KvsqldPgRelation *relation, const KvsqlSchema *schema,
             KvsqlArena *arena)
{
  KvsqldPgIndex *index = &relation->indexes[relation->n_indexes];

  set_primary_key (index, relation->entry->relation, schema, arena);
  if (index->n_attributes == 0)
    return;
  index->name
      = schema != NULL ? schema->name : kvsql_arena_printf (arena, "%s_pkey", relation->name);
  index->comment = schema != NULL ? schema->comment : NULL;
  index->oid = kvsqld_pg_objects_choose_number (self, "index ", index->name);
  index->constraint_oid = kvsqld_pg_objects_choose_number (self, "constraint ", index->name);
  index->is_primary = TRUE;
  index->is_valid = schema == NULL || kvsql_schema_is_filled (schema);
  relation->n_indexes++;
}

static void
add_other (KvsqldPgObjects *self, KvsqldPgRelation *relation, const KvsqlSchema *schema,
           KvsqlArena *arena)
{
  KvsqldPgIndex *index = &relation->indexes[relation->n_indexes];
  g_autoptr (GArray) attributes = g_array_new (FALSE, FALSE, sizeof (guint));
  KvsqlAttributeSet seen = { 0 };

  collect (schema->cells[0].fields[KVSQL_FIELD_ROW], relation->entry->relation, &seen, attributes);
  remove_key (relation->entry->relation, attributes);
  if (attributes->len == 0)
    return;
  set_attributes (index, attributes, arena);
  index->name = schema->name;
  index->comment = schema->comment;
  index->oid = kvsqld_pg_objects_choose_number (self, "index ", schema->name);
  index->is_valid = kvsql_schema_is_filled (schema);
  relation->n_indexes++;
}

static void
add_checks (KvsqldPgObjects *self, KvsqldPgRelation *relation, KvsqlArena *arena)
{
  const KvsqlRelation *definition = relation->entry->relation;

  relation->check_oids = kvsql_arena_array (arena, guint32, definition->n_checks + 1);
  for (guint i = 0; i < definition->n_checks; i++)
    {
      g_autofree gchar *name
          = g_strdup_printf ("%s.%s", relation->name, definition->checks[i].name);

      relation->check_oids[i] = kvsqld_pg_objects_choose_number (self, "check ", name);
    }
}

static void
add_relation (KvsqldPgObjects *self, const KvsqlCatalogEntry *entry, KvsqlArena *arena)
{
  KvsqldPgRelation *relation = &self->relations[self->n_relations++];
  const KvsqlSchema *primary
      = entry->n_schemas > 0 && entry->schemas[0]->is_primary ? entry->schemas[0] : NULL;

  *relation = (KvsqldPgRelation){ .name = entry->relation->name, .entry = entry };
  relation->oid = entry->relation->number;
  relation->row_type = choose_row_type (self, relation->name);
  relation->indexes = kvsql_arena_array (arena, KvsqldPgIndex, entry->n_schemas + 1);
  add_checks (self, relation, arena);
  add_primary (self, relation, primary, arena);
  for (guint i = primary != NULL ? 1 : 0; i < entry->n_schemas; i++)
    add_other (self, relation, entry->schemas[i], arena);
}

/* ---- views */

static void
add_view (KvsqldPgObjects *self, const KvsqlView *view)
{
  const gchar *name = view->definition->name.text;

  self->views[self->n_views++]
      = (KvsqldPgView){ .oid = kvsqld_pg_objects_choose_number (self, "view ", name),
                        .rule_oid = kvsqld_pg_objects_choose_number (self, "rule ", name),
                        .row_type = choose_row_type (self, name),
                        .name = name,
                        .view = view };
}

static void
add_views (KvsqldPgObjects *self, const KvsqlCatalog *definitions,
           const KvsqldPgCatalogueSession *session, KvsqlArena *arena)
{
  self->views = kvsql_arena_array (arena, KvsqldPgView, definitions->views->len + 1);
  for (guint i = 0; i < definitions->views->len && kvsql_interrupt_tick (); i++)
    if (session->has_view (session->definitions, definitions->views->pdata[i]))
      add_view (self, definitions->views->pdata[i]);
}

/* ---- sequences */

static gint
compare_sequence (gconstpointer name, gconstpointer sequence)
{
  return strcmp (name, ((const KvsqldPgSequence *)sequence)->sequence->name);
}

static const gchar *
get_owner (const KvsqlAcl *acl)
{
  return acl != NULL ? acl->owner : NULL;
}

/* A DEFAULT may also name a sequence of another owner, which does not go with the relation. */
static void
set_owner (KvsqldPgObjects *self, const KvsqldPgRelation *relation, guint attribute)
{
  const KvsqlAstExpr *expr = relation->entry->relation->attributes[attribute].default_expr;
  g_autofree gchar *name = expr != NULL ? kvsql_expression_get_sequence (expr) : NULL;
  KvsqldPgSequence *sequence = name == NULL ? NULL
                                            : bsearch (name, self->sequences, self->n_sequences,
                                                       sizeof *self->sequences, compare_sequence);

  if (sequence == NULL || !sequence->sequence->is_owned || sequence->owner != NULL
      || g_strcmp0 (get_owner (sequence->sequence->acl), get_owner (relation->entry->acl)) != 0)
    return;
  sequence->owner = relation;
  sequence->attribute = attribute;
}

/* Those of hidden keys are of no use to clients. */
static void
remove_hidden (KvsqldPgObjects *self)
{
  guint n = 0;

  for (guint i = 0; i < self->n_sequences; i++)
    {
      const KvsqldPgSequence *sequence = &self->sequences[i];

      if (sequence->owner == NULL
          || !sequence->owner->entry->relation->attributes[sequence->attribute].is_hidden)
        self->sequences[n++] = *sequence;
    }
  self->n_sequences = n;
}

static void
add_sequences (KvsqldPgObjects *self, const KvsqlCatalog *definitions,
               const KvsqlAuthority *authority, KvsqlArena *arena)
{
  g_autoptr (GPtrArray) all = kvsql_catalog_list_sequences (definitions);

  self->sequences = kvsql_arena_array (arena, KvsqldPgSequence, all->len + 1);
  for (guint i = 0; i < all->len && kvsql_interrupt_tick (); i++)
    {
      const KvsqlNumberSequence *sequence = all->pdata[i];

      if (kvsql_authority_lookup_sequence (authority, definitions, sequence->name) != NULL)
        self->sequences[self->n_sequences++]
            = (KvsqldPgSequence){ .oid = kvsqld_pg_objects_choose_number (self, "sequence ",
                                                                          sequence->name),
                                  .sequence = sequence };
    }
  for (guint i = 0; i < self->n_relations && kvsql_interrupt_tick (); i++)
    for (guint a = 0; a < self->relations[i].entry->relation->n_attributes; a++)
      set_owner (self, &self->relations[i], a);
  remove_hidden (self);
}

/* ---- all */

static gint
compare_names (gconstpointer a, gconstpointer b)
{
  return strcmp (*(const gchar *const *)a, *(const gchar *const *)b);
}

static void
add_roles (KvsqldPgObjects *self, const KvsqlCatalog *definitions, KvsqlArena *arena)
{
  guint n;
  g_autofree gpointer *names = NULL;

  if (definitions->roles == NULL)
    return;
  names = g_hash_table_get_keys_as_array (definitions->roles, &n);
  qsort (names, n, sizeof *names, compare_names);
  self->roles = kvsql_arena_array (arena, KvsqldPgRole, n + 1);
  for (guint i = 0; i < n; i++)
    {
      const KvsqlRole *role = g_hash_table_lookup (definitions->roles, names[i]);

      self->roles[self->n_roles++]
          = (KvsqldPgRole){ .oid = kvsqld_pg_objects_choose_number (self, "role ", names[i]),
                            .role = role };
    }
}

/* Of the relations of the catalogue. A few have numbers in PostgreSQL that never change. 0: that of
 * the array does. */
static KvsqldPgRowType
find_row_type (KvsqldPgObjects *self, const gchar *relation)
{
  static const struct
  {
    const gchar *relation;
    KvsqldPgRowType type;
  } fixed[] = { { "pg_attribute", { 75, 270 } },  { "pg_auth_members", { 2843, 0 } },
                { "pg_authid", { 2842, 0 } },     { "pg_class", { 83, 273 } },
                { "pg_database", { 1248, 0 } },   { "pg_proc", { 81, 272 } },
                { "pg_shseclabel", { 4066, 0 } }, { "pg_subscription", { 6101, 0 } },
                { "pg_type", { 71, 210 } } };

  for (guint i = 0; i < G_N_ELEMENTS (fixed); i++)
    if (strcmp (fixed[i].relation, relation) == 0)
      {
        KvsqldPgRowType type = fixed[i].type;

        if (type.array == 0)
          type.array = kvsqld_pg_objects_choose_number (self, "array type ", relation);
        return type;
      }
  return choose_row_type (self, relation);
}

static void
add_row_types (KvsqldPgObjects *self, KvsqlArena *arena)
{
  guint n;
  const KvsqldPgTableFacts *tables = kvsqld_pg_facts_get_tables (&n);

  self->row_types = kvsql_arena_array (arena, KvsqldPgRowType, n + 1);
  for (guint i = 0; i < n; i++)
    self->row_types[i] = find_row_type (self, tables[i].name);
}

KvsqldPgObjects *
kvsqld_pg_objects_new (const KvsqlCatalog *definitions, const KvsqldPgCatalogueSession *session,
                       KvsqlArena *arena)
{
  const KvsqlAuthority *authority = session->authority;
  KvsqldPgObjects *self = g_new0 (KvsqldPgObjects, 1);

  self->numbers = g_hash_table_new (NULL, NULL);
  take_numbers (self, definitions);
  add_row_types (self, arena);
  self->relations = kvsql_arena_array (arena, KvsqldPgRelation, definitions->entries->len + 1);
  for (guint i = 0; i < definitions->entries->len && kvsql_interrupt_tick (); i++)
    {
      const KvsqlCatalogEntry *entry = definitions->entries->pdata[i];

      if (!entry->is_store_table && kvsql_authority_sees (authority, entry))
        add_relation (self, entry, arena);
    }
  add_views (self, definitions, session, arena);
  add_sequences (self, definitions, authority, arena);
  add_roles (self, definitions, arena);
  return self;
}

void
kvsqld_pg_objects_free (KvsqldPgObjects *self)
{
  if (self == NULL)
    return;
  g_hash_table_unref (self->numbers);
  g_free (self);
}

/* ---- types */

static guint32
type_of_scalar (KvsqlType type)
{
  static const guint32 oids[KVSQL_N_TYPES] = {
    [KVSQL_TYPE_BOOLEAN] = KVSQLD_PGT_BOOL,
    [KVSQL_TYPE_BYTES] = KVSQLD_PGT_BYTEA,
    [KVSQL_TYPE_INT] = KVSQLD_PGT_INT4,
    [KVSQL_TYPE_BIGINT] = KVSQLD_PGT_INT8,
    [KVSQL_TYPE_FLOAT] = KVSQLD_PGT_FLOAT4,
    [KVSQL_TYPE_DOUBLE] = KVSQLD_PGT_FLOAT8,
    [KVSQL_TYPE_DECIMAL] = KVSQLD_PGT_NUMERIC,
    [KVSQL_TYPE_DATE] = KVSQLD_PGT_DATE,
    [KVSQL_TYPE_TIMESTAMP] = KVSQLD_PGT_TIMESTAMP,
    [KVSQL_TYPE_TIME] = KVSQLD_PGT_TIME,
    [KVSQL_TYPE_UUID] = KVSQLD_PGT_UUID,
    [KVSQL_TYPE_JSON] = KVSQLD_PGT_JSON,
    [KVSQL_TYPE_JSONB] = KVSQLD_PGT_JSONB,
  };

  return oids[type] != 0 ? oids[type] : KVSQLD_PGT_TEXT;
}

/* 0: it has none. */
static guint32
array_of (KvsqlType list)
{
  const KvsqldPgTypeFacts *element
      = kvsqld_pg_facts_find_type (type_of_scalar (kvsql_type_get_element (list)));

  return element != NULL ? element->array : 0;
}

static guint32
type_of (KvsqlType type)
{
  guint32 array = kvsql_type_is_list (type) ? array_of (type) : 0;

  if (array != 0)
    return array;
  return kvsql_type_is_collection (type) ? KVSQLD_PGT_JSON : type_of_scalar (type);
}

KvsqldPgColumnType
kvsqld_pg_column_type_of (KvsqlType type, const KvsqlTypeLimit *limit)
{
  switch (limit->kind)
    {
    case KVSQL_LIMIT_LENGTH:
      return (KvsqldPgColumnType){ KVSQLD_PGT_VARCHAR,
                                   limit->size == 0 ? -1 : (gint32)limit->size + 4 };
    case KVSQL_LIMIT_BLANKS:
      return (KvsqldPgColumnType){ KVSQLD_PGT_BPCHAR, (gint32)limit->size + 4 };
    case KVSQL_LIMIT_DIGITS:
      return (KvsqldPgColumnType){ KVSQLD_PGT_NUMERIC,
                                   (gint32)(limit->size << 16 | limit->scale) + 4 };
    case KVSQL_LIMIT_SMALL:
      return (KvsqldPgColumnType){ KVSQLD_PGT_INT2, -1 };
    case KVSQL_LIMIT_TIMESTAMP:
      return (KvsqldPgColumnType){ KVSQLD_PGT_TIMESTAMP, (gint32)limit->size };
    case KVSQL_LIMIT_TIME:
      return (KvsqldPgColumnType){ KVSQLD_PGT_TIME, (gint32)limit->size };
    case KVSQL_LIMIT_ZONE:
      return (KvsqldPgColumnType){ KVSQLD_PGT_TIMESTAMPTZ,
                                   kvsql_type_limit_is_checked (limit) ? (gint32)limit->size : -1 };
    default:
      break;
    }
  return (KvsqldPgColumnType){ type_of (type), -1 };
}

/* ---- defaults */

static gchar *
print_expression (const KvsqlAstExpr *expr)
{
  g_autofree gchar *sequence = kvsql_expression_get_sequence (expr);
  g_autofree gchar *argument = NULL;
  g_autoptr (GString) text = g_string_new (NULL);
  KvsqlValue literal;

  if (sequence == NULL)
    {
      kvsql_print_expression (expr, text);
      return g_string_free (g_steal_pointer (&text), FALSE);
    }
  argument = kvsql_number_sequence_to_argument (sequence);
  literal = (KvsqlValue){ .type = KVSQL_TYPE_STRING, .bytes = kvsql_slice_from_text (argument) };
  g_string_append (text, "nextval(");
  kvsql_value_append_literal (&literal, text);
  g_string_append (text, "::regclass)");
  return g_string_free (g_steal_pointer (&text), FALSE);
}

gchar *
kvsqld_pg_default_of (const KvsqlAttribute *attribute)
{
  g_autoptr (GString) text = NULL;
  g_autofree gchar *type = NULL;

  if (attribute->default_expr != NULL)
    return print_expression (attribute->default_expr);
  if (kvsql_value_is_null (&attribute->default_value))
    return NULL;
  text = g_string_new (NULL);
  kvsql_value_append_literal (&attribute->default_value, text);
  if (text->str[0] != '\'')
    return g_string_free (g_steal_pointer (&text), FALSE);
  type = kvsqld_pg_format_type (kvsqld_pg_column_type_of (attribute->type, &attribute->limit).oid,
                                -1, FALSE);
  g_string_append_printf (text, "::%s", type);
  return g_string_free (g_steal_pointer (&text), FALSE);
}

gboolean
kvsqld_pg_is_identity (const KvsqlCatalog *definitions, const KvsqlAttribute *attribute)
{
  g_autofree gchar *name = attribute->default_expr != NULL
                               ? kvsql_expression_get_sequence (attribute->default_expr)
                               : NULL;
  const KvsqlNumberSequence *sequence
      = name != NULL ? kvsql_catalog_find_sequence (definitions, name) : NULL;

  return sequence != NULL && sequence->is_identity;
}
