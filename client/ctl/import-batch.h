/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * import-batch.h: some rows of a file that follow each other, on their way to kvsqld.
 *
 * A row that is refused, by the parser, by its type or by kvsqld, keeps its bytes and says why;
 * the others are written.
 *
 * Threads: a batch belongs to one thread at a time.
 */
#pragma once

#include "client/ctl/import-target.h"
#include "client/ctl/patience.h"
#include "client/ctl/record-reader.h"

G_BEGIN_DECLS

typedef struct
{
  gsize start; /* in the batch's bytes */
  gsize size;
  guint64 line;            /* in the file, from 1 */
  KvsqlctlProblem problem; /* message: NULL unless it is refused */
} KvsqlctlRow;

typedef struct
{
  const KvsqlctlTarget *target;
  guint64 number;     /* in the order of the file, from 1 */
  guint64 end_offset; /* behind its last row */
  guint64 end_line;
  guint64 n_written;

  GString *bytes;
  GString *unescaped;
  GArray *fields;   /* KvsqlctlField: of each row one for each column; starts count in the batch */
  GArray *rows;     /* KvsqlctlRow */
  GArray *keys;     /* guint64: hashes */
  gboolean is_done; /* guarded by the pool */
} KvsqlctlBatch;

KvsqlctlBatch *kvsqlctl_batch_new (const KvsqlctlTarget *target);
void kvsqlctl_batch_free (KvsqlctlBatch *self); /* accepts NULL */

/* Whether a row can go along: rows of one batch lack the same members. */
gboolean kvsqlctl_batch_fits (const KvsqlctlBatch *self, const KvsqlctlField *fields);

/**
 * kvsqlctl_batch_add:
 * @self: a batch
 * @reader: stands on the row
 * @fields: (nullable): for each column, as kvsqlctl_target_arrange() gave them; %NULL if it is
 *   refused
 * @problem: (nullable) (transfer full): why it is
 */
void kvsqlctl_batch_add (KvsqlctlBatch *self, const KvsqlctlReader *reader,
                         const KvsqlctlField *fields, KvsqlctlProblem *problem);

/* A row's bytes as they were in the file. */
const gchar *kvsqlctl_batch_get_bytes (const KvsqlctlBatch *self, const KvsqlctlRow *row);

/* Refuses a row for what kvsqld said about it. */
void kvsqlctl_batch_refuse (KvsqlctlBatch *self, guint row, const GError *error);

/**
 * kvsqlctl_batch_send:
 * @self: a batch
 * @connection: where to
 * @patience: how often
 * @error: return location
 *
 * A request whose outcome is unknown is sent again: a plain INSERT may be repeated.
 *
 * Returns: %TRUE if every row is written or refused
 */
gboolean kvsqlctl_batch_send (KvsqlctlBatch *self, KvsqlConnection *connection,
                              const KvsqlctlPatience *patience, GError **error);

/* The hash of the key of a row, the same for values that are the same key. */
guint64 kvsqlctl_hash_key (const KvsqlctlTarget *target, const KvsqlctlRecord *record,
                           const gchar *bytes, const KvsqlctlField *fields);

/* Whether what JSON says of a value suits its attribute. FALSE with @problem, but for its place. */
gboolean kvsqlctl_check_kind (const KvsqlctlAttribute *attribute, KvsqlctlFieldKind kind,
                              KvsqlctlProblem *problem);

/* Appends the value of a field. FALSE with @out_problem, but for its place, if it is none. */
gboolean kvsqlctl_append_field (KvsqlBulk *bulk, guint column, const KvsqlctlAttribute *attribute,
                                KvsqlctlFieldKind kind, const gchar *text, gsize size,
                                KvsqlctlProblem *out_problem);

/* \x00ff or x'00ff' as bytes. Returns: (nullable): NULL if it is neither */
GByteArray *kvsqlctl_read_hex (const gchar *text, gsize size);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (KvsqlctlBatch, kvsqlctl_batch_free)

G_END_DECLS
