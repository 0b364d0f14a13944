/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * catalog.c: lookups, and the construction of a snapshot from canonical definitions.
 */
#include "config.h"

#include "core/base/hash.h"
#include "core/catalog/catalog.h"
#include "core/catalog/object-number.h"
#include "core/catalog/compile-schema.h"
#include "core/catalog/each-schema.h"
#include "core/catalog/proof-schema.h"
#include "core/sql/parser.h"

static void
entry_free (gpointer data)
{
  KvsqlCatalogEntry *entry = data;

  for (guint i = 0; i < entry->n_schemas; i++)
    kvsql_schema_unref (entry->schemas[i]);
  g_free (entry->schemas);
  kvsql_acl_unref (entry->acl);
  kvsql_relation_unref (entry->relation);
  g_free (entry);
}

/* ---- indexes */

static void
unref_array (gpointer data)
{
  g_ptr_array_unref (data);
}

/* An index from a name in lower case to the objects that it may mean, usually one. */
static GHashTable *
index_new (void)
{
  return g_hash_table_new_full (g_str_hash, g_str_equal, g_free, unref_array);
}

static const GPtrArray *
index_find (GHashTable *self, const gchar *name)
{
  g_autofree gchar *lower = g_ascii_strdown (name, -1);

  return g_hash_table_lookup (self, lower);
}

static void
index_add (GHashTable *self, const gchar *name, gpointer what)
{
  g_autofree gchar *lower = g_ascii_strdown (name, -1);
  GPtrArray *found = g_hash_table_lookup (self, lower);

  if (found == NULL)
    {
      found = g_ptr_array_new ();
      g_hash_table_insert (self, g_steal_pointer (&lower), found);
    }
  g_ptr_array_add (found, what);
}

static guint
hash_table_of (gconstpointer schema)
{
  return kvsql_slice_hash_func (&((const KvsqlSchema *)schema)->table);
}

static gboolean
is_same_table (gconstpointer a, gconstpointer b)
{
  return kvsql_slice_equal (((const KvsqlSchema *)a)->table, ((const KvsqlSchema *)b)->table);
}

/* ---- roles */

void
kvsql_catalog_add_role (KvsqlCatalog *self, const gchar *name, const gchar *text)
{
  g_autoptr (GError) error = NULL;
  KvsqlRole *role = kvsql_role_parse (text, &error);

  if (self->roles == NULL)
    self->roles = g_hash_table_new_full (g_str_hash, g_str_equal, NULL, kvsql_role_free);
  if (role != NULL && g_str_equal (role->name, name))
    {
      g_hash_table_replace (self->roles, role->name, role);
      return;
    }
  g_ptr_array_add (self->load_errors,
                   g_strdup_printf ("role \"%s\": %s", name,
                                    error != NULL ? error->message : "it has another name"));
  kvsql_role_free (role);
}

const KvsqlRole *
kvsql_catalog_find_role (const KvsqlCatalog *self, const gchar *name)
{
  return self->roles != NULL ? g_hash_table_lookup (self->roles, name) : NULL;
}

/* ---- sequences */

void
kvsql_catalog_add_sequence (KvsqlCatalog *self, const gchar *name, const gchar *text)
{
  g_autoptr (GError) error = NULL;
  KvsqlNumberSequence *sequence = kvsql_number_sequence_parse (name, text, &error);

  if (sequence != NULL)
    g_hash_table_replace (self->sequences, sequence->name, sequence);
  else
    g_ptr_array_add (self->load_errors, g_strdup (error->message));
}

void
kvsql_catalog_add_sequence_acl (KvsqlCatalog *self, const gchar *name, const gchar *text)
{
  KvsqlNumberSequence *sequence = g_hash_table_lookup (self->sequences, name);
  KvsqlAcl *acl = kvsql_acl_parse (text);

  if (acl == NULL)
    g_ptr_array_add (self->load_errors,
                     g_strdup_printf ("the rights on sequence \"%s\" are damaged", name));
  else if (sequence != NULL && sequence->acl == NULL)
    sequence->acl = kvsql_acl_ref (acl);
  kvsql_acl_unref (acl);
}

const KvsqlNumberSequence *
kvsql_catalog_find_sequence (const KvsqlCatalog *self, const gchar *name)
{
  return g_hash_table_lookup (self->sequences, name);
}

static gint
compare_sequences (gconstpointer a, gconstpointer b)
{
  return strcmp ((*(const KvsqlNumberSequence *const *)a)->name,
                 (*(const KvsqlNumberSequence *const *)b)->name);
}

GPtrArray *
kvsql_catalog_list_sequences (const KvsqlCatalog *self)
{
  GPtrArray *list = g_ptr_array_new ();
  GHashTableIter iter;
  gpointer sequence;

  g_hash_table_iter_init (&iter, self->sequences);
  while (g_hash_table_iter_next (&iter, NULL, &sequence))
    g_ptr_array_add (list, sequence);
  g_ptr_array_sort (list, compare_sequences);
  return list;
}

/* ---- views */

static void
add_view (KvsqlCatalog *self, KvsqlView *view)
{
  const KvsqlName *name = &view->definition->name;
  guint at = 0;

  while (at < self->views->len
         && strcmp (((const KvsqlView *)self->views->pdata[at])->definition->name.text, name->text)
                < 0)
    at++;
  g_ptr_array_insert (self->views, (gint)at, view);
  index_add (self->view_names, name->text, view);
}

static KvsqlView *
find_same_view (const KvsqlCatalog *self, const gchar *text)
{
  for (guint i = 0; self != NULL && i < self->views->len; i++)
    {
      KvsqlView *view = self->views->pdata[i];

      if (strcmp (view->text, text) == 0)
        return kvsql_view_ref (view);
    }
  return NULL;
}

void
kvsql_catalog_add_view (KvsqlCatalog *self, const KvsqlCatalog *before, const gchar *text)
{
  g_autoptr (GError) error = NULL;
  KvsqlView *view = find_same_view (before, text);

  if (view == NULL)
    view = kvsql_view_parse (text, &error);
  if (view != NULL)
    add_view (self, view);
  else
    g_ptr_array_add (self->load_errors, g_strdup_printf ("%s: %s", text, error->message));
}

const KvsqlView *
kvsql_catalog_lookup_view (const KvsqlCatalog *self, const KvsqlName *name)
{
  const GPtrArray *found = self->views->len == 0 || name->is_store_table
                               ? NULL
                               : index_find (self->view_names, name->text);
  KvsqlNameChoice choice = { 0 };

  for (guint i = 0; found != NULL && i < found->len; i++)
    {
      const KvsqlName *own = &((const KvsqlView *)found->pdata[i])->definition->name;

      kvsql_name_choice_offer (&choice, kvsql_name_match (name, own->text, own->is_quoted), i);
    }
  return found != NULL && kvsql_name_choice_is_made (&choice) ? found->pdata[choice.index] : NULL;
}

/* Adds the roles of which @role is a member, and those of which they are. */
static void
collect_groups (KvsqlRole *role, GHashTable *groups)
{
  g_autoptr (GPtrArray) open = g_ptr_array_new ();

  role->acts_as = g_hash_table_new (g_str_hash, g_str_equal);
  g_hash_table_add (role->acts_as, role->name);
  g_ptr_array_add (open, role->name);
  while (open->len > 0)
    {
      const gchar *name = g_ptr_array_steal_index (open, open->len - 1);
      const GPtrArray *of = g_hash_table_lookup (groups, name);

      for (guint i = 0; of != NULL && i < of->len; i++)
        if (g_hash_table_add (role->acts_as, ((const KvsqlRole *)of->pdata[i])->name))
          g_ptr_array_add (open, ((const KvsqlRole *)of->pdata[i])->name);
    }
}

void
kvsql_catalog_complete_roles (KvsqlCatalog *self)
{
  g_autoptr (GHashTable) groups
      = g_hash_table_new_full (g_str_hash, g_str_equal, NULL, unref_array);
  GHashTableIter iter;
  gpointer value;
  guint n = 0;

  if (self->roles == NULL)
    return;
  g_hash_table_iter_init (&iter, self->roles);
  while (g_hash_table_iter_next (&iter, NULL, &value))
    {
      KvsqlRole *role = value;

      role->number = n++;
      for (guint i = 0; i < role->members->len; i++)
        {
          const gchar *member = ((const KvsqlRoleMember *)role->members->pdata[i])->name;
          GPtrArray *of = g_hash_table_lookup (groups, member);

          if (of == NULL)
            {
              of = g_ptr_array_new ();
              g_hash_table_insert (groups, (gpointer)member, of);
            }
          g_ptr_array_add (of, role);
        }
    }
  g_hash_table_iter_init (&iter, self->roles);
  while (g_hash_table_iter_next (&iter, NULL, &value))
    collect_groups (value, groups);
}

/* ---- rights */

const KvsqlCatalogEntry *
kvsql_catalog_find_key (const KvsqlCatalog *self, const gchar *key)
{
  const GPtrArray *found = index_find (self->relations, key);

  for (guint i = 0; found != NULL && i < found->len; i++)
    {
      const KvsqlCatalogEntry *entry = found->pdata[i];
      g_autofree gchar *folded
          = kvsql_name_fold (entry->relation->name, entry->relation->is_quoted);

      if (g_str_equal (folded, key))
        return entry;
    }
  return NULL;
}

void
kvsql_catalog_add_acl (KvsqlCatalog *self, const KvsqlCatalog *before, const gchar *relation,
                       const gchar *text)
{
  KvsqlCatalogEntry *entry = (KvsqlCatalogEntry *)kvsql_catalog_find_key (self, relation);
  KvsqlAcl *acl = before != NULL ? g_hash_table_lookup (before->acl_texts, text) : NULL;

  acl = acl != NULL ? kvsql_acl_ref (acl) : kvsql_acl_parse (text);
  if (acl == NULL)
    {
      g_ptr_array_add (self->load_errors,
                       g_strdup_printf ("the rights on relation \"%s\" are damaged", relation));
      return;
    }
  g_hash_table_replace (self->acl_texts, g_strdup (text), acl);
  if (entry != NULL && entry->acl == NULL)
    entry->acl = kvsql_acl_ref (acl);
}

void
kvsql_catalog_add_statistics (KvsqlCatalog *self, const KvsqlCatalog *before, const gchar *relation,
                              const gchar *text)
{
  const KvsqlCatalogEntry *entry = kvsql_catalog_find_key (self, relation);
  const KvsqlStatistics *known
      = before != NULL && entry != NULL
            ? kvsql_statistics_set_find (before->statistics, entry->relation)
            : NULL;
  g_autoptr (GError) error = NULL;
  KvsqlStatistics *statistics = NULL;

  if (entry == NULL)
    return;
  if (known != NULL && g_strcmp0 (known->text, text) == 0)
    statistics = kvsql_statistics_ref ((KvsqlStatistics *)known);
  else
    statistics = kvsql_statistics_parse (text, entry->relation, &error);
  if (statistics != NULL)
    kvsql_statistics_set_insert (self->statistics, statistics);
  else
    g_ptr_array_add (self->load_errors, g_strdup (error->message));
}

void
kvsql_catalog_add_costs (KvsqlCatalog *self, const gchar *store, const gchar *text)
{
  g_autoptr (GError) error = NULL;
  KvsqlStoreCosts costs;

  if (kvsql_store_costs_parse (text, &costs, &error))
    g_hash_table_replace (self->costs, g_strdup (store), g_memdup2 (&costs, sizeof costs));
  else
    g_ptr_array_add (self->load_errors, g_strdup (error->message));
}

const KvsqlStoreCosts *
kvsql_catalog_find_costs (const KvsqlCatalog *self, const gchar *store)
{
  return g_hash_table_size (self->costs) == 0 ? NULL : g_hash_table_lookup (self->costs, store);
}

/* ---- life */

KvsqlCatalog *
kvsql_catalog_new (gint64 epoch)
{
  static gint last_serial;
  KvsqlCatalog *self = g_atomic_rc_box_new0 (KvsqlCatalog);

  self->epoch = epoch;
  self->serial = (guint)g_atomic_int_add (&last_serial, 1) + 1;
  self->entries = g_ptr_array_new_with_free_func (entry_free);
  self->numbers = g_hash_table_new (NULL, NULL);
  self->load_errors = g_ptr_array_new_with_free_func (g_free);
  self->notes = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  self->views = g_ptr_array_new_with_free_func (kvsql_view_unref);
  self->view_names = index_new ();
  self->sequences
      = g_hash_table_new_full (g_str_hash, g_str_equal, NULL, kvsql_number_sequence_free);
  self->statistics = kvsql_statistics_set_new ();
  self->costs = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  self->relations = index_new ();
  self->schemas = index_new ();
  self->tables = g_hash_table_new_full (hash_table_of, is_same_table, NULL, unref_array);
  self->variable_tables = g_ptr_array_new ();
  self->relation_texts = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  self->schema_texts = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  self->acl_texts
      = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, (GDestroyNotify)kvsql_acl_unref);
  self->store_tables = g_hash_table_new_full (g_str_hash, g_str_equal, g_free,
                                              (GDestroyNotify)kvsql_catalog_unref);
  g_mutex_init (&self->store_tables_lock);
  return self;
}

KvsqlCatalog *
kvsql_catalog_ref (KvsqlCatalog *self)
{
  return g_atomic_rc_box_acquire (self);
}

static void
catalog_clear (gpointer data)
{
  KvsqlCatalog *self = data;

  g_ptr_array_unref (self->views);
  g_hash_table_unref (self->view_names);
  g_hash_table_unref (self->relations);
  g_hash_table_unref (self->schemas);
  g_hash_table_unref (self->tables);
  g_ptr_array_unref (self->variable_tables);
  g_hash_table_unref (self->relation_texts);
  g_hash_table_unref (self->schema_texts);
  g_ptr_array_unref (self->entries);
  g_hash_table_unref (self->numbers);
  g_ptr_array_unref (self->load_errors);
  g_hash_table_unref (self->notes);
  g_hash_table_unref (self->sequences);
  g_clear_pointer (&self->roles, g_hash_table_unref);
  g_hash_table_unref (self->acl_texts);
  g_hash_table_unref (self->statistics);
  g_hash_table_unref (self->costs);
  g_hash_table_unref (self->store_tables);
  g_mutex_clear (&self->store_tables_lock);
}

void
kvsql_catalog_unref (KvsqlCatalog *self)
{
  if (self != NULL)
    g_atomic_rc_box_release_full (self, catalog_clear);
}

/* ---- looking up */

const KvsqlCatalogEntry *
kvsql_catalog_lookup (const KvsqlCatalog *self, const KvsqlName *name)
{
  const GPtrArray *found = index_find (self->relations, name->text);
  KvsqlNameChoice choice = { 0 };

  if (found == NULL)
    return NULL;
  for (guint i = 0; i < found->len; i++)
    {
      const KvsqlRelation *relation = ((const KvsqlCatalogEntry *)found->pdata[i])->relation;
      kvsql_name_choice_offer (&choice,
                               kvsql_name_match (name, relation->name, relation->is_quoted), i);
    }
  return kvsql_name_choice_is_made (&choice) ? found->pdata[choice.index] : NULL;
}

const KvsqlCatalogEntry *
kvsql_catalog_find_id (const KvsqlCatalog *self, guint64 id)
{
  for (guint i = 0; id != 0 && i < self->entries->len; i++)
    {
      const KvsqlCatalogEntry *entry = self->entries->pdata[i];

      if (entry->relation->id == id)
        return entry;
    }
  return NULL;
}

const KvsqlSchema *
kvsql_catalog_lookup_schema (const KvsqlCatalog *self, const KvsqlName *name)
{
  const GPtrArray *found = index_find (self->schemas, name->text);
  KvsqlNameChoice choice = { 0 };

  if (found == NULL)
    return NULL;
  for (guint i = 0; i < found->len; i++)
    {
      const KvsqlSchema *schema = found->pdata[i];
      kvsql_name_choice_offer (&choice, kvsql_name_match (name, schema->name, schema->is_quoted),
                               i);
    }
  return kvsql_name_choice_is_made (&choice) ? found->pdata[choice.index] : NULL;
}

gchar *
kvsql_catalog_fold_name (const KvsqlCatalog *self, const KvsqlName *name)
{
  const KvsqlCatalogEntry *entry = kvsql_catalog_lookup (self, name);
  const KvsqlSchema *schema = kvsql_catalog_lookup_schema (self, name);
  const KvsqlView *view = kvsql_catalog_lookup_view (self, name);

  if (name->is_double_quoted && entry != NULL)
    return kvsql_name_fold (entry->relation->name, entry->relation->is_quoted);
  if (name->is_double_quoted && view != NULL)
    return kvsql_name_fold (view->definition->name.text, view->definition->name.is_quoted);
  if (name->is_double_quoted && schema != NULL)
    return kvsql_name_fold (schema->name, schema->is_quoted);
  return kvsql_name_fold (name->text, name->is_quoted);
}

const KvsqlNumberSequence *
kvsql_catalog_lookup_sequence (const KvsqlCatalog *self, const KvsqlName *name)
{
  g_autofree gchar *folded = NULL;

  if (name->text == NULL || g_hash_table_size (self->sequences) == 0
      || kvsql_catalog_lookup (self, name) != NULL)
    return NULL;
  folded = name->is_double_quoted ? g_strdup (name->text)
                                  : kvsql_name_fold (name->text, name->is_quoted);
  return kvsql_catalog_find_sequence (self, folded);
}

gboolean
kvsql_catalog_check_known (const KvsqlCatalog *self, GError **error)
{
  if (self->epoch >= 0)
    return TRUE;
  kvsql_error_set (error, KVSQL_ERROR_UNAVAILABLE, KVSQL_SPAN_NONE,
                   "the definitions are not known yet: the registry could not be read since the "
                   "daemon started");
  return kvsql_error_hint (error, "SHOW STATUS says why. Repeat the statement later: the daemon "
                                  "reads them as soon as it can.");
}

static void
not_found (const KvsqlCatalog *self, const gchar *kind, const KvsqlName *name, GPtrArray *known,
           GError **error)
{
  const gchar *near = kvsql_suggest (name->text, (const gchar *const *)known->pdata, known->len);

  if (!kvsql_catalog_check_known (self, error))
    return;
  kvsql_error_set (error, KVSQL_ERROR_UNKNOWN_NAME, name->span, "%s \"%s\" does not exist", kind,
                   name->text);
  if (strcmp (kind, "relation") == 0)
    kvsql_error_sqlstate (error, "42P01");
  if (near != NULL)
    kvsql_error_hint (error, "Did you mean \"%s\"?", near);
  else if (self->entries->len == 0)
    kvsql_error_hint (error, "Nothing is defined yet; begin with DEFINE RELATION.");
  else if (known->len == 0)
    kvsql_error_hint (error, "No schema is defined yet; begin with DEFINE PRIMARY SCHEMA … FOR %s.",
                      ((KvsqlCatalogEntry *)self->entries->pdata[0])->relation->name);
}

/* FROM has views and sequences expanded before a relation is looked for. */
static void
fail_other (const gchar *name, const gchar *what, KvsqlSpan span, const gchar *hint, GError **error)
{
  kvsql_error_set (error, KVSQL_ERROR_INVALID, span, "\"%s\" is a %s, not a relation", name, what);
  kvsql_error_sqlstate (error, "42809");
  kvsql_error_hint (error, "%s", hint);
}

/* TRUE with an error: the name is that of something else. */
static gboolean
is_of_other (const KvsqlCatalog *self, const KvsqlName *name, GError **error)
{
  const KvsqlView *view = kvsql_catalog_lookup_view (self, name);
  const KvsqlNumberSequence *sequence
      = view == NULL ? kvsql_catalog_lookup_sequence (self, name) : NULL;

  if (view != NULL)
    fail_other (view->definition->name.text, "view", name->span,
                "A view can only be selected from: name the relations that it reads.", error);
  else if (sequence != NULL)
    fail_other (sequence->name, "sequence", name->span,
                "setval () and ALTER SEQUENCE change a sequence.", error);
  return view != NULL || sequence != NULL;
}

const KvsqlCatalogEntry *
kvsql_catalog_find (const KvsqlCatalog *self, const KvsqlName *name, GError **error)
{
  const KvsqlCatalogEntry *entry = kvsql_catalog_lookup (self, name);
  g_autoptr (GPtrArray) known = NULL;

  if (entry != NULL)
    return entry;
  if (is_of_other (self, name, error))
    return NULL;
  known = g_ptr_array_new ();
  for (guint i = 0; i < self->entries->len; i++)
    g_ptr_array_add (known,
                     (gpointer)((KvsqlCatalogEntry *)self->entries->pdata[i])->relation->name);
  not_found (self, "relation", name, known, error);
  return NULL;
}

const KvsqlSchema *
kvsql_catalog_find_schema (const KvsqlCatalog *self, const KvsqlName *name, GError **error)
{
  const KvsqlSchema *schema = kvsql_catalog_lookup_schema (self, name);
  g_autoptr (GPtrArray) known = NULL;

  if (schema != NULL)
    return schema;
  known = g_ptr_array_new ();
  for (guint i = 0; i < self->entries->len; i++)
    {
      const KvsqlCatalogEntry *entry = self->entries->pdata[i];
      for (guint j = 0; j < entry->n_schemas; j++)
        g_ptr_array_add (known, (gpointer)entry->schemas[j]->name);
    }
  not_found (self, "schema", name, known, error);
  return NULL;
}

gboolean
kvsql_catalog_fail_unknown (const KvsqlCatalog *self, const KvsqlName *name, GError **error)
{
  g_autoptr (GPtrArray) known = g_ptr_array_new ();
  const gchar *near;

  if (!kvsql_catalog_check_known (self, error))
    return FALSE;
  for (guint i = 0; i < self->entries->len; i++)
    {
      const KvsqlCatalogEntry *entry = self->entries->pdata[i];
      g_ptr_array_add (known, (gpointer)entry->relation->name);
      for (guint j = 0; j < entry->n_schemas; j++)
        g_ptr_array_add (known, (gpointer)entry->schemas[j]->name);
    }
  for (guint i = 0; i < self->views->len; i++)
    g_ptr_array_add (known,
                     (gpointer)((const KvsqlView *)self->views->pdata[i])->definition->name.text);
  near = kvsql_suggest (name->text, (const gchar *const *)known->pdata, known->len);
  kvsql_error_set (error, KVSQL_ERROR_UNKNOWN_NAME, name->span,
                   "there is no relation, schema or view \"%s\"", name->text);
  kvsql_error_sqlstate (error, "42P01");
  return near != NULL && kvsql_error_hint (error, "Did you mean \"%s\"?", near);
}

/* ---- building */

/* The index in self->entries, which is sorted by name. */
static guint
index_of (const KvsqlCatalog *self, const gchar *name)
{
  guint low = 0, high = self->entries->len;

  while (low < high)
    {
      guint middle = low + (high - low) / 2;
      const KvsqlCatalogEntry *entry = self->entries->pdata[middle];

      if (strcmp (entry->relation->name, name) < 0)
        low = middle + 1;
      else
        high = middle;
    }
  return low;
}

/* The number of a relation that is new to @self. One of the same name in @before hands its number
 * on: clients keep it, also while the definition changes. */
static guint32
choose_number (const KvsqlCatalog *self, const KvsqlCatalog *before, const gchar *name)
{
  const GPtrArray *found = before == NULL ? NULL : index_find (before->relations, name);
  guint32 number = kvsql_object_number ("relation ", name);

  for (guint i = 0; found != NULL && i < found->len; i++)
    {
      const KvsqlCatalogEntry *entry = found->pdata[i];
      if (strcmp (entry->relation->name, name) == 0)
        return entry->relation->number;
    }
  while (g_hash_table_contains (self->numbers, GUINT_TO_POINTER (number))
         || (before != NULL && g_hash_table_contains (before->numbers, GUINT_TO_POINTER (number))))
    number = kvsql_object_number_after (number);
  return number;
}

static void
add_relation (KvsqlCatalog *self, KvsqlRelation *relation, const gchar *text)
{
  KvsqlCatalogEntry *entry = g_new0 (KvsqlCatalogEntry, 1);

  g_hash_table_add (self->numbers, GUINT_TO_POINTER (relation->number));
  entry->relation = relation;
  g_ptr_array_insert (self->entries, (gint)index_of (self, relation->name), entry);
  index_add (self->relations, relation->name, entry);
  g_hash_table_replace (self->relation_texts, g_strdup (text), entry);
}

static void
add_all_neighbours (KvsqlSchema *schema, const GPtrArray *others)
{
  for (guint i = 0; others != NULL && i < others->len; i++)
    kvsql_schema_add_neighbour (schema, others->pdata[i]);
}

/* Makes a schema the neighbour of the schemas that may use the same tables. */
static void
add_neighbours (KvsqlCatalog *self, KvsqlSchema *schema)
{
  GPtrArray *same = g_hash_table_lookup (self->tables, schema);
  GHashTableIter iter;
  gpointer others;

  add_all_neighbours (schema, self->variable_tables);
  if (!schema->has_constant_table)
    {
      g_hash_table_iter_init (&iter, self->tables);
      while (g_hash_table_iter_next (&iter, NULL, &others))
        add_all_neighbours (schema, others);
      g_ptr_array_add (self->variable_tables, schema);
      return;
    }
  add_all_neighbours (schema, same);
  if (same == NULL)
    {
      same = g_ptr_array_new ();
      g_hash_table_insert (self->tables, schema, same);
    }
  g_ptr_array_add (same, schema);
}

static void
add_schema (KvsqlCatalog *self, KvsqlCatalogEntry *entry, KvsqlSchema *schema, const gchar *text)
{
  guint at = schema->is_primary ? 0 : entry->n_schemas;

  g_assert (schema->relation == entry->relation); /* numbers of attributes are the same */
  g_assert (schema->neighbours->len == 0);        /* of another catalog, which may end before */
  add_neighbours (self, schema);
  entry->schemas = g_renew (KvsqlSchema *, entry->schemas, entry->n_schemas + 1);
  memmove (entry->schemas + at + 1, entry->schemas + at,
           (entry->n_schemas - at) * sizeof (KvsqlSchema *));
  entry->schemas[at] = schema;
  entry->n_schemas++;
  index_add (self->schemas, schema->name, schema);
  g_hash_table_replace (self->schema_texts, g_strdup (text), schema);
}

static gboolean
compile (KvsqlCatalog *self, const KvsqlCatalog *before, const gchar *text, GError **error)
{
  g_autoptr (KvsqlArena) arena = kvsql_arena_new ();
  KvsqlAstStatement *statement
      = kvsql_parser_parse_definition (kvsql_slice_from_text (text), arena, error);
  KvsqlCatalogEntry *entry;
  KvsqlRelation *relation;
  KvsqlSchema *schema;

  if (statement == NULL)
    return FALSE;
  if (statement->kind == KVSQL_STATEMENT_DEFINE_RELATION)
    {
      relation = kvsql_relation_new (&statement->define_relation, error);
      if (relation == NULL)
        return FALSE;
      relation->number = choose_number (self, before, relation->name);
      add_relation (self, relation, text);
      return TRUE;
    }
  entry = (KvsqlCatalogEntry *)kvsql_catalog_find (self, &statement->define_schema.relation, error);
  if (entry == NULL)
    return FALSE;
  schema = kvsql_schema_new (&statement->define_schema, entry->relation, error);
  if (schema != NULL)
    add_schema (self, entry, schema, text);
  return schema != NULL;
}

/* Shares a definition that has not changed. A schema can be shared only if its relation is. */
static gboolean
share (KvsqlCatalog *self, const KvsqlCatalog *before, const gchar *text)
{
  const KvsqlCatalogEntry *entry = g_hash_table_lookup (before->relation_texts, text);
  const KvsqlSchema *schema = g_hash_table_lookup (before->schema_texts, text);
  const GPtrArray *found;

  if (entry != NULL)
    {
      add_relation (self, kvsql_relation_ref (entry->relation), text);
      return TRUE;
    }
  if (schema == NULL)
    return FALSE;
  found = index_find (self->relations, schema->relation->name);
  for (guint i = 0; found != NULL && i < found->len; i++)
    {
      KvsqlCatalogEntry *own = found->pdata[i];

      if (own->relation != schema->relation)
        continue;
      add_schema (self, own, kvsql_schema_share (schema), text);
      return TRUE;
    }
  return FALSE;
}

void
kvsql_catalog_add_definition (KvsqlCatalog *self, const KvsqlCatalog *before, const gchar *text)
{
  g_autoptr (GError) error = NULL;

  if ((before == NULL || !share (self, before, text)) && !compile (self, before, text, &error))
    g_ptr_array_add (self->load_errors, g_strdup_printf ("%s: %s", text, error->message));
}

gboolean
kvsql_catalog_check_schema (const KvsqlCatalog *self, const KvsqlSchema *schema,
                            const KvsqlDefineSchema *definition, GError **error)
{
  for (guint i = 0; i < self->entries->len; i++)
    {
      const KvsqlCatalogEntry *entry = self->entries->pdata[i];
      for (guint j = 0; j < entry->n_schemas; j++)
        {
          const KvsqlSchema *other = entry->schemas[j];
          if (schema->is_primary && other->is_primary && other->relation == schema->relation)
            return kvsql_error_set (error, KVSQL_ERROR_ALREADY_EXISTS, definition->name.span,
                                    "relation \"%s\" already has a primary schema, \"%s\"",
                                    entry->relation->name, other->name)
                   || kvsql_error_hint (error, "Leave out PRIMARY to add another schema.");
          if (!kvsql_schema_check_alone (schema, other, definition->name.span, error)
              || !kvsql_schema_check_disjoint (schema, other, definition->name.span, error))
            return FALSE;
        }
    }
  return TRUE;
}
