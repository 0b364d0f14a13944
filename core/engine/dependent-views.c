/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * dependent-views.c: the views that name a relation or another view.
 */
#include "config.h"

#include "core/base/interrupt.h"
#include "core/engine/definitions-private.h"

static const gchar *
name_of (const KvsqlView *view)
{
  return view->definition->name.text;
}

/* Whether @view names @entry or @other in a FROM. One of them is NULL. */
static gboolean
reads (const KvsqlCatalog *catalog, const KvsqlView *view, const KvsqlCatalogEntry *entry,
       const KvsqlView *other)
{
  for (guint i = 0; i < view->uses->len; i++)
    {
      const KvsqlName *name = view->uses->pdata[i];

      if (entry != NULL ? kvsql_catalog_lookup (catalog, name) == entry
                        : kvsql_catalog_lookup_view (catalog, name) == other)
        return TRUE;
    }
  return FALSE;
}

static gboolean
fail_used (const gchar *what, const gchar *name, const KvsqlView *view, KvsqlSpan span,
           const gchar *hint, GError **error)
{
  kvsql_error_set (error, KVSQL_ERROR_INVALID, span, "%s \"%s\" is used by view \"%s\"", what, name,
                   name_of (view));
  kvsql_error_sqlstate (error, "2BP01");
  return kvsql_error_hint (error, "%s", hint);
}

static void
add_removal (KvsqlDecision *self, const KvsqlView *view)
{
  kvsql_decision_add (self, KVSQL_DEFINITION_VIEW, name_of (view), view->definition->name.is_quoted,
                      NULL);
}

/* Adds to @out the views that read @entry or @view, directly. */
static void
collect_readers (const KvsqlCatalog *catalog, const KvsqlCatalogEntry *entry, const KvsqlView *view,
                 GPtrArray *out)
{
  for (guint i = 0; i < catalog->views->len && kvsql_interrupt_tick (); i++)
    {
      KvsqlView *reader = catalog->views->pdata[i];

      if (reads (catalog, reader, entry, view) && !g_ptr_array_find (out, reader, NULL))
        g_ptr_array_add (out, reader);
    }
}

/* Whether DROP VIEW names the view, too. */
static gboolean
is_named (const KvsqlCatalog *catalog, const KvsqlDrop *drop, const KvsqlView *view)
{
  for (guint i = 0; drop->is_view && i < drop->n_others; i++)
    if (kvsql_catalog_lookup_view (catalog, &drop->others[i]) == view)
      return TRUE;
  return FALSE;
}

gboolean
kvsql_decision_drop_readers (KvsqlDecision *self, const KvsqlCatalogEntry *entry,
                             const KvsqlView *view, const KvsqlDrop *drop, GError **error)
{
  const KvsqlCatalog *catalog = self->execution->catalog;
  g_autoptr (GPtrArray) readers = g_ptr_array_new ();

  collect_readers (catalog, entry, view, readers);
  for (guint i = readers->len; i-- > 0;)
    if (is_named (catalog, drop, readers->pdata[i]))
      g_ptr_array_remove_index (readers, i);
  if (readers->len > 0 && !drop->is_cascade)
    return fail_used (
        entry != NULL ? "relation" : "view", entry != NULL ? entry->relation->name : name_of (view),
        readers->pdata[0], drop->name.span,
        "Drop the view first, or add CASCADE, which drops all views that use it.", error);
  for (guint i = 0; i < readers->len; i++)
    collect_readers (catalog, NULL, readers->pdata[i], readers);
  if (readers->len > KVSQL_MAX_DROPPED_VIEWS)
    return kvsql_error_set (error, KVSQL_ERROR_LIMIT, drop->name.span,
                            "more than %d views use \"%s\"", KVSQL_MAX_DROPPED_VIEWS,
                            drop->name.text)
           || kvsql_error_hint (error, "Drop some of them first.");
  for (guint i = 0; i < readers->len; i++)
    {
      add_removal (self, readers->pdata[i]);
      kvsql_result_page_note (self->page, "view \"%s\" is dropped, too",
                              name_of (readers->pdata[i]));
    }
  return kvsql_interrupt_poll (error);
}

gboolean
kvsql_decision_check_readers (const KvsqlDecision *self, const KvsqlCatalogEntry *entry,
                              const KvsqlName *attribute, KvsqlSpan span, GError **error)
{
  const KvsqlCatalog *catalog = self->execution->catalog;
  const KvsqlName *name = attribute;

  for (guint i = 0; i < catalog->views->len; i++)
    {
      const KvsqlView *view = catalog->views->pdata[i];

      if (!reads (catalog, view, entry, NULL)
          || (name != NULL && !kvsql_view_names_attribute (view, name->text)))
        continue;
      return fail_used (name != NULL ? "attribute" : "relation",
                        name != NULL ? name->text : entry->relation->name, view, span,
                        "Drop the view first, and define it again after that.", error);
    }
  return TRUE;
}

gboolean
kvsql_decision_reject_view (const KvsqlDecision *self, const KvsqlName *name, GError **error)
{
  const KvsqlView *view = kvsql_catalog_lookup_view (self->execution->catalog, name);

  return view == NULL
         || kvsql_error_set (error, KVSQL_ERROR_ALREADY_EXISTS, name->span,
                             "\"%s\" exists already: it is a view", name_of (view))
         || kvsql_error_hint (error, "Relations and views share their names.");
}
