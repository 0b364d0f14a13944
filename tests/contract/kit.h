/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * kit.h: the functions of the contract's tests.
 *
 * Rows and columns ("family:qualifier") are C text. A result is text, too: "a{f:q=v@5 g:=w@6}
 * b{f:q=x@5}". Any failure ends the test.
 */
#pragma once

#include "tests/contract/contract.h"

G_BEGIN_DECLS

#define S(text) KVSQL_SLICE_LITERAL (text)

/* The table of one test. */
typedef struct
{
  KvsqlStore *store;
  KvsqlSlice name;
} ContractTable;

typedef struct
{
  const gchar *path;
  void (*run) (ContractTable *table);
  guint needs;   /* KvsqlStoreFlags that the test requires, */
  guint forbids; /* and those that exclude it */
} ContractTest;

extern const ContractTest contract_read_tests[];
extern const ContractTest contract_filter_tests[];
extern const ContractTest contract_split_tests[];
extern const ContractTest contract_write_tests[];
extern const ContractTest contract_condition_tests[];
extern const ContractTest contract_table_tests[];
extern const ContractTest contract_call_tests[];
extern const ContractTest contract_thread_tests[];

/* A call that must succeed. */
KvsqlCall contract_call (void);
gboolean contract_has (const ContractTable *table, KvsqlStoreFlags flag);

/* A table of another name in the same store; the names of one test have the same prefix. */
gchar *contract_table_name (const gchar *suffix);
void contract_ensure_table (KvsqlStore *store, KvsqlSlice name);
void contract_drop_table (KvsqlStore *store, KvsqlSlice name);

/* The number at the start of a row key. */
guint contract_number_of (KvsqlSlice key);

KvsqlMutation contract_put (const ContractTable *table, const gchar *row, const gchar *column,
                            const gchar *value, gint64 timestamp);
KvsqlMutation contract_delete (const ContractTable *table, const gchar *row, const gchar *column,
                               gint64 timestamp);
KvsqlMutation contract_delete_row (const ContractTable *table, const gchar *row, gint64 timestamp);
void contract_apply (const ContractTable *table, const KvsqlMutation *mutations, guint n);
#define contract_apply_all(table, ...)                                                             \
  contract_apply ((table), (const KvsqlMutation[]){ __VA_ARGS__ },                                 \
                  sizeof ((const KvsqlMutation[]){ __VA_ARGS__ }) / sizeof (KvsqlMutation))

KvsqlColumn contract_column (const gchar *column); /* "f:" has the empty qualifier */
KvsqlColumn contract_family (const gchar *family);

/* Adds to @spec the table, and a range over all of it if it has none. */
KvsqlScan *contract_open_scan (const ContractTable *table, const KvsqlScanSpec *spec);
gchar *contract_scan (const ContractTable *table, const KvsqlScanSpec *spec);
gchar *contract_get (const ContractTable *table, const KvsqlSlice *keys, guint n_keys,
                     const KvsqlColumn *columns, guint n_columns);
void contract_append_rows (GString *out, const KvsqlRows *rows);

#define contract_assert_rows(table, expected)                                                      \
  G_STMT_START                                                                                     \
  {                                                                                                \
    g_autofree gchar *contract_rows = contract_scan ((table), NULL);                               \
    g_assert_cmpstr (contract_rows, ==, (expected));                                               \
  }                                                                                                \
  G_STMT_END

G_END_DECLS
