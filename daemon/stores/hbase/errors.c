/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * errors.c: a table that maps parts of HBase's messages to their meaning.
 */
#include "config.h"

#include "daemon/stores/hbase/errors.h"

#define STACK_TRACE "\n\tat"
#define MAX_MESSAGE 400

static const struct
{
  const gchar *piece;
  KvsqldHbaseErrorKind kind;
} signs[] = {
  { "NoSuchColumnFamilyException", KVSQLD_HBASE_NO_FAMILY },
  { "UnknownScannerException", KVSQLD_HBASE_NO_SCANNER },
  { "OutOfOrderScannerNextException", KVSQLD_HBASE_NO_SCANNER },
  { "ScannerResetException", KVSQLD_HBASE_NO_SCANNER },
  { "ScannerTimeoutException", KVSQLD_HBASE_NO_SCANNER },
  { "LeaseException", KVSQLD_HBASE_NO_SCANNER },
  { "NamespaceNotFoundException", KVSQLD_HBASE_NO_NAMESPACE },
  { "TableNotFoundException", KVSQLD_HBASE_NO_TABLE },
  { "TableExistsException", KVSQLD_HBASE_TABLE_EXISTS },
  { "NamespaceExistException", KVSQLD_HBASE_NAMESPACE_EXISTS },
  { "TableNotEnabledException", KVSQLD_HBASE_TABLE_DISABLED },
  { " is disabled.", KVSQLD_HBASE_TABLE_DISABLED },
  { "already exists", KVSQLD_HBASE_FAMILY_EXISTS },
  { "Field is not a long", KVSQLD_HBASE_NO_COUNTER },
  { "Timestamp cannot be negative", KVSQLD_HBASE_OTHER },
  { "DoNotRetryIOException", KVSQLD_HBASE_OTHER },
  { "Failed after attempts", KVSQLD_HBASE_BUSY },
  { "RetriesExhausted", KVSQLD_HBASE_BUSY },
  { "Timeout", KVSQLD_HBASE_BUSY },
  { "NotServingRegion", KVSQLD_HBASE_BUSY },
  { "RegionTooBusy", KVSQLD_HBASE_BUSY },
  { "RegionServerStopped", KVSQLD_HBASE_BUSY },
  { "ServerNotRunning", KVSQLD_HBASE_BUSY },
  { "MasterNotRunning", KVSQLD_HBASE_BUSY },
  { "MasterRegistryFetch", KVSQLD_HBASE_BUSY },
  { "PleaseHold", KVSQLD_HBASE_BUSY },
  { "ConnectException", KVSQLD_HBASE_BUSY },
  { "could not be completed in", KVSQLD_HBASE_BUSY }, /* "Zookeeper LIST …": text of HBase */
  { "Failed ", KVSQLD_HBASE_BUSY },
};

gchar *
kvsqld_hbase_clean_message (KvsqlSlice message)
{
  const gchar *trace
      = g_strstr_len ((const gchar *)message.data, (gssize)message.size, STACK_TRACE);
  gsize size = trace != NULL ? (gsize)(trace - (const gchar *)message.data) : message.size;
  g_autofree gchar *text = g_strndup ((const gchar *)message.data, MIN (size, MAX_MESSAGE));

  g_strstrip (g_strdelimit (text, "\r\n\t", ' '));
  return g_utf8_make_valid (text, -1);
}

/* The message of a failed write to a missing table is only "Failed 1 action: TABLE: 1 time, …". */
static gboolean
is_failure_of_table (const gchar *message, KvsqlSlice table)
{
  g_autofree gchar *piece = g_strdup_printf (": %.*s: ", (gint)table.size, (gchar *)table.data);

  return g_str_has_prefix (message, "Failed ") && strstr (message, piece) != NULL;
}

static KvsqldHbaseErrorKind
diagnose (const KvsqldT2Reply *reply, const gchar *message, KvsqlSlice table)
{
  if (reply->status == KVSQLD_T2_OK)
    return KVSQLD_HBASE_FINE;
  if (reply->status == KVSQLD_T2_ILLEGAL_ARGUMENT)
    return strstr (message, "scanner") != NULL ? KVSQLD_HBASE_NO_SCANNER : KVSQLD_HBASE_OTHER;
  if (reply->status == KVSQLD_T2_APPLICATION_ERROR)
    return KVSQLD_HBASE_OTHER;
  if (table.size > 0 && kvsql_slice_equal (reply->message, table))
    return KVSQLD_HBASE_NO_TABLE;
  for (guint i = 0; i + 1 < G_N_ELEMENTS (signs); i++)
    if (strstr (message, signs[i].piece) != NULL)
      return signs[i].kind;
  if (table.size > 0 && is_failure_of_table (message, table))
    return KVSQLD_HBASE_NO_TABLE;
  return g_str_has_prefix (message, signs[G_N_ELEMENTS (signs) - 1].piece) ? KVSQLD_HBASE_BUSY
                                                                           : KVSQLD_HBASE_OTHER;
}

KvsqldHbaseErrorKind
kvsqld_hbase_diagnose (const KvsqldT2Reply *reply, KvsqlSlice table)
{
  g_autofree gchar *message = kvsqld_hbase_clean_message (reply->message);

  return diagnose (reply, message, table);
}

/* The gateway fails if it cannot parse a filter ("Internal error processing …"); a region server
 * names the class that it does not have. */
gboolean
kvsqld_hbase_is_of_filter (const KvsqldT2Reply *reply)
{
  g_autofree gchar *message = kvsqld_hbase_clean_message (reply->message);

  return reply->status == KVSQLD_T2_APPLICATION_ERROR || strstr (message, "ClassNotFound") != NULL
         || strstr (message, "Filter") != NULL;
}

gboolean
kvsqld_hbase_check_served (const KvsqldT2Reply *reply, GError **error)
{
  g_autofree gchar *message = NULL;

  if (reply->status != KVSQLD_T2_IO_ERROR)
    return TRUE;
  message = kvsqld_hbase_clean_message (reply->message);
  /* The last sign alone may mean that a table does not exist. */
  for (guint i = 0; i + 1 < G_N_ELEMENTS (signs); i++)
    if (strstr (message, signs[i].piece) != NULL)
      return signs[i].kind != KVSQLD_HBASE_BUSY
             || kvsql_error_set (error, KVSQL_ERROR_UNAVAILABLE, KVSQL_SPAN_NONE,
                                 "HBase could not answer: %s", message);
  return TRUE;
}

static gboolean
fail_for_known_family (const gchar *family, const gchar *table, GError **error)
{
  kvsql_error_set (error, KVSQL_ERROR_STORE, KVSQL_SPAN_NONE,
                   "column family \"%s\" does not exist in table \"%s\" of the store", family,
                   table);
  return kvsql_error_hint (error,
                           "Define the schema again, or in the HBase shell: alter '%s', NAME "
                           "=> '%s'",
                           table, family);
}

gboolean
kvsqld_hbase_fail_for_family (KvsqlSlice table, KvsqlSlice family, GError **error)
{
  g_autofree gchar *table_name = kvsql_readable (table), *name = kvsql_readable (family);

  return fail_for_known_family (name, table_name, error);
}

/* "Column family zz does not exist in region …" */
static gboolean
fail_for_family (const gchar *message, const gchar *table, GError **error)
{
  static const gchar before[] = "Column family ";
  const gchar *found = strstr (message, before);
  g_autofree gchar *family = NULL;

  if (found == NULL)
    {
      kvsql_error_set (error, KVSQL_ERROR_STORE, KVSQL_SPAN_NONE,
                       "a column family does not exist in table \"%s\" of the store", table);
      return kvsql_error_hint (error,
                               "The schema's FAMILY names it; in the HBase shell: alter "
                               "'%s', NAME => 'FAMILY'",
                               table);
    }
  found += sizeof before - 1;
  family = g_strndup (found, strcspn (found, " "));
  return fail_for_known_family (family, table, error);
}

static gboolean
fail_for_busy (const gchar *message, const KvsqldT2Method *method, GError **error)
{
  if (method->effect == KVSQLD_T2_READS)
    return kvsql_error_set (error, KVSQL_ERROR_UNAVAILABLE, KVSQL_SPAN_NONE,
                            "HBase could not answer: %s", message);
  kvsql_error_set (error, KVSQL_ERROR_UNKNOWN_OUTCOME, KVSQL_SPAN_NONE,
                   "the write may or may not have been done: %s", message);
  return kvsql_error_hint (error, "Read the data before you repeat the statement.");
}

/* In the order in which an error is recognized; @name is that of the table. */
static gboolean
fail_for_table (KvsqldHbaseErrorKind kind, const gchar *name, GError **error)
{
  switch (kind)
    {
    case KVSQLD_HBASE_NO_TABLE:
      kvsql_error_set (error, KVSQL_ERROR_STORE, KVSQL_SPAN_NONE,
                       "table \"%s\" does not exist in the store", name);
      return kvsql_error_hint (error,
                               "The next INSERT makes it, unless its schema says "
                               "create_tables = false; or in the HBase shell: create '%s', "
                               "'FAMILY' (the schema's)",
                               name);
    case KVSQLD_HBASE_NO_NAMESPACE:
      kvsql_error_set (error, KVSQL_ERROR_STORE, KVSQL_SPAN_NONE,
                       "the namespace of table \"%s\" does not exist in the store", name);
      return kvsql_error_hint (error, "In the HBase shell: create_namespace '%.*s'",
                               (gint)strcspn (name, ":"), name);
    default:
      kvsql_error_set (error, KVSQL_ERROR_STORE, KVSQL_SPAN_NONE,
                       "table \"%s\" is disabled in the store", name);
      return kvsql_error_hint (error, "In the HBase shell: enable '%s'", name);
    }
}

gboolean
kvsqld_hbase_fail (const KvsqldT2Reply *reply, const KvsqldT2Method *method, KvsqlSlice table,
                   GError **error)
{
  g_autofree gchar *message = kvsqld_hbase_clean_message (reply->message);
  g_autofree gchar *name = kvsql_readable (table);
  KvsqldHbaseErrorKind kind = diagnose (reply, message, table);

  switch (kind)
    {
    case KVSQLD_HBASE_NO_TABLE:
    case KVSQLD_HBASE_NO_NAMESPACE:
    case KVSQLD_HBASE_TABLE_DISABLED:
      return fail_for_table (kind, name, error);
    case KVSQLD_HBASE_NO_FAMILY:
      return fail_for_family (message, name, error);
    case KVSQLD_HBASE_NO_COUNTER:
      return kvsql_error_set (error, KVSQL_ERROR_STORE, KVSQL_SPAN_NONE,
                              "the cell is not a counter: its value is not 8 bytes long");
    case KVSQLD_HBASE_BUSY:
      return fail_for_busy (message, method, error);
    case KVSQLD_HBASE_NO_SCANNER:
    case KVSQLD_HBASE_TABLE_EXISTS:
    case KVSQLD_HBASE_NAMESPACE_EXISTS:
    case KVSQLD_HBASE_FAMILY_EXISTS:
    case KVSQLD_HBASE_OTHER:
    case KVSQLD_HBASE_FINE:
    default:
      return kvsql_error_set (error, KVSQL_ERROR_STORE, KVSQL_SPAN_NONE, "HBase refused %s: %s",
                              method->name, message);
    }
}
