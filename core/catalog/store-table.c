/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * store-table.c: see store-table.h.
 */
#include "config.h"

#include "core/catalog/store-table.h"

#include "core/base/account.h"
#include "core/base/interrupt.h"
#include "core/sql/printer.h"

/* An entry takes some 10 KiB, until the next change of a definition. */
#define MAX_TABLES 1000

static void
add_definitions (KvsqlCatalog *self, const KvsqlName *name)
{
  const KvsqlName relation_name = { .text = name->text, .is_quoted = TRUE };
  g_autoptr (GString) quoted = g_string_new (NULL);
  g_autofree gchar *relation = NULL, *schema = NULL;

  kvsql_print_name (&relation_name, quoted);
  relation = g_strdup_printf ("DEFINE RELATION %s { row BYTES KEY, family STRING KEY, qualifier "
                              "BYTES KEY, value BYTES, time TIMESTAMP }",
                              quoted->str);
  /* the text of the name is the layout of the table, too */
  schema = g_strdup_printf ("DEFINE PRIMARY SCHEMA cells FOR %s { %s, ROW row, FAMILY family, "
                            "QUALIFIER qualifier, VALUE value, TIMESTAMP time } WITH (role = read)",
                            quoted->str, name->text);
  kvsql_catalog_add_definition (self, NULL, relation);
  kvsql_catalog_add_definition (self, NULL, schema);
}

/* Without the limits of a statement, and not in its account: other statements use the table, too.
 */
static KvsqlCatalog *
define (const KvsqlName *name, GError **error)
{
  g_autoptr (KvsqlCatalog) self = kvsql_catalog_new (0);
  KvsqlAccount *account = kvsql_account_enter (NULL);
  KvsqlInterrupt none;

  kvsql_interrupt_enter (&none, NULL, NULL);
  add_definitions (self, name);
  kvsql_interrupt_leave (&none);
  kvsql_account_enter (account);
  if (self->load_errors->len > 0)
    {
      kvsql_error_set (error, KVSQL_ERROR_INVALID, name->span,
                       "a table of this name cannot be read: %s",
                       (const gchar *)self->load_errors->pdata[0]);
      return NULL;
    }
  ((KvsqlCatalogEntry *)self->entries->pdata[0])->is_store_table = TRUE;
  return g_steal_pointer (&self);
}

const KvsqlCatalogEntry *
kvsql_catalog_find_store_table (const KvsqlCatalog *self, const KvsqlName *name, GError **error)
{
  g_autoptr (GMutexLocker) locker = g_mutex_locker_new ((GMutex *)&self->store_tables_lock);
  KvsqlCatalog *table = g_hash_table_lookup (self->store_tables, name->text);

  if (table == NULL && g_hash_table_size (self->store_tables) >= MAX_TABLES)
    {
      kvsql_error_set (error, KVSQL_ERROR_LIMIT, name->span,
                       "more than %d tables were asked for by their names", MAX_TABLES);
      kvsql_error_hint (error, "Define relations for the tables that are read often.");
      return NULL;
    }
  if (table == NULL)
    {
      table = define (name, error);
      if (table == NULL)
        return NULL;
      g_hash_table_insert (self->store_tables, g_strdup (name->text), table);
    }
  return table->entries->pdata[0];
}
