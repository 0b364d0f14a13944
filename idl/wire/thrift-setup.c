/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * thrift-setup.c: see thrift-setup.h.
 *
 * A test compares the list below with the generated headers.
 */
#include "config.h"

#include "idl/wire/thrift-setup.h"

#include <thrift/c_glib/thrift.h>
#include <thrift/c_glib/thrift_application_exception.h>

#include "idl/wire/protocol-private.h"
#include "kvsql_rpc_kvsql_types.h"
#include "kvsql_rpc_sql.h"

/* GType -> finalize. Only read after the setup, so it needs no lock. */
static GHashTable *generated_finalize;

typedef void (*Finalize) (GObject *object);

static void
register_types (void)
{
  GType (*const get_type[]) (void) = {
    kvsql_rpc_sql_error_get_type,
    kvsql_rpc_value_get_type,
    kvsql_rpc_column_info_get_type,
    kvsql_rpc_column_get_type,
    kvsql_rpc_page_get_type,
    kvsql_rpc_query_options_get_type,
    kvsql_rpc_server_info_get_type,
    kvsql_rpc_parameter_get_type,
    kvsql_rpc_statement_get_type,
    kvsql_rpc_plan_get_type,
    kvsql_rpc_sql_begin_authentication_args_get_type,
    kvsql_rpc_sql_begin_authentication_result_get_type,
    kvsql_rpc_sql_finish_authentication_args_get_type,
    kvsql_rpc_sql_finish_authentication_result_get_type,
    kvsql_rpc_sql_hello_args_get_type,
    kvsql_rpc_sql_hello_result_get_type,
    kvsql_rpc_sql_query_args_get_type,
    kvsql_rpc_sql_query_result_get_type,
    kvsql_rpc_sql_prepare_args_get_type,
    kvsql_rpc_sql_prepare_result_get_type,
    kvsql_rpc_sql_execute_args_get_type,
    kvsql_rpc_sql_execute_result_get_type,
    kvsql_rpc_sql_close_statement_args_get_type,
    kvsql_rpc_sql_close_statement_result_get_type,
    kvsql_rpc_sql_fetch_args_get_type,
    kvsql_rpc_sql_fetch_result_get_type,
    kvsql_rpc_sql_close_cursor_args_get_type,
    kvsql_rpc_sql_close_cursor_result_get_type,
    kvsql_rpc_sql_insert_rows_args_get_type,
    kvsql_rpc_sql_insert_rows_result_get_type,
    kvsql_rpc_sql_partition_args_get_type,
    kvsql_rpc_sql_partition_result_get_type,
    kvsql_rpc_sql_explain_args_get_type,
    kvsql_rpc_sql_explain_result_get_type,
    kvsql_rpc_sql_if_get_type,
    kvsql_rpc_sql_client_get_type,
    kvsql_rpc_sql_handler_get_type,
    kvsql_rpc_sql_processor_get_type,
    thrift_application_exception_get_type,
    kvsql_transport_get_type,
    kvsql_binary_protocol_get_type,
    kvsql_compact_protocol_get_type,
  };

  for (guint i = 0; i < G_N_ELEMENTS (get_type); i++)
    {
      GType type = get_type[i]();

      if (G_TYPE_IS_CLASSED (type))
        g_type_class_ref (type); /* never unreferenced */
    }
}

/* Also called for a subclass of a generated struct, when that chains up. */
static void
finalize_and_chain_up (GObject *object)
{
  GType type = G_OBJECT_TYPE (object);
  Finalize finalize;

  while ((finalize = (Finalize)g_hash_table_lookup (generated_finalize, GSIZE_TO_POINTER (type)))
         == NULL)
    type = g_type_parent (type);
  finalize (object);
  G_OBJECT_CLASS (g_type_class_peek (THRIFT_TYPE_STRUCT))->finalize (object);
}

static void
repair_finalize (void)
{
  guint n;
  g_autofree GType *types = g_type_children (THRIFT_TYPE_STRUCT, &n);
  GObjectClass *base = g_type_class_ref (THRIFT_TYPE_STRUCT);

  generated_finalize = g_hash_table_new (NULL, NULL);
  for (guint i = 0; i < n; i++)
    {
      GObjectClass *klass = g_type_class_ref (types[i]);

      if (klass->finalize == base->finalize)
        continue;
      g_hash_table_insert (generated_finalize, GSIZE_TO_POINTER (types[i]),
                           (gpointer)klass->finalize);
      klass->finalize = finalize_and_chain_up;
    }
}

void
kvsql_thrift_setup (void)
{
  static gsize done;

  if (g_once_init_enter (&done))
    {
      register_types ();
      repair_finalize ();
      g_once_init_leave (&done, 1);
    }
}
