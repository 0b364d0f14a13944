/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * number-sequence.h: a sequence of CREATE SEQUENCE: what it counts, and how far.
 *
 * It is an entry of the registry, one line of words. Daemons lease blocks of its numbers: each
 * changes the entry at the epoch that it has read, so no number is given twice. What a daemon has
 * leased and not given when it ends is a gap.
 *
 * Threads: a sequence of a catalog is immutable.
 */
#pragma once

#include "core/base/error.h"
#include "core/catalog/acl.h"

G_BEGIN_DECLS

typedef struct
{
  gchar *name; /* as in the registry */
  gint64 start, increment, minimum, maximum;
  gboolean is_cyclic;
  gboolean is_owned;     /* by a relation whose DEFAULT uses it: dropped with it */
  gboolean is_identity;  /* of an attribute GENERATED … AS IDENTITY; is owned, too */
  guint64 id;            /* random. A lease of another id counts no more: setval () changes it */
  gint64 next;           /* the first number that no daemon has leased */
  gboolean is_exhausted; /* there is no such number */
  KvsqlAcl *acl;         /* nullable: its owner, and rights on it; not part of its entry */
} KvsqlNumberSequence;

/* As in PostgreSQL: of a BIGINT, from 1, or from -1 down. */
KvsqlNumberSequence *kvsql_number_sequence_new (const gchar *name, gint64 increment);
KvsqlNumberSequence *kvsql_number_sequence_copy (const KvsqlNumberSequence *self);
void kvsql_number_sequence_free (gpointer self); /* accepts NULL */

/* Before its options are changed: numbers that daemons have leased are not given any more, once
 * they know of the change. After kvsql_number_sequence_go_on(), a sequence whose last number was
 * given may have another one. FALSE: it has none. */
void kvsql_number_sequence_release (KvsqlNumberSequence *self);
gboolean kvsql_number_sequence_go_on (KvsqlNumberSequence *self);

/* The entry. (transfer full) */
gchar *kvsql_number_sequence_print (const KvsqlNumberSequence *self);
KvsqlNumberSequence *kvsql_number_sequence_parse (const gchar *name, const gchar *text,
                                                  GError **error);
/* CREATE SEQUENCE …, for people. (transfer full) */
gchar *kvsql_number_sequence_to_sql (const KvsqlNumberSequence *self);

/**
 * kvsql_number_sequence_take:
 * @n_wanted: at least 1
 *
 * Takes the next numbers, *@out_n of them, at least one: *@out_first and so on, by @increment.
 * Errors: SQLSTATE 2200H if there is none left.
 */
gboolean kvsql_number_sequence_take (KvsqlNumberSequence *self, guint64 n_wanted, gint64 *out_first,
                                     guint64 *out_n, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* The last number that a daemon has leased, and TRUE; or the first one that will be, and FALSE. */
gint64 kvsql_number_sequence_get_last (const KvsqlNumberSequence *self, gboolean *out_is_called);

/* @value becomes the next number, or with @is_called the one before it. Errors: SQLSTATE 22003. */
gboolean kvsql_number_sequence_set (KvsqlNumberSequence *self, gint64 value, gboolean is_called,
                                    GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* The name in the registry that the argument of nextval () means: in lower case, unless it is in
 * double quotes. "public." before it is ignored. (transfer full) */
gchar *kvsql_number_sequence_fold_argument (const gchar *text);
/* The reverse. (transfer full) */
gchar *kvsql_number_sequence_to_argument (const gchar *name);

G_END_DECLS
