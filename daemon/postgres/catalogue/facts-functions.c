/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * facts-functions.c: the functions of types, and those of statements. Written by generate.py.
 */
#include "config.h"

#include "daemon/postgres/catalogue/facts.h"

/* clang-format off */
const KvsqldPgRowFacts kvsqld_pg_function_facts[] = {
  { "pg_proc",
    "31\tbyteaout\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t1\t0\t2275\t17\t\\N\t\\N\t\\N"
    "\t\\N\t\\N\tbyteaout" },
  { "pg_proc",
    "33\tcharout\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t1\t0\t2275\t18\t\\N\t\\N\t\\N"
    "\t\\N\t\\N\tcharout" },
  { "pg_proc",
    "34\tnamein\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t1\t0\t19\t2275\t\\N\t\\N\t\\N\t"
    "\\N\t\\N\tnamein" },
  { "pg_proc",
    "35\tnameout\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t1\t0\t2275\t19\t\\N\t\\N\t\\N"
    "\t\\N\t\\N\tnameout" },
  { "pg_proc",
    "38\tint2in\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t1\t0\t21\t2275\t\\N\t\\N\t\\N\t"
    "\\N\t\\N\tint2in" },
  { "pg_proc",
    "39\tint2out\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t1\t0\t2275\t21\t\\N\t\\N\t\\N"
    "\t\\N\t\\N\tint2out" },
  { "pg_proc",
    "40\tint2vectorin\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t1\t0\t22\t2275\t\\N\t\\N"
    "\t\\N\t\\N\t\\N\tint2vectorin" },
  { "pg_proc",
    "41\tint2vectorout\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t1\t0\t2275\t22\t\\N\t\\N"
    "\t\\N\t\\N\t\\N\tint2vectorout" },
  { "pg_proc",
    "42\tint4in\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t1\t0\t23\t2275\t\\N\t\\N\t\\N\t"
    "\\N\t\\N\tint4in" },
  { "pg_proc",
    "43\tint4out\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t1\t0\t2275\t23\t\\N\t\\N\t\\N"
    "\t\\N\t\\N\tint4out" },
  { "pg_proc",
    "44\tregprocin\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ts\ts\t1\t0\t24\t2275\t\\N\t\\N\t"
    "\\N\t\\N\t\\N\tregprocin" },
  { "pg_proc",
    "45\tregprocout\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ts\ts\t1\t0\t2275\t24\t\\N\t\\N\t"
    "\\N\t\\N\t\\N\tregprocout" },
  { "pg_proc",
    "46\ttextin\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t1\t0\t25\t2275\t\\N\t\\N\t\\N\t"
    "\\N\t\\N\ttextin" },
  { "pg_proc",
    "47\ttextout\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t1\t0\t2275\t25\t\\N\t\\N\t\\N"
    "\t\\N\t\\N\ttextout" },
  { "pg_proc",
    "48\ttidin\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t1\t0\t27\t2275\t\\N\t\\N\t\\N\t"
    "\\N\t\\N\ttidin" },
  { "pg_proc",
    "49\ttidout\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t1\t0\t2275\t27\t\\N\t\\N\t\\N\t"
    "\\N\t\\N\ttidout" },
  { "pg_proc",
    "50\txidin\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t1\t0\t28\t2275\t\\N\t\\N\t\\N\t"
    "\\N\t\\N\txidin" },
  { "pg_proc",
    "51\txidout\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t1\t0\t2275\t28\t\\N\t\\N\t\\N\t"
    "\\N\t\\N\txidout" },
  { "pg_proc",
    "52\tcidin\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t1\t0\t29\t2275\t\\N\t\\N\t\\N\t"
    "\\N\t\\N\tcidin" },
  { "pg_proc",
    "53\tcidout\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t1\t0\t2275\t29\t\\N\t\\N\t\\N\t"
    "\\N\t\\N\tcidout" },
  { "pg_proc",
    "54\toidvectorin\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t1\t0\t30\t2275\t\\N\t\\N\t"
    "\\N\t\\N\t\\N\toidvectorin" },
  { "pg_proc",
    "55\toidvectorout\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t1\t0\t2275\t30\t\\N\t\\N"
    "\t\\N\t\\N\t\\N\toidvectorout" },
  { "pg_proc",
    "86\tpg_ddl_command_in\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t1\t0\t32\t2275\t\\N"
    "\t\\N\t\\N\t\\N\t\\N\tpg_ddl_command_in" },
  { "pg_proc",
    "87\tpg_ddl_command_out\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t1\t0\t2275\t32\t\\N"
    "\t\\N\t\\N\t\\N\t\\N\tpg_ddl_command_out" },
  { "pg_proc",
    "88\tpg_ddl_command_recv\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t1\t0\t32\t2281\t"
    "\\N\t\\N\t\\N\t\\N\t\\N\tpg_ddl_command_recv" },
  { "pg_proc",
    "89\tversion\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ts\ts\t0\t0\t25\t\t\\N\t\\N\t\\N\t\\N"
    "\t\\N\tpgsql_version" },
  { "pg_proc",
    "90\tpg_ddl_command_send\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t1\t0\t17\t32\t\\N"
    "\t\\N\t\\N\t\\N\t\\N\tpg_ddl_command_send" },
  { "pg_proc",
    "109\tunknownin\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t1\t0\t705\t2275\t\\N\t\\N\t"
    "\\N\t\\N\t\\N\tunknownin" },
  { "pg_proc",
    "110\tunknownout\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t1\t0\t2275\t705\t\\N\t\\N"
    "\t\\N\t\\N\t\\N\tunknownout" },
  { "pg_proc",
    "117\tpoint_in\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t1\t0\t600\t2275\t\\N\t\\N\t"
    "\\N\t\\N\t\\N\tpoint_in" },
  { "pg_proc",
    "118\tpoint_out\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t1\t0\t2275\t600\t\\N\t\\N\t"
    "\\N\t\\N\t\\N\tpoint_out" },
  { "pg_proc",
    "119\tlseg_in\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t1\t0\t601\t2275\t\\N\t\\N\t"
    "\\N\t\\N\t\\N\tlseg_in" },
  { "pg_proc",
    "120\tlseg_out\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t1\t0\t2275\t601\t\\N\t\\N\t"
    "\\N\t\\N\t\\N\tlseg_out" },
  { "pg_proc",
    "121\tpath_in\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t1\t0\t602\t2275\t\\N\t\\N\t"
    "\\N\t\\N\t\\N\tpath_in" },
  { "pg_proc",
    "122\tpath_out\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t1\t0\t2275\t602\t\\N\t\\N\t"
    "\\N\t\\N\t\\N\tpath_out" },
  { "pg_proc",
    "123\tbox_in\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t1\t0\t603\t2275\t\\N\t\\N\t\\N"
    "\t\\N\t\\N\tbox_in" },
  { "pg_proc",
    "124\tbox_out\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t1\t0\t2275\t603\t\\N\t\\N\t"
    "\\N\t\\N\t\\N\tbox_out" },
  { "pg_proc",
    "195\tpg_node_tree_in\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t1\t0\t194\t2275\t\\N"
    "\t\\N\t\\N\t\\N\t\\N\tpg_node_tree_in" },
  { "pg_proc",
    "196\tpg_node_tree_out\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t1\t0\t2275\t194\t\\N"
    "\t\\N\t\\N\t\\N\t\\N\tpg_node_tree_out" },
  { "pg_proc",
    "197\tpg_node_tree_recv\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ts\ts\t1\t0\t194\t2281\t"
    "\\N\t\\N\t\\N\t\\N\t\\N\tpg_node_tree_recv" },
  { "pg_proc",
    "198\tpg_node_tree_send\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ts\ts\t1\t0\t17\t194\t\\N"
    "\t\\N\t\\N\t\\N\t\\N\tpg_node_tree_send" },
  { "pg_proc",
    "200\tfloat4in\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t1\t0\t700\t2275\t\\N\t\\N\t"
    "\\N\t\\N\t\\N\tfloat4in" },
  { "pg_proc",
    "201\tfloat4out\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t1\t0\t2275\t700\t\\N\t\\N\t"
    "\\N\t\\N\t\\N\tfloat4out" },
  { "pg_proc",
    "214\tfloat8in\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t1\t0\t701\t2275\t\\N\t\\N\t"
    "\\N\t\\N\t\\N\tfloat8in" },
  { "pg_proc",
    "215\tfloat8out\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t1\t0\t2275\t701\t\\N\t\\N\t"
    "\\N\t\\N\t\\N\tfloat8out" },
  { "pg_proc",
    "267\ttable_am_handler_in\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tf\tf\ti\ts\t1\t0\t269\t2275\t"
    "\\N\t\\N\t\\N\t\\N\t\\N\ttable_am_handler_in" },
  { "pg_proc",
    "268\ttable_am_handler_out\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t1\t0\t2275\t269"
    "\t\\N\t\\N\t\\N\t\\N\t\\N\ttable_am_handler_out" },
  { "pg_proc",
    "320\twidth_bucket\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t4\t0\t23\t701 701 701 "
    "23\t\\N\t\\N\t\\N\t\\N\t\\N\twidth_bucket_float8" },
  { "pg_proc",
    "321\tjson_in\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t1\t0\t114\t2275\t\\N\t\\N\t"
    "\\N\t\\N\t\\N\tjson_in" },
  { "pg_proc",
    "322\tjson_out\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t1\t0\t2275\t114\t\\N\t\\N\t"
    "\\N\t\\N\t\\N\tjson_out" },
  { "pg_proc",
    "323\tjson_recv\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t1\t0\t114\t2281\t\\N\t\\N\t"
    "\\N\t\\N\t\\N\tjson_recv" },
  { "pg_proc",
    "324\tjson_send\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t1\t0\t17\t114\t\\N\t\\N\t"
    "\\N\t\\N\t\\N\tjson_send" },
  { "pg_proc",
    "326\tindex_am_handler_in\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tf\tf\ti\ts\t1\t0\t325\t2275\t"
    "\\N\t\\N\t\\N\t\\N\t\\N\tindex_am_handler_in" },
  { "pg_proc",
    "327\tindex_am_handler_out\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t1\t0\t2275\t325"
    "\t\\N\t\\N\t\\N\t\\N\t\\N\tindex_am_handler_out" },
  { "pg_proc",
    "347\tpoly_in\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t1\t0\t604\t2275\t\\N\t\\N\t"
    "\\N\t\\N\t\\N\tpoly_in" },
  { "pg_proc",
    "348\tpoly_out\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t1\t0\t2275\t604\t\\N\t\\N\t"
    "\\N\t\\N\t\\N\tpoly_out" },
  { "pg_proc",
    "376\tstring_to_array\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tf\tf\ti\ts\t3\t0\t1009\t25 25 "
    "25\t\\N\t\\N\t\\N\t\\N\t\\N\ttext_to_array_null" },
  { "pg_proc",
    "378\tarray_append\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tf\tf\ti\ts\t2\t0\t5078\t5078 "
    "5077\t\\N\t\\N\t\\N\t\\N\t\\N\tarray_append" },
  { "pg_proc",
    "379\tarray_prepend\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tf\tf\ti\ts\t2\t0\t5078\t5077 "
    "5078\t\\N\t\\N\t\\N\t\\N\t\\N\tarray_prepend" },
  { "pg_proc",
    "383\tarray_cat\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tf\tf\ti\ts\t2\t0\t5078\t5078 "
    "5078\t\\N\t\\N\t\\N\t\\N\t\\N\tarray_cat" },
  { "pg_proc",
    "384\tarray_to_string\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tf\tf\ts\ts\t3\t0\t25\t2277 25 "
    "25\t\\N\t\\N\t\\N\t\\N\t\\N\tarray_to_text_null" },
  { "pg_proc",
    "394\tstring_to_array\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tf\tf\ti\ts\t2\t0\t1009\t25 "
    "25\t\\N\t\\N\t\\N\t\\N\t\\N\ttext_to_array" },
  { "pg_proc",
    "395\tarray_to_string\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ts\ts\t2\t0\t25\t2277 "
    "25\t\\N\t\\N\t\\N\t\\N\t\\N\tarray_to_text" },
  { "pg_proc",
    "436\tmacaddr_in\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t1\t0\t829\t2275\t\\N\t\\N"
    "\t\\N\t\\N\t\\N\tmacaddr_in" },
  { "pg_proc",
    "437\tmacaddr_out\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t1\t0\t2275\t829\t\\N\t\\N"
    "\t\\N\t\\N\t\\N\tmacaddr_out" },
  { "pg_proc",
    "438\tnum_nulls\t11\t10\t12\t1\t0\t2276\t-\tf\tf\tf\tf\tf\ti\ts\t1\t0\t23\t2276\t{2276}\t"
    "{v}\t\\N\t\\N\t\\N\tpg_num_nulls" },
  { "pg_proc",
    "440\tnum_nonnulls\t11\t10\t12\t1\t0\t2276\t-\tf\tf\tf\tf\tf\ti\ts\t1\t0\t23\t2276\t{2276"
    "}\t{v}\t\\N\t\\N\t\\N\tpg_num_nonnulls" },
  { "pg_proc",
    "460\tint8in\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t1\t0\t20\t2275\t\\N\t\\N\t\\N"
    "\t\\N\t\\N\tint8in" },
  { "pg_proc",
    "461\tint8out\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t1\t0\t2275\t20\t\\N\t\\N\t\\N"
    "\t\\N\t\\N\tint8out" },
  { "pg_proc",
    "720\toctet_length\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t1\t0\t23\t17\t\\N\t\\N\t"
    "\\N\t\\N\t\\N\tbyteaoctetlen" },
  { "pg_proc",
    "721\tget_byte\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t2\t0\t23\t17 "
    "23\t\\N\t\\N\t\\N\t\\N\t\\N\tbyteaGetByte" },
  { "pg_proc",
    "722\tset_byte\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t3\t0\t17\t17 23 "
    "23\t\\N\t\\N\t\\N\t\\N\t\\N\tbyteaSetByte" },
  { "pg_proc",
    "723\tget_bit\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t2\t0\t23\t17 "
    "20\t\\N\t\\N\t\\N\t\\N\t\\N\tbyteaGetBit" },
  { "pg_proc",
    "724\tset_bit\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t3\t0\t17\t17 20 "
    "23\t\\N\t\\N\t\\N\t\\N\t\\N\tbyteaSetBit" },
  { "pg_proc",
    "745\tcurrent_user\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ts\ts\t0\t0\t19\t\t\\N\t\\N\t"
    "\\N\t\\N\t\\N\tcurrent_user" },
  { "pg_proc",
    "746\tsession_user\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ts\ts\t0\t0\t19\t\t\\N\t\\N\t"
    "\\N\t\\N\t\\N\tsession_user" },
  { "pg_proc",
    "747\tarray_dims\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t1\t0\t25\t2277\t\\N\t\\N\t"
    "\\N\t\\N\t\\N\tarray_dims" },
  { "pg_proc",
    "748\tarray_ndims\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t1\t0\t23\t2277\t\\N\t\\N"
    "\t\\N\t\\N\t\\N\tarray_ndims" },
  { "pg_proc",
    "749\toverlay\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t4\t0\t17\t17 17 23 "
    "23\t\\N\t\\N\t\\N\t\\N\t\\N\tbyteaoverlay" },
  { "pg_proc",
    "750\tarray_in\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ts\ts\t3\t0\t2277\t2275 26 "
    "23\t\\N\t\\N\t\\N\t\\N\t\\N\tarray_in" },
  { "pg_proc",
    "751\tarray_out\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ts\ts\t1\t0\t2275\t2277\t\\N\t\\N"
    "\t\\N\t\\N\t\\N\tarray_out" },
  { "pg_proc",
    "752\toverlay\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t3\t0\t17\t17 17 "
    "23\t\\N\t\\N\t\\N\t\\N\t\\N\tbyteaoverlay_no_len" },
  { "pg_proc",
    "810\tpg_client_encoding\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ts\ts\t0\t0\t19\t\t\\N\t"
    "\\N\t\\N\t\\N\t\\N\tpg_client_encoding" },
  { "pg_proc",
    "849\tposition\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t2\t0\t23\t25 "
    "25\t\\N\t\\N\t\\N\t\\N\t\\N\ttextpos" },
  { "pg_proc",
    "861\tcurrent_database\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ts\ts\t0\t0\t19\t\t\\N\t\\N"
    "\t\\N\t\\N\t\\N\tcurrent_database" },
  { "pg_proc",
    "868\tstrpos\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t2\t0\t23\t25 "
    "25\t\\N\t\\N\t\\N\t\\N\t\\N\ttextpos" },
  { "pg_proc",
    "870\tlower\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t1\t0\t25\t25\t\\N\t\\N\t\\N\t"
    "\\N\t\\N\tlower" },
  { "pg_proc",
    "871\tupper\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t1\t0\t25\t25\t\\N\t\\N\t\\N\t"
    "\\N\t\\N\tupper" },
  { "pg_proc",
    "872\tinitcap\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t1\t0\t25\t25\t\\N\t\\N\t\\N\t"
    "\\N\t\\N\tinitcap" },
  { "pg_proc",
    "873\tlpad\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t3\t0\t25\t25 23 "
    "25\t\\N\t\\N\t\\N\t\\N\t\\N\tlpad" },
  { "pg_proc",
    "874\trpad\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t3\t0\t25\t25 23 "
    "25\t\\N\t\\N\t\\N\t\\N\t\\N\trpad" },
  { "pg_proc",
    "875\tltrim\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t2\t0\t25\t25 "
    "25\t\\N\t\\N\t\\N\t\\N\t\\N\tltrim" },
  { "pg_proc",
    "876\trtrim\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t2\t0\t25\t25 "
    "25\t\\N\t\\N\t\\N\t\\N\t\\N\trtrim" },
  { "pg_proc",
    "877\tsubstr\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t3\t0\t25\t25 23 "
    "23\t\\N\t\\N\t\\N\t\\N\t\\N\ttext_substr" },
  { "pg_proc",
    "878\ttranslate\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t3\t0\t25\t25 25 "
    "25\t\\N\t\\N\t\\N\t\\N\t\\N\ttranslate" },
  { "pg_proc",
    "879\tlpad\t11\t10\t14\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t2\t0\t25\t25 "
    "23\t\\N\t\\N\t\\N\t\\N\t\\N\t" },
  { "pg_proc",
    "880\trpad\t11\t10\t14\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t2\t0\t25\t25 "
    "23\t\\N\t\\N\t\\N\t\\N\t\\N\t" },
  { "pg_proc",
    "881\tltrim\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t1\t0\t25\t25\t\\N\t\\N\t\\N\t"
    "\\N\t\\N\tltrim1" },
  { "pg_proc",
    "882\trtrim\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t1\t0\t25\t25\t\\N\t\\N\t\\N\t"
    "\\N\t\\N\trtrim1" },
  { "pg_proc",
    "883\tsubstr\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t2\t0\t25\t25 "
    "23\t\\N\t\\N\t\\N\t\\N\t\\N\ttext_substr_no_len" },
  { "pg_proc",
    "884\tbtrim\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t2\t0\t25\t25 "
    "25\t\\N\t\\N\t\\N\t\\N\t\\N\tbtrim" },
  { "pg_proc",
    "885\tbtrim\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t1\t0\t25\t25\t\\N\t\\N\t\\N\t"
    "\\N\t\\N\tbtrim1" },
  { "pg_proc",
    "886\tcash_in\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ts\ts\t1\t0\t790\t2275\t\\N\t\\N\t"
    "\\N\t\\N\t\\N\tcash_in" },
  { "pg_proc",
    "887\tcash_out\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ts\ts\t1\t0\t2275\t790\t\\N\t\\N\t"
    "\\N\t\\N\t\\N\tcash_out" },
  { "pg_proc",
    "910\tinet_in\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t1\t0\t869\t2275\t\\N\t\\N\t"
    "\\N\t\\N\t\\N\tinet_in" },
  { "pg_proc",
    "911\tinet_out\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t1\t0\t2275\t869\t\\N\t\\N\t"
    "\\N\t\\N\t\\N\tinet_out" },
  { "pg_proc",
    "936\tsubstring\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t3\t0\t25\t25 23 "
    "23\t\\N\t\\N\t\\N\t\\N\t\\N\ttext_substr" },
  { "pg_proc",
    "937\tsubstring\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t2\t0\t25\t25 "
    "23\t\\N\t\\N\t\\N\t\\N\t\\N\ttext_substr_no_len" },
  { "pg_proc",
    "938\tgenerate_series\t11\t10\t12\t1\t1000\t0\t-\tf\tf\tf\tt\tt\ti\ts\t3\t0\t1114\t1114 "
    "1114 1186\t\\N\t\\N\t\\N\t\\N\t\\N\tgenerate_series_timestamp" },
  { "pg_proc",
    "941\tmod\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t2\t0\t23\t23 "
    "23\t\\N\t\\N\t\\N\t\\N\t\\N\tint4mod" },
  { "pg_proc",
    "947\tmod\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t2\t0\t20\t20 "
    "20\t\\N\t\\N\t\\N\t\\N\t\\N\tint8mod" },
  { "pg_proc",
    "1031\taclitemin\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ts\ts\t1\t0\t1033\t2275\t\\N\t\\N"
    "\t\\N\t\\N\t\\N\taclitemin" },
  { "pg_proc",
    "1032\taclitemout\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ts\ts\t1\t0\t2275\t1033\t\\N\t"
    "\\N\t\\N\t\\N\t\\N\taclitemout" },
  { "pg_proc",
    "1044\tbpcharin\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t3\t0\t1042\t2275 26 "
    "23\t\\N\t\\N\t\\N\t\\N\t\\N\tbpcharin" },
  { "pg_proc",
    "1045\tbpcharout\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t1\t0\t2275\t1042\t\\N\t\\N"
    "\t\\N\t\\N\t\\N\tbpcharout" },
  { "pg_proc",
    "1046\tvarcharin\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t3\t0\t1043\t2275 26 "
    "23\t\\N\t\\N\t\\N\t\\N\t\\N\tvarcharin" },
  { "pg_proc",
    "1047\tvarcharout\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t1\t0\t2275\t1043\t\\N\t"
    "\\N\t\\N\t\\N\t\\N\tvarcharout" },
  { "pg_proc",
    "1066\tgenerate_series\t11\t10\t12\t1\t1000\t0\tgenerate_series_int4_support\tf\tf\tf\tt"
    "\tt\ti\ts\t3\t0\t23\t23 23 23\t\\N\t\\N\t\\N\t\\N\t\\N\tgenerate_series_step_int4" },
  { "pg_proc",
    "1067\tgenerate_series\t11\t10\t12\t1\t1000\t0\tgenerate_series_int4_support\tf\tf\tf\tt"
    "\tt\ti\ts\t2\t0\t23\t23 23\t\\N\t\\N\t\\N\t\\N\t\\N\tgenerate_series_int4" },
  { "pg_proc",
    "1068\tgenerate_series\t11\t10\t12\t1\t1000\t0\tgenerate_series_int8_support\tf\tf\tf\tt"
    "\tt\ti\ts\t3\t0\t20\t20 20 20\t\\N\t\\N\t\\N\t\\N\t\\N\tgenerate_series_step_int8" },
  { "pg_proc",
    "1069\tgenerate_series\t11\t10\t12\t1\t1000\t0\tgenerate_series_int8_support\tf\tf\tf\tt"
    "\tt\ti\ts\t2\t0\t20\t20 20\t\\N\t\\N\t\\N\t\\N\t\\N\tgenerate_series_int8" },
  { "pg_proc",
    "1081\tformat_type\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tf\tf\ts\ts\t2\t0\t25\t26 "
    "23\t\\N\t\\N\t\\N\t\\N\t\\N\tformat_type" },
  { "pg_proc",
    "1084\tdate_in\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ts\ts\t1\t0\t1082\t2275\t\\N\t\\N\t"
    "\\N\t\\N\t\\N\tdate_in" },
  { "pg_proc",
    "1085\tdate_out\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ts\ts\t1\t0\t2275\t1082\t\\N\t\\N"
    "\t\\N\t\\N\t\\N\tdate_out" },
  { "pg_proc",
    "1143\ttime_in\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ts\ts\t3\t0\t1083\t2275 26 "
    "23\t\\N\t\\N\t\\N\t\\N\t\\N\ttime_in" },
  { "pg_proc",
    "1144\ttime_out\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t1\t0\t2275\t1083\t\\N\t\\N"
    "\t\\N\t\\N\t\\N\ttime_out" },
  { "pg_proc",
    "1150\ttimestamptz_in\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ts\ts\t3\t0\t1184\t2275 26 "
    "23\t\\N\t\\N\t\\N\t\\N\t\\N\ttimestamptz_in" },
  { "pg_proc",
    "1151\ttimestamptz_out\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ts\ts\t1\t0\t2275\t1184\t"
    "\\N\t\\N\t\\N\t\\N\t\\N\ttimestamptz_out" },
  { "pg_proc",
    "1158\tto_timestamp\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t1\t0\t1184\t701\t\\N\t"
    "\\N\t\\N\t\\N\t\\N\tfloat8_timestamptz" },
  { "pg_proc",
    "1159\ttimezone\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t2\t0\t1114\t25 "
    "1184\t\\N\t\\N\t\\N\t\\N\t\\N\ttimestamptz_zone" },
  { "pg_proc",
    "1160\tinterval_in\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ts\ts\t3\t0\t1186\t2275 26 "
    "23\t\\N\t\\N\t\\N\t\\N\t\\N\tinterval_in" },
  { "pg_proc",
    "1161\tinterval_out\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ts\ts\t1\t0\t2275\t1186\t\\N\t"
    "\\N\t\\N\t\\N\t\\N\tinterval_out" },
  { "pg_proc",
    "1171\tdate_part\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ts\ts\t2\t0\t701\t25 "
    "1184\t\\N\t\\N\t\\N\t\\N\t\\N\ttimestamptz_part" },
  { "pg_proc",
    "1172\tdate_part\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t2\t0\t701\t25 "
    "1186\t\\N\t\\N\t\\N\t\\N\t\\N\tinterval_part" },
  { "pg_proc",
    "1175\tjustify_hours\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t1\t0\t1186\t1186\t\\N"
    "\t\\N\t\\N\t\\N\t\\N\tinterval_justify_hours" },
  { "pg_proc",
    "1191\tgenerate_subscripts\t11\t10\t12\t1\t1000\t0\t-\tf\tf\tf\tt\tt\ti\ts\t3\t0\t23\t227"
    "7 23 16\t\\N\t\\N\t\\N\t\\N\t\\N\tgenerate_subscripts" },
  { "pg_proc",
    "1192\tgenerate_subscripts\t11\t10\t12\t1\t1000\t0\t-\tf\tf\tf\tt\tt\ti\ts\t2\t0\t23\t227"
    "7 23\t\\N\t\\N\t\\N\t\\N\t\\N\tgenerate_subscripts_nodir" },
  { "pg_proc",
    "1194\tlog10\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t1\t0\t701\t701\t\\N\t\\N\t\\N"
    "\t\\N\t\\N\tdlog10" },
  { "pg_proc",
    "1199\tage\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t2\t0\t1186\t1184 "
    "1184\t\\N\t\\N\t\\N\t\\N\t\\N\ttimestamptz_age" },
  { "pg_proc",
    "1215\tobj_description\t11\t10\t14\t100\t0\t0\t-\tf\tf\tf\tt\tf\ts\ts\t2\t0\t25\t26 "
    "19\t\\N\t\\N\t\\N\t\\N\t\\N\t" },
  { "pg_proc",
    "1216\tcol_description\t11\t10\t14\t100\t0\t0\t-\tf\tf\tf\tt\tf\ts\ts\t2\t0\t25\t26 "
    "23\t\\N\t\\N\t\\N\t\\N\t\\N\t" },
  { "pg_proc",
    "1217\tdate_trunc\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ts\ts\t2\t0\t1184\t25 "
    "1184\t\\N\t\\N\t\\N\t\\N\t\\N\ttimestamptz_trunc" },
  { "pg_proc",
    "1218\tdate_trunc\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t2\t0\t1186\t25 "
    "1186\t\\N\t\\N\t\\N\t\\N\t\\N\tinterval_trunc" },
  { "pg_proc",
    "1242\tboolin\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t1\t0\t16\t2275\t\\N\t\\N\t\\N"
    "\t\\N\t\\N\tboolin" },
  { "pg_proc",
    "1243\tboolout\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t1\t0\t2275\t16\t\\N\t\\N\t"
    "\\N\t\\N\t\\N\tboolout" },
  { "pg_proc",
    "1244\tbyteain\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t1\t0\t17\t2275\t\\N\t\\N\t"
    "\\N\t\\N\t\\N\tbyteain" },
  { "pg_proc",
    "1245\tcharin\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t1\t0\t18\t2275\t\\N\t\\N\t\\N"
    "\t\\N\t\\N\tcharin" },
  { "pg_proc",
    "1264\tpg_char_to_encoding\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ts\ts\t1\t0\t23\t19\t"
    "\\N\t\\N\t\\N\t\\N\t\\N\tPG_char_to_encoding" },
  { "pg_proc",
    "1267\tcidr_in\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t1\t0\t650\t2275\t\\N\t\\N\t"
    "\\N\t\\N\t\\N\tcidr_in" },
  { "pg_proc",
    "1282\tquote_ident\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t1\t0\t25\t25\t\\N\t\\N\t"
    "\\N\t\\N\t\\N\tquote_ident" },
  { "pg_proc",
    "1283\tquote_literal\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t1\t0\t25\t25\t\\N\t\\N"
    "\t\\N\t\\N\t\\N\tquote_literal" },
  { "pg_proc",
    "1289\tquote_nullable\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tf\tf\ti\ts\t1\t0\t25\t25\t\\N\t"
    "\\N\t\\N\t\\N\t\\N\tquote_nullable" },
  { "pg_proc",
    "1295\tjustify_days\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t1\t0\t1186\t1186\t\\N\t"
    "\\N\t\\N\t\\N\t\\N\tinterval_justify_days" },
  { "pg_proc",
    "1299\tnow\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ts\ts\t0\t0\t1184\t\t\\N\t\\N\t\\N\t\\N"
    "\t\\N\tnow" },
  { "pg_proc",
    "1312\ttimestamp_in\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ts\ts\t3\t0\t1114\t2275 26 "
    "23\t\\N\t\\N\t\\N\t\\N\t\\N\ttimestamp_in" },
  { "pg_proc",
    "1313\ttimestamp_out\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ts\ts\t1\t0\t2275\t1114\t\\N"
    "\t\\N\t\\N\t\\N\t\\N\ttimestamp_out" },
  { "pg_proc",
    "1317\tlength\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t1\t0\t23\t25\t\\N\t\\N\t\\N\t"
    "\\N\t\\N\ttextlen" },
  { "pg_proc",
    "1318\tlength\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t1\t0\t23\t1042\t\\N\t\\N\t\\N"
    "\t\\N\t\\N\tbpcharlen" },
  { "pg_proc",
    "1340\tlog\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t1\t0\t701\t701\t\\N\t\\N\t\\N\t"
    "\\N\t\\N\tdlog10" },
  { "pg_proc",
    "1341\tln\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t1\t0\t701\t701\t\\N\t\\N\t\\N\t"
    "\\N\t\\N\tdlog1" },
  { "pg_proc",
    "1342\tround\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t1\t0\t701\t701\t\\N\t\\N\t\\N"
    "\t\\N\t\\N\tdround" },
  { "pg_proc",
    "1343\ttrunc\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t1\t0\t701\t701\t\\N\t\\N\t\\N"
    "\t\\N\t\\N\tdtrunc" },
  { "pg_proc",
    "1344\tsqrt\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t1\t0\t701\t701\t\\N\t\\N\t\\N\t"
    "\\N\t\\N\tdsqrt" },
  { "pg_proc",
    "1345\tcbrt\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t1\t0\t701\t701\t\\N\t\\N\t\\N\t"
    "\\N\t\\N\tdcbrt" },
  { "pg_proc",
    "1346\tpow\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t2\t0\t701\t701 "
    "701\t\\N\t\\N\t\\N\t\\N\t\\N\tdpow" },
  { "pg_proc",
    "1347\texp\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t1\t0\t701\t701\t\\N\t\\N\t\\N\t"
    "\\N\t\\N\tdexp" },
  { "pg_proc",
    "1348\tobj_description\t11\t10\t14\t100\t0\t0\t-\tf\tf\tf\tt\tf\ts\ts\t1\t0\t25\t26\t\\N"
    "\t\\N\t\\N\t\\N\t\\N\t" },
  { "pg_proc",
    "1350\ttimetz_in\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ts\ts\t3\t0\t1266\t2275 26 "
    "23\t\\N\t\\N\t\\N\t\\N\t\\N\ttimetz_in" },
  { "pg_proc",
    "1351\ttimetz_out\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t1\t0\t2275\t1266\t\\N\t"
    "\\N\t\\N\t\\N\t\\N\ttimetz_out" },
  { "pg_proc",
    "1367\tcharacter_length\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t1\t0\t23\t1042\t\\N"
    "\t\\N\t\\N\t\\N\t\\N\tbpcharlen" },
  { "pg_proc",
    "1368\tpower\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t2\t0\t701\t701 "
    "701\t\\N\t\\N\t\\N\t\\N\t\\N\tdpow" },
  { "pg_proc",
    "1369\tcharacter_length\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t1\t0\t23\t25\t\\N\t"
    "\\N\t\\N\t\\N\t\\N\ttextlen" },
  { "pg_proc",
    "1372\tchar_length\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t1\t0\t23\t1042\t\\N\t\\N"
    "\t\\N\t\\N\t\\N\tbpcharlen" },
  { "pg_proc",
    "1373\tisfinite\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t1\t0\t16\t1082\t\\N\t\\N\t"
    "\\N\t\\N\t\\N\tdate_finite" },
  { "pg_proc",
    "1374\toctet_length\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t1\t0\t23\t25\t\\N\t\\N"
    "\t\\N\t\\N\t\\N\ttextoctetlen" },
  { "pg_proc",
    "1375\toctet_length\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t1\t0\t23\t1042\t\\N\t"
    "\\N\t\\N\t\\N\t\\N\tbpcharoctetlen" },
  { "pg_proc",
    "1376\tfactorial\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t1\t0\t1700\t20\t\\N\t\\N\t"
    "\\N\t\\N\t\\N\tnumeric_fac" },
  { "pg_proc",
    "1381\tchar_length\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t1\t0\t23\t25\t\\N\t\\N\t"
    "\\N\t\\N\t\\N\ttextlen" },
  { "pg_proc",
    "1384\tdate_part\t11\t10\t14\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t2\t0\t701\t25 "
    "1082\t\\N\t\\N\t\\N\t\\N\t\\N\t" },
  { "pg_proc",
    "1385\tdate_part\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t2\t0\t701\t25 "
    "1083\t\\N\t\\N\t\\N\t\\N\t\\N\ttime_part" },
  { "pg_proc",
    "1386\tage\t11\t10\t14\t1\t0\t0\t-\tf\tf\tf\tt\tf\ts\ts\t1\t0\t1186\t1184\t\\N\t\\N\t\\N"
    "\t\\N\t\\N\t" },
  { "pg_proc",
    "1387\tpg_get_constraintdef\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ts\ts\t1\t0\t25\t26\t"
    "\\N\t\\N\t\\N\t\\N\t\\N\tpg_get_constraintdef" },
  { "pg_proc",
    "1389\tisfinite\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t1\t0\t16\t1184\t\\N\t\\N\t"
    "\\N\t\\N\t\\N\ttimestamp_finite" },
  { "pg_proc",
    "1394\tabs\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t1\t0\t700\t700\t\\N\t\\N\t\\N\t"
    "\\N\t\\N\tfloat4abs" },
  { "pg_proc",
    "1395\tabs\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t1\t0\t701\t701\t\\N\t\\N\t\\N\t"
    "\\N\t\\N\tfloat8abs" },
  { "pg_proc",
    "1396\tabs\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t1\t0\t20\t20\t\\N\t\\N\t\\N\t\\N"
    "\t\\N\tint8abs" },
  { "pg_proc",
    "1397\tabs\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t1\t0\t23\t23\t\\N\t\\N\t\\N\t\\N"
    "\t\\N\tint4abs" },
  { "pg_proc",
    "1402\tcurrent_schema\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ts\tu\t0\t0\t19\t\t\\N\t\\N"
    "\t\\N\t\\N\t\\N\tcurrent_schema" },
  { "pg_proc",
    "1403\tcurrent_schemas\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ts\tu\t1\t0\t1003\t16\t\\N"
    "\t\\N\t\\N\t\\N\t\\N\tcurrent_schemas" },
  { "pg_proc",
    "1404\toverlay\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t4\t0\t25\t25 25 23 "
    "23\t\\N\t\\N\t\\N\t\\N\t\\N\ttextoverlay" },
  { "pg_proc",
    "1405\toverlay\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t3\t0\t25\t25 25 "
    "23\t\\N\t\\N\t\\N\t\\N\t\\N\ttextoverlay_no_len" },
  { "pg_proc",
    "1427\tcidr_out\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t1\t0\t2275\t650\t\\N\t\\N\t"
    "\\N\t\\N\t\\N\tcidr_out" },
  { "pg_proc",
    "1450\tcircle_in\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t1\t0\t718\t2275\t\\N\t\\N"
    "\t\\N\t\\N\t\\N\tcircle_in" },
  { "pg_proc",
    "1451\tcircle_out\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t1\t0\t2275\t718\t\\N\t\\N"
    "\t\\N\t\\N\t\\N\tcircle_out" },
  { "pg_proc",
    "1481\tlog10\t11\t10\t14\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t1\t0\t1700\t1700\t\\N\t\\N\t"
    "\\N\t\\N\t\\N\t" },
  { "pg_proc",
    "1490\tline_in\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t1\t0\t628\t2275\t\\N\t\\N\t"
    "\\N\t\\N\t\\N\tline_in" },
  { "pg_proc",
    "1491\tline_out\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t1\t0\t2275\t628\t\\N\t\\N\t"
    "\\N\t\\N\t\\N\tline_out" },
  { "pg_proc",
    "1564\tbit_in\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t3\t0\t1560\t2275 26 "
    "23\t\\N\t\\N\t\\N\t\\N\t\\N\tbit_in" },
  { "pg_proc",
    "1565\tbit_out\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t1\t0\t2275\t1560\t\\N\t\\N\t"
    "\\N\t\\N\t\\N\tbit_out" },
  { "pg_proc",
    "1573\tpg_get_ruledef\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ts\ts\t1\t0\t25\t26\t\\N\t"
    "\\N\t\\N\t\\N\t\\N\tpg_get_ruledef" },
  { "pg_proc",
    "1574\tnextval\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\tv\tu\t1\t0\t20\t2205\t\\N\t\\N\t"
    "\\N\t\\N\t\\N\tnextval_oid" },
  { "pg_proc",
    "1575\tcurrval\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\tv\tu\t1\t0\t20\t2205\t\\N\t\\N\t"
    "\\N\t\\N\t\\N\tcurrval_oid" },
  { "pg_proc",
    "1576\tsetval\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\tv\tu\t2\t0\t20\t2205 "
    "20\t\\N\t\\N\t\\N\t\\N\t\\N\tsetval_oid" },
  { "pg_proc",
    "1579\tvarbit_in\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t3\t0\t1562\t2275 26 "
    "23\t\\N\t\\N\t\\N\t\\N\t\\N\tvarbit_in" },
  { "pg_proc",
    "1580\tvarbit_out\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t1\t0\t2275\t1562\t\\N\t"
    "\\N\t\\N\t\\N\t\\N\tvarbit_out" },
  { "pg_proc",
    "1597\tpg_encoding_to_char\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ts\ts\t1\t0\t19\t23\t"
    "\\N\t\\N\t\\N\t\\N\t\\N\tPG_encoding_to_char" },
  { "pg_proc",
    "1598\trandom\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\tv\tr\t0\t0\t701\t\t\\N\t\\N\t\\N\t"
    "\\N\t\\N\tdrandom" },
  { "pg_proc",
    "1600\tasin\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t1\t0\t701\t701\t\\N\t\\N\t\\N\t"
    "\\N\t\\N\tdasin" },
  { "pg_proc",
    "1601\tacos\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t1\t0\t701\t701\t\\N\t\\N\t\\N\t"
    "\\N\t\\N\tdacos" },
  { "pg_proc",
    "1602\tatan\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t1\t0\t701\t701\t\\N\t\\N\t\\N\t"
    "\\N\t\\N\tdatan" },
  { "pg_proc",
    "1603\tatan2\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t2\t0\t701\t701 "
    "701\t\\N\t\\N\t\\N\t\\N\t\\N\tdatan2" },
  { "pg_proc",
    "1604\tsin\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t1\t0\t701\t701\t\\N\t\\N\t\\N\t"
    "\\N\t\\N\tdsin" },
  { "pg_proc",
    "1605\tcos\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t1\t0\t701\t701\t\\N\t\\N\t\\N\t"
    "\\N\t\\N\tdcos" },
  { "pg_proc",
    "1606\ttan\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t1\t0\t701\t701\t\\N\t\\N\t\\N\t"
    "\\N\t\\N\tdtan" },
  { "pg_proc",
    "1607\tcot\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t1\t0\t701\t701\t\\N\t\\N\t\\N\t"
    "\\N\t\\N\tdcot" },
  { "pg_proc",
    "1608\tdegrees\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t1\t0\t701\t701\t\\N\t\\N\t"
    "\\N\t\\N\t\\N\tdegrees" },
  { "pg_proc",
    "1609\tradians\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t1\t0\t701\t701\t\\N\t\\N\t"
    "\\N\t\\N\t\\N\tradians" },
  { "pg_proc",
    "1610\tpi\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t0\t0\t701\t\t\\N\t\\N\t\\N\t\\N\t"
    "\\N\tdpi" },
  { "pg_proc",
    "1619\tpg_typeof\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tf\tf\ts\ts\t1\t0\t2206\t2276\t\\N\t\\N"
    "\t\\N\t\\N\t\\N\tpg_typeof" },
  { "pg_proc",
    "1620\tascii\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t1\t0\t23\t25\t\\N\t\\N\t\\N\t"
    "\\N\t\\N\tascii" },
  { "pg_proc",
    "1621\tchr\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t1\t0\t25\t23\t\\N\t\\N\t\\N\t\\N"
    "\t\\N\tchr" },
  { "pg_proc",
    "1622\trepeat\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t2\t0\t25\t25 "
    "23\t\\N\t\\N\t\\N\t\\N\t\\N\trepeat" },
  { "pg_proc",
    "1640\tpg_get_viewdef\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ts\tr\t1\t0\t25\t25\t\\N\t"
    "\\N\t\\N\t\\N\t\\N\tpg_get_viewdef_name" },
  { "pg_proc",
    "1641\tpg_get_viewdef\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ts\tr\t1\t0\t25\t26\t\\N\t"
    "\\N\t\\N\t\\N\t\\N\tpg_get_viewdef" },
  { "pg_proc",
    "1642\tpg_get_userbyid\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ts\ts\t1\t0\t19\t26\t\\N\t"
    "\\N\t\\N\t\\N\t\\N\tpg_get_userbyid" },
  { "pg_proc",
    "1643\tpg_get_indexdef\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ts\ts\t1\t0\t25\t26\t\\N\t"
    "\\N\t\\N\t\\N\t\\N\tpg_get_indexdef" },
  { "pg_proc",
    "1662\tpg_get_triggerdef\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ts\ts\t1\t0\t25\t26\t\\N"
    "\t\\N\t\\N\t\\N\t\\N\tpg_get_triggerdef" },
  { "pg_proc",
    "1665\tpg_get_serial_sequence\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ts\ts\t2\t0\t25\t25 "
    "25\t\\N\t\\N\t\\N\t\\N\t\\N\tpg_get_serial_sequence" },
  { "pg_proc",
    "1701\tnumeric_in\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t3\t0\t1700\t2275 26 "
    "23\t\\N\t\\N\t\\N\t\\N\t\\N\tnumeric_in" },
  { "pg_proc",
    "1702\tnumeric_out\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t1\t0\t2275\t1700\t\\N\t"
    "\\N\t\\N\t\\N\t\\N\tnumeric_out" },
  { "pg_proc",
    "1705\tabs\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t1\t0\t1700\t1700\t\\N\t\\N\t\\N"
    "\t\\N\t\\N\tnumeric_abs" },
  { "pg_proc",
    "1706\tsign\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t1\t0\t1700\t1700\t\\N\t\\N\t\\N"
    "\t\\N\t\\N\tnumeric_sign" },
  { "pg_proc",
    "1707\tround\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t2\t0\t1700\t1700 "
    "23\t\\N\t\\N\t\\N\t\\N\t\\N\tnumeric_round" },
  { "pg_proc",
    "1708\tround\t11\t10\t14\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t1\t0\t1700\t1700\t\\N\t\\N\t"
    "\\N\t\\N\t\\N\t" },
  { "pg_proc",
    "1709\ttrunc\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t2\t0\t1700\t1700 "
    "23\t\\N\t\\N\t\\N\t\\N\t\\N\tnumeric_trunc" },
  { "pg_proc",
    "1710\ttrunc\t11\t10\t14\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t1\t0\t1700\t1700\t\\N\t\\N\t"
    "\\N\t\\N\t\\N\t" },
  { "pg_proc",
    "1711\tceil\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t1\t0\t1700\t1700\t\\N\t\\N\t\\N"
    "\t\\N\t\\N\tnumeric_ceil" },
  { "pg_proc",
    "1712\tfloor\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t1\t0\t1700\t1700\t\\N\t\\N\t"
    "\\N\t\\N\t\\N\tnumeric_floor" },
  { "pg_proc",
    "1716\tpg_get_expr\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ts\ts\t2\t0\t25\t194 "
    "26\t\\N\t\\N\t\\N\t\\N\t\\N\tpg_get_expr" },
  { "pg_proc",
    "1728\tmod\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t2\t0\t1700\t1700 "
    "1700\t\\N\t\\N\t\\N\t\\N\t\\N\tnumeric_mod" },
  { "pg_proc",
    "1730\tsqrt\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t1\t0\t1700\t1700\t\\N\t\\N\t\\N"
    "\t\\N\t\\N\tnumeric_sqrt" },
  { "pg_proc",
    "1732\texp\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t1\t0\t1700\t1700\t\\N\t\\N\t\\N"
    "\t\\N\t\\N\tnumeric_exp" },
  { "pg_proc",
    "1734\tln\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t1\t0\t1700\t1700\t\\N\t\\N\t\\N\t"
    "\\N\t\\N\tnumeric_ln" },
  { "pg_proc",
    "1736\tlog\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t2\t0\t1700\t1700 "
    "1700\t\\N\t\\N\t\\N\t\\N\t\\N\tnumeric_log" },
  { "pg_proc",
    "1738\tpow\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t2\t0\t1700\t1700 "
    "1700\t\\N\t\\N\t\\N\t\\N\t\\N\tnumeric_power" },
  { "pg_proc",
    "1741\tlog\t11\t10\t14\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t1\t0\t1700\t1700\t\\N\t\\N\t\\N"
    "\t\\N\t\\N\t" },
  { "pg_proc",
    "1765\tsetval\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\tv\tu\t3\t0\t20\t2205 20 "
    "16\t\\N\t\\N\t\\N\t\\N\t\\N\tsetval3_oid" },
  { "pg_proc",
    "1768\tto_char\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ts\ts\t2\t0\t25\t1186 "
    "25\t\\N\t\\N\t\\N\t\\N\t\\N\tinterval_to_char" },
  { "pg_proc",
    "1770\tto_char\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ts\ts\t2\t0\t25\t1184 "
    "25\t\\N\t\\N\t\\N\t\\N\t\\N\ttimestamptz_to_char" },
  { "pg_proc",
    "1772\tto_char\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ts\ts\t2\t0\t25\t1700 "
    "25\t\\N\t\\N\t\\N\t\\N\t\\N\tnumeric_to_char" },
  { "pg_proc",
    "1773\tto_char\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ts\ts\t2\t0\t25\t23 "
    "25\t\\N\t\\N\t\\N\t\\N\t\\N\tint4_to_char" },
  { "pg_proc",
    "1774\tto_char\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ts\ts\t2\t0\t25\t20 "
    "25\t\\N\t\\N\t\\N\t\\N\t\\N\tint8_to_char" },
  { "pg_proc",
    "1775\tto_char\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ts\ts\t2\t0\t25\t700 "
    "25\t\\N\t\\N\t\\N\t\\N\t\\N\tfloat4_to_char" },
  { "pg_proc",
    "1776\tto_char\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ts\ts\t2\t0\t25\t701 "
    "25\t\\N\t\\N\t\\N\t\\N\t\\N\tfloat8_to_char" },
  { "pg_proc",
    "1777\tto_number\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ts\ts\t2\t0\t1700\t25 "
    "25\t\\N\t\\N\t\\N\t\\N\t\\N\tnumeric_to_number" },
  { "pg_proc",
    "1778\tto_timestamp\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ts\ts\t2\t0\t1184\t25 "
    "25\t\\N\t\\N\t\\N\t\\N\t\\N\tto_timestamp" },
  { "pg_proc",
    "1780\tto_date\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ts\ts\t2\t0\t1082\t25 "
    "25\t\\N\t\\N\t\\N\t\\N\t\\N\tto_date" },
  { "pg_proc",
    "1798\toidin\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t1\t0\t26\t2275\t\\N\t\\N\t\\N"
    "\t\\N\t\\N\toidin" },
  { "pg_proc",
    "1799\toidout\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t1\t0\t2275\t26\t\\N\t\\N\t\\N"
    "\t\\N\t\\N\toidout" },
  { "pg_proc",
    "1810\tbit_length\t11\t10\t14\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t1\t0\t23\t17\t\\N\t\\N\t"
    "\\N\t\\N\t\\N\t" },
  { "pg_proc",
    "1811\tbit_length\t11\t10\t14\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t1\t0\t23\t25\t\\N\t\\N\t"
    "\\N\t\\N\t\\N\t" },
  { "pg_proc",
    "1922\thas_table_privilege\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ts\ts\t3\t0\t16\t19 25 "
    "25\t\\N\t\\N\t\\N\t\\N\t\\N\thas_table_privilege_name_name" },
  { "pg_proc",
    "1923\thas_table_privilege\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ts\ts\t3\t0\t16\t19 26 "
    "25\t\\N\t\\N\t\\N\t\\N\t\\N\thas_table_privilege_name_id" },
  { "pg_proc",
    "1924\thas_table_privilege\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ts\ts\t3\t0\t16\t26 25 "
    "25\t\\N\t\\N\t\\N\t\\N\t\\N\thas_table_privilege_id_name" },
  { "pg_proc",
    "1925\thas_table_privilege\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ts\ts\t3\t0\t16\t26 26 "
    "25\t\\N\t\\N\t\\N\t\\N\t\\N\thas_table_privilege_id_id" },
  { "pg_proc",
    "1926\thas_table_privilege\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ts\ts\t2\t0\t16\t25 "
    "25\t\\N\t\\N\t\\N\t\\N\t\\N\thas_table_privilege_name" },
  { "pg_proc",
    "1927\thas_table_privilege\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ts\ts\t2\t0\t16\t26 "
    "25\t\\N\t\\N\t\\N\t\\N\t\\N\thas_table_privilege_id" },
  { "pg_proc",
    "1928\tpg_stat_get_numscans\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ts\tr\t1\t0\t20\t26\t"
    "\\N\t\\N\t\\N\t\\N\t\\N\tpg_stat_get_numscans" },
  { "pg_proc",
    "1946\tencode\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t2\t0\t25\t17 "
    "25\t\\N\t\\N\t\\N\t\\N\t\\N\tbinary_encode" },
  { "pg_proc",
    "1947\tdecode\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t2\t0\t17\t25 "
    "25\t\\N\t\\N\t\\N\t\\N\t\\N\tbinary_decode" },
  { "pg_proc",
    "1961\ttimestamp\t11\t10\t12\t1\t0\t0\ttimestamp_support\tf\tf\tf\tt\tf\ti\ts\t2\t0\t1114"
    "\t1114 23\t\\N\t\\N\t\\N\t\\N\t\\N\ttimestamp_scale" },
  { "pg_proc",
    "1968\ttime\t11\t10\t12\t1\t0\t0\ttime_support\tf\tf\tf\tt\tf\ti\ts\t2\t0\t1083\t1083 "
    "23\t\\N\t\\N\t\\N\t\\N\t\\N\ttime_scale" },
  { "pg_proc",
    "1973\tdiv\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t2\t0\t1700\t1700 "
    "1700\t\\N\t\\N\t\\N\t\\N\t\\N\tnumeric_div_trunc" },
  { "pg_proc",
    "1993\tshobj_description\t11\t10\t14\t100\t0\t0\t-\tf\tf\tf\tt\tf\ts\ts\t2\t0\t25\t26 "
    "19\t\\N\t\\N\t\\N\t\\N\t\\N\t" },
  { "pg_proc",
    "2010\tlength\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t1\t0\t23\t17\t\\N\t\\N\t\\N\t"
    "\\N\t\\N\tbyteaoctetlen" },
  { "pg_proc",
    "2012\tsubstring\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t3\t0\t17\t17 23 "
    "23\t\\N\t\\N\t\\N\t\\N\t\\N\tbytea_substr" },
  { "pg_proc",
    "2013\tsubstring\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t2\t0\t17\t17 "
    "23\t\\N\t\\N\t\\N\t\\N\t\\N\tbytea_substr_no_len" },
  { "pg_proc",
    "2014\tposition\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t2\t0\t23\t17 "
    "17\t\\N\t\\N\t\\N\t\\N\t\\N\tbyteapos" },
  { "pg_proc",
    "2015\tbtrim\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t2\t0\t17\t17 "
    "17\t\\N\t\\N\t\\N\t\\N\t\\N\tbyteatrim" },
  { "pg_proc",
    "2020\tdate_trunc\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t2\t0\t1114\t25 "
    "1114\t\\N\t\\N\t\\N\t\\N\t\\N\ttimestamp_trunc" },
  { "pg_proc",
    "2021\tdate_part\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t2\t0\t701\t25 "
    "1114\t\\N\t\\N\t\\N\t\\N\t\\N\ttimestamp_part" },
  { "pg_proc",
    "2026\tpg_backend_pid\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ts\tr\t0\t0\t23\t\t\\N\t\\N"
    "\t\\N\t\\N\t\\N\tpg_backend_pid" },
  { "pg_proc",
    "2048\tisfinite\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t1\t0\t16\t1114\t\\N\t\\N\t"
    "\\N\t\\N\t\\N\ttimestamp_finite" },
  { "pg_proc",
    "2049\tto_char\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ts\ts\t2\t0\t25\t1114 "
    "25\t\\N\t\\N\t\\N\t\\N\t\\N\ttimestamp_to_char" },
  { "pg_proc",
    "2058\tage\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t2\t0\t1186\t1114 "
    "1114\t\\N\t\\N\t\\N\t\\N\t\\N\ttimestamp_age" },
  { "pg_proc",
    "2059\tage\t11\t10\t14\t1\t0\t0\t-\tf\tf\tf\tt\tf\ts\ts\t1\t0\t1186\t1114\t\\N\t\\N\t\\N"
    "\t\\N\t\\N\t" },
  { "pg_proc",
    "2069\ttimezone\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t2\t0\t1184\t25 "
    "1114\t\\N\t\\N\t\\N\t\\N\t\\N\ttimestamp_zone" },
  { "pg_proc",
    "2073\tsubstring\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t2\t0\t25\t25 "
    "25\t\\N\t\\N\t\\N\t\\N\t\\N\ttextregexsubstr" },
  { "pg_proc",
    "2077\tcurrent_setting\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ts\ts\t1\t0\t25\t25\t\\N\t"
    "\\N\t\\N\t\\N\t\\N\tshow_config_by_name" },
  { "pg_proc",
    "2078\tset_config\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tf\tf\tv\tu\t3\t0\t25\t25 25 "
    "16\t\\N\t\\N\t\\N\t\\N\t\\N\tset_config_by_name" },
  { "pg_proc",
    "2079\tpg_table_is_visible\t11\t10\t12\t10\t0\t0\t-\tf\tf\tf\tt\tf\ts\ts\t1\t0\t16\t26\t"
    "\\N\t\\N\t\\N\t\\N\t\\N\tpg_table_is_visible" },
  { "pg_proc",
    "2080\tpg_type_is_visible\t11\t10\t12\t10\t0\t0\t-\tf\tf\tf\tt\tf\ts\ts\t1\t0\t16\t26\t"
    "\\N\t\\N\t\\N\t\\N\t\\N\tpg_type_is_visible" },
  { "pg_proc",
    "2081\tpg_function_is_visible\t11\t10\t12\t10\t0\t0\t-\tf\tf\tf\tt\tf\ts\ts\t1\t0\t16\t26"
    "\t\\N\t\\N\t\\N\t\\N\t\\N\tpg_function_is_visible" },
  { "pg_proc",
    "2082\tpg_operator_is_visible\t11\t10\t12\t10\t0\t0\t-\tf\tf\tf\tt\tf\ts\ts\t1\t0\t16\t26"
    "\t\\N\t\\N\t\\N\t\\N\t\\N\tpg_operator_is_visible" },
  { "pg_proc",
    "2083\tpg_opclass_is_visible\t11\t10\t12\t10\t0\t0\t-\tf\tf\tf\tt\tf\ts\ts\t1\t0\t16\t26"
    "\t\\N\t\\N\t\\N\t\\N\t\\N\tpg_opclass_is_visible" },
  { "pg_proc",
    "2085\tsubstr\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t3\t0\t17\t17 23 "
    "23\t\\N\t\\N\t\\N\t\\N\t\\N\tbytea_substr" },
  { "pg_proc",
    "2086\tsubstr\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t2\t0\t17\t17 "
    "23\t\\N\t\\N\t\\N\t\\N\t\\N\tbytea_substr_no_len" },
  { "pg_proc",
    "2087\treplace\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t3\t0\t25\t25 25 "
    "25\t\\N\t\\N\t\\N\t\\N\t\\N\treplace_text" },
  { "pg_proc",
    "2088\tsplit_part\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t3\t0\t25\t25 25 "
    "23\t\\N\t\\N\t\\N\t\\N\t\\N\tsplit_part" },
  { "pg_proc",
    "2089\tto_hex\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t1\t0\t25\t23\t\\N\t\\N\t\\N\t"
    "\\N\t\\N\tto_hex32" },
  { "pg_proc",
    "2090\tto_hex\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t1\t0\t25\t20\t\\N\t\\N\t\\N\t"
    "\\N\t\\N\tto_hex64" },
  { "pg_proc",
    "2091\tarray_lower\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t2\t0\t23\t2277 "
    "23\t\\N\t\\N\t\\N\t\\N\t\\N\tarray_lower" },
  { "pg_proc",
    "2092\tarray_upper\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t2\t0\t23\t2277 "
    "23\t\\N\t\\N\t\\N\t\\N\t\\N\tarray_upper" },
  { "pg_proc",
    "2093\tpg_conversion_is_visible\t11\t10\t12\t10\t0\t0\t-\tf\tf\tf\tt\tf\ts\ts\t1\t0\t16\t"
    "26\t\\N\t\\N\t\\N\t\\N\t\\N\tpg_conversion_is_visible" },
  { "pg_proc",
    "2098\tpg_get_functiondef\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ts\ts\t1\t0\t25\t26\t\\N"
    "\t\\N\t\\N\t\\N\t\\N\tpg_get_functiondef" },
  { "pg_proc",
    "2100\tavg\t11\t10\t12\t1\t0\t0\t-\ta\tf\tf\tf\tf\ti\ts\t1\t0\t1700\t20\t\\N\t\\N\t\\N\t"
    "\\N\t\\N\taggregate_dummy" },
  { "pg_proc",
    "2101\tavg\t11\t10\t12\t1\t0\t0\t-\ta\tf\tf\tf\tf\ti\ts\t1\t0\t1700\t23\t\\N\t\\N\t\\N\t"
    "\\N\t\\N\taggregate_dummy" },
  { "pg_proc",
    "2102\tavg\t11\t10\t12\t1\t0\t0\t-\ta\tf\tf\tf\tf\ti\ts\t1\t0\t1700\t21\t\\N\t\\N\t\\N\t"
    "\\N\t\\N\taggregate_dummy" },
  { "pg_proc",
    "2103\tavg\t11\t10\t12\t1\t0\t0\t-\ta\tf\tf\tf\tf\ti\ts\t1\t0\t1700\t1700\t\\N\t\\N\t\\N"
    "\t\\N\t\\N\taggregate_dummy" },
  { "pg_proc",
    "2104\tavg\t11\t10\t12\t1\t0\t0\t-\ta\tf\tf\tf\tf\ti\ts\t1\t0\t701\t700\t\\N\t\\N\t\\N\t"
    "\\N\t\\N\taggregate_dummy" },
  { "pg_proc",
    "2105\tavg\t11\t10\t12\t1\t0\t0\t-\ta\tf\tf\tf\tf\ti\ts\t1\t0\t701\t701\t\\N\t\\N\t\\N\t"
    "\\N\t\\N\taggregate_dummy" },
  { "pg_proc",
    "2106\tavg\t11\t10\t12\t1\t0\t0\t-\ta\tf\tf\tf\tf\ti\ts\t1\t0\t1186\t1186\t\\N\t\\N\t\\N"
    "\t\\N\t\\N\taggregate_dummy" },
  { "pg_proc",
    "2107\tsum\t11\t10\t12\t1\t0\t0\t-\ta\tf\tf\tf\tf\ti\ts\t1\t0\t1700\t20\t\\N\t\\N\t\\N\t"
    "\\N\t\\N\taggregate_dummy" },
  { "pg_proc",
    "2108\tsum\t11\t10\t12\t1\t0\t0\t-\ta\tf\tf\tf\tf\ti\ts\t1\t0\t20\t23\t\\N\t\\N\t\\N\t\\N"
    "\t\\N\taggregate_dummy" },
  { "pg_proc",
    "2109\tsum\t11\t10\t12\t1\t0\t0\t-\ta\tf\tf\tf\tf\ti\ts\t1\t0\t20\t21\t\\N\t\\N\t\\N\t\\N"
    "\t\\N\taggregate_dummy" },
  { "pg_proc",
    "2110\tsum\t11\t10\t12\t1\t0\t0\t-\ta\tf\tf\tf\tf\ti\ts\t1\t0\t700\t700\t\\N\t\\N\t\\N\t"
    "\\N\t\\N\taggregate_dummy" },
  { "pg_proc",
    "2111\tsum\t11\t10\t12\t1\t0\t0\t-\ta\tf\tf\tf\tf\ti\ts\t1\t0\t701\t701\t\\N\t\\N\t\\N\t"
    "\\N\t\\N\taggregate_dummy" },
  { "pg_proc",
    "2113\tsum\t11\t10\t12\t1\t0\t0\t-\ta\tf\tf\tf\tf\ti\ts\t1\t0\t1186\t1186\t\\N\t\\N\t\\N"
    "\t\\N\t\\N\taggregate_dummy" },
  { "pg_proc",
    "2114\tsum\t11\t10\t12\t1\t0\t0\t-\ta\tf\tf\tf\tf\ti\ts\t1\t0\t1700\t1700\t\\N\t\\N\t\\N"
    "\t\\N\t\\N\taggregate_dummy" },
  { "pg_proc",
    "2115\tmax\t11\t10\t12\t1\t0\t0\t-\ta\tf\tf\tf\tf\ti\ts\t1\t0\t20\t20\t\\N\t\\N\t\\N\t\\N"
    "\t\\N\taggregate_dummy" },
  { "pg_proc",
    "2116\tmax\t11\t10\t12\t1\t0\t0\t-\ta\tf\tf\tf\tf\ti\ts\t1\t0\t23\t23\t\\N\t\\N\t\\N\t\\N"
    "\t\\N\taggregate_dummy" },
  { "pg_proc",
    "2119\tmax\t11\t10\t12\t1\t0\t0\t-\ta\tf\tf\tf\tf\ti\ts\t1\t0\t700\t700\t\\N\t\\N\t\\N\t"
    "\\N\t\\N\taggregate_dummy" },
  { "pg_proc",
    "2120\tmax\t11\t10\t12\t1\t0\t0\t-\ta\tf\tf\tf\tf\ti\ts\t1\t0\t701\t701\t\\N\t\\N\t\\N\t"
    "\\N\t\\N\taggregate_dummy" },
  { "pg_proc",
    "2122\tmax\t11\t10\t12\t1\t0\t0\t-\ta\tf\tf\tf\tf\ti\ts\t1\t0\t1082\t1082\t\\N\t\\N\t\\N"
    "\t\\N\t\\N\taggregate_dummy" },
  { "pg_proc",
    "2123\tmax\t11\t10\t12\t1\t0\t0\t-\ta\tf\tf\tf\tf\ti\ts\t1\t0\t1083\t1083\t\\N\t\\N\t\\N"
    "\t\\N\t\\N\taggregate_dummy" },
  { "pg_proc",
    "2126\tmax\t11\t10\t12\t1\t0\t0\t-\ta\tf\tf\tf\tf\ti\ts\t1\t0\t1114\t1114\t\\N\t\\N\t\\N"
    "\t\\N\t\\N\taggregate_dummy" },
  { "pg_proc",
    "2127\tmax\t11\t10\t12\t1\t0\t0\t-\ta\tf\tf\tf\tf\ti\ts\t1\t0\t1184\t1184\t\\N\t\\N\t\\N"
    "\t\\N\t\\N\taggregate_dummy" },
  { "pg_proc",
    "2128\tmax\t11\t10\t12\t1\t0\t0\t-\ta\tf\tf\tf\tf\ti\ts\t1\t0\t1186\t1186\t\\N\t\\N\t\\N"
    "\t\\N\t\\N\taggregate_dummy" },
  { "pg_proc",
    "2129\tmax\t11\t10\t12\t1\t0\t0\t-\ta\tf\tf\tf\tf\ti\ts\t1\t0\t25\t25\t\\N\t\\N\t\\N\t\\N"
    "\t\\N\taggregate_dummy" },
  { "pg_proc",
    "2130\tmax\t11\t10\t12\t1\t0\t0\t-\ta\tf\tf\tf\tf\ti\ts\t1\t0\t1700\t1700\t\\N\t\\N\t\\N"
    "\t\\N\t\\N\taggregate_dummy" },
  { "pg_proc",
    "2131\tmin\t11\t10\t12\t1\t0\t0\t-\ta\tf\tf\tf\tf\ti\ts\t1\t0\t20\t20\t\\N\t\\N\t\\N\t\\N"
    "\t\\N\taggregate_dummy" },
  { "pg_proc",
    "2132\tmin\t11\t10\t12\t1\t0\t0\t-\ta\tf\tf\tf\tf\ti\ts\t1\t0\t23\t23\t\\N\t\\N\t\\N\t\\N"
    "\t\\N\taggregate_dummy" },
  { "pg_proc",
    "2135\tmin\t11\t10\t12\t1\t0\t0\t-\ta\tf\tf\tf\tf\ti\ts\t1\t0\t700\t700\t\\N\t\\N\t\\N\t"
    "\\N\t\\N\taggregate_dummy" },
  { "pg_proc",
    "2136\tmin\t11\t10\t12\t1\t0\t0\t-\ta\tf\tf\tf\tf\ti\ts\t1\t0\t701\t701\t\\N\t\\N\t\\N\t"
    "\\N\t\\N\taggregate_dummy" },
  { "pg_proc",
    "2138\tmin\t11\t10\t12\t1\t0\t0\t-\ta\tf\tf\tf\tf\ti\ts\t1\t0\t1082\t1082\t\\N\t\\N\t\\N"
    "\t\\N\t\\N\taggregate_dummy" },
  { "pg_proc",
    "2139\tmin\t11\t10\t12\t1\t0\t0\t-\ta\tf\tf\tf\tf\ti\ts\t1\t0\t1083\t1083\t\\N\t\\N\t\\N"
    "\t\\N\t\\N\taggregate_dummy" },
  { "pg_proc",
    "2142\tmin\t11\t10\t12\t1\t0\t0\t-\ta\tf\tf\tf\tf\ti\ts\t1\t0\t1114\t1114\t\\N\t\\N\t\\N"
    "\t\\N\t\\N\taggregate_dummy" },
  { "pg_proc",
    "2143\tmin\t11\t10\t12\t1\t0\t0\t-\ta\tf\tf\tf\tf\ti\ts\t1\t0\t1184\t1184\t\\N\t\\N\t\\N"
    "\t\\N\t\\N\taggregate_dummy" },
  { "pg_proc",
    "2144\tmin\t11\t10\t12\t1\t0\t0\t-\ta\tf\tf\tf\tf\ti\ts\t1\t0\t1186\t1186\t\\N\t\\N\t\\N"
    "\t\\N\t\\N\taggregate_dummy" },
  { "pg_proc",
    "2145\tmin\t11\t10\t12\t1\t0\t0\t-\ta\tf\tf\tf\tf\ti\ts\t1\t0\t25\t25\t\\N\t\\N\t\\N\t\\N"
    "\t\\N\taggregate_dummy" },
  { "pg_proc",
    "2146\tmin\t11\t10\t12\t1\t0\t0\t-\ta\tf\tf\tf\tf\ti\ts\t1\t0\t1700\t1700\t\\N\t\\N\t\\N"
    "\t\\N\t\\N\taggregate_dummy" },
  { "pg_proc",
    "2147\tcount\t11\t10\t12\t1\t0\t0\tint8inc_support\ta\tf\tf\tf\tf\ti\ts\t1\t0\t20\t2276\t"
    "\\N\t\\N\t\\N\t\\N\t\\N\taggregate_dummy" },
  { "pg_proc",
    "2148\tvariance\t11\t10\t12\t1\t0\t0\t-\ta\tf\tf\tf\tf\ti\ts\t1\t0\t1700\t20\t\\N\t\\N\t"
    "\\N\t\\N\t\\N\taggregate_dummy" },
  { "pg_proc",
    "2149\tvariance\t11\t10\t12\t1\t0\t0\t-\ta\tf\tf\tf\tf\ti\ts\t1\t0\t1700\t23\t\\N\t\\N\t"
    "\\N\t\\N\t\\N\taggregate_dummy" },
  { "pg_proc",
    "2150\tvariance\t11\t10\t12\t1\t0\t0\t-\ta\tf\tf\tf\tf\ti\ts\t1\t0\t1700\t21\t\\N\t\\N\t"
    "\\N\t\\N\t\\N\taggregate_dummy" },
  { "pg_proc",
    "2151\tvariance\t11\t10\t12\t1\t0\t0\t-\ta\tf\tf\tf\tf\ti\ts\t1\t0\t701\t700\t\\N\t\\N\t"
    "\\N\t\\N\t\\N\taggregate_dummy" },
  { "pg_proc",
    "2152\tvariance\t11\t10\t12\t1\t0\t0\t-\ta\tf\tf\tf\tf\ti\ts\t1\t0\t701\t701\t\\N\t\\N\t"
    "\\N\t\\N\t\\N\taggregate_dummy" },
  { "pg_proc",
    "2153\tvariance\t11\t10\t12\t1\t0\t0\t-\ta\tf\tf\tf\tf\ti\ts\t1\t0\t1700\t1700\t\\N\t\\N"
    "\t\\N\t\\N\t\\N\taggregate_dummy" },
  { "pg_proc",
    "2154\tstddev\t11\t10\t12\t1\t0\t0\t-\ta\tf\tf\tf\tf\ti\ts\t1\t0\t1700\t20\t\\N\t\\N\t\\N"
    "\t\\N\t\\N\taggregate_dummy" },
  { "pg_proc",
    "2155\tstddev\t11\t10\t12\t1\t0\t0\t-\ta\tf\tf\tf\tf\ti\ts\t1\t0\t1700\t23\t\\N\t\\N\t\\N"
    "\t\\N\t\\N\taggregate_dummy" },
  { "pg_proc",
    "2156\tstddev\t11\t10\t12\t1\t0\t0\t-\ta\tf\tf\tf\tf\ti\ts\t1\t0\t1700\t21\t\\N\t\\N\t\\N"
    "\t\\N\t\\N\taggregate_dummy" },
  { "pg_proc",
    "2157\tstddev\t11\t10\t12\t1\t0\t0\t-\ta\tf\tf\tf\tf\ti\ts\t1\t0\t701\t700\t\\N\t\\N\t\\N"
    "\t\\N\t\\N\taggregate_dummy" },
  { "pg_proc",
    "2158\tstddev\t11\t10\t12\t1\t0\t0\t-\ta\tf\tf\tf\tf\ti\ts\t1\t0\t701\t701\t\\N\t\\N\t\\N"
    "\t\\N\t\\N\taggregate_dummy" },
  { "pg_proc",
    "2159\tstddev\t11\t10\t12\t1\t0\t0\t-\ta\tf\tf\tf\tf\ti\ts\t1\t0\t1700\t1700\t\\N\t\\N\t"
    "\\N\t\\N\t\\N\taggregate_dummy" },
  { "pg_proc",
    "2162\tpg_get_function_arguments\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ts\ts\t1\t0\t25\t"
    "26\t\\N\t\\N\t\\N\t\\N\t\\N\tpg_get_function_arguments" },
  { "pg_proc",
    "2165\tpg_get_function_result\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ts\ts\t1\t0\t25\t26"
    "\t\\N\t\\N\t\\N\t\\N\t\\N\tpg_get_function_result" },
  { "pg_proc",
    "2167\tceiling\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t1\t0\t1700\t1700\t\\N\t\\N\t"
    "\\N\t\\N\t\\N\tnumeric_ceil" },
  { "pg_proc",
    "2168\tpg_database_size\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\tv\ts\t1\t0\t20\t19\t\\N\t"
    "\\N\t\\N\t\\N\t\\N\tpg_database_size_name" },
  { "pg_proc",
    "2169\tpower\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t2\t0\t1700\t1700 "
    "1700\t\\N\t\\N\t\\N\t\\N\t\\N\tnumeric_power" },
  { "pg_proc",
    "2170\twidth_bucket\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t4\t0\t23\t1700 1700 "
    "1700 23\t\\N\t\\N\t\\N\t\\N\t\\N\twidth_bucket_numeric" },
  { "pg_proc",
    "2176\tarray_length\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t2\t0\t23\t2277 "
    "23\t\\N\t\\N\t\\N\t\\N\t\\N\tarray_length" },
  { "pg_proc",
    "2181\thas_sequence_privilege\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ts\ts\t3\t0\t16\t19 "
    "25 25\t\\N\t\\N\t\\N\t\\N\t\\N\thas_sequence_privilege_name_name" },
  { "pg_proc",
    "2182\thas_sequence_privilege\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ts\ts\t3\t0\t16\t19 "
    "26 25\t\\N\t\\N\t\\N\t\\N\t\\N\thas_sequence_privilege_name_id" },
  { "pg_proc",
    "2183\thas_sequence_privilege\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ts\ts\t3\t0\t16\t26 "
    "25 25\t\\N\t\\N\t\\N\t\\N\t\\N\thas_sequence_privilege_id_name" },
  { "pg_proc",
    "2184\thas_sequence_privilege\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ts\ts\t3\t0\t16\t26 "
    "26 25\t\\N\t\\N\t\\N\t\\N\t\\N\thas_sequence_privilege_id_id" },
  { "pg_proc",
    "2185\thas_sequence_privilege\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ts\ts\t2\t0\t16\t25 "
    "25\t\\N\t\\N\t\\N\t\\N\t\\N\thas_sequence_privilege_name" },
  { "pg_proc",
    "2186\thas_sequence_privilege\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ts\ts\t2\t0\t16\t26 "
    "25\t\\N\t\\N\t\\N\t\\N\t\\N\thas_sequence_privilege_id" },
  { "pg_proc",
    "2199\tinet_server_port\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tf\tf\ts\tr\t0\t0\t23\t\t\\N\t"
    "\\N\t\\N\t\\N\t\\N\tinet_server_port" },
  { "pg_proc",
    "2212\tregprocedurein\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ts\ts\t1\t0\t2202\t2275\t\\N"
    "\t\\N\t\\N\t\\N\t\\N\tregprocedurein" },
  { "pg_proc",
    "2213\tregprocedureout\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ts\ts\t1\t0\t2275\t2202\t"
    "\\N\t\\N\t\\N\t\\N\t\\N\tregprocedureout" },
  { "pg_proc",
    "2214\tregoperin\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ts\ts\t1\t0\t2203\t2275\t\\N\t\\N"
    "\t\\N\t\\N\t\\N\tregoperin" },
  { "pg_proc",
    "2215\tregoperout\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ts\ts\t1\t0\t2275\t2203\t\\N\t"
    "\\N\t\\N\t\\N\t\\N\tregoperout" },
  { "pg_proc",
    "2216\tregoperatorin\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ts\ts\t1\t0\t2204\t2275\t\\N"
    "\t\\N\t\\N\t\\N\t\\N\tregoperatorin" },
  { "pg_proc",
    "2217\tregoperatorout\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ts\ts\t1\t0\t2275\t2204\t\\N"
    "\t\\N\t\\N\t\\N\t\\N\tregoperatorout" },
  { "pg_proc",
    "2218\tregclassin\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ts\ts\t1\t0\t2205\t2275\t\\N\t"
    "\\N\t\\N\t\\N\t\\N\tregclassin" },
  { "pg_proc",
    "2219\tregclassout\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ts\ts\t1\t0\t2275\t2205\t\\N\t"
    "\\N\t\\N\t\\N\t\\N\tregclassout" },
  { "pg_proc",
    "2220\tregtypein\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ts\ts\t1\t0\t2206\t2275\t\\N\t\\N"
    "\t\\N\t\\N\t\\N\tregtypein" },
  { "pg_proc",
    "2221\tregtypeout\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ts\ts\t1\t0\t2275\t2206\t\\N\t"
    "\\N\t\\N\t\\N\t\\N\tregtypeout" },
  { "pg_proc",
    "2232\tpg_get_function_identity_arguments\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ts\ts\t1"
    "\t0\t25\t26\t\\N\t\\N\t\\N\t\\N\t\\N\tpg_get_function_identity_arguments" },
  { "pg_proc",
    "2238\tbit_and\t11\t10\t12\t1\t0\t0\t-\ta\tf\tf\tf\tf\ti\ts\t1\t0\t23\t23\t\\N\t\\N\t\\N"
    "\t\\N\t\\N\taggregate_dummy" },
  { "pg_proc",
    "2239\tbit_or\t11\t10\t12\t1\t0\t0\t-\ta\tf\tf\tf\tf\ti\ts\t1\t0\t23\t23\t\\N\t\\N\t\\N\t"
    "\\N\t\\N\taggregate_dummy" },
  { "pg_proc",
    "2240\tbit_and\t11\t10\t12\t1\t0\t0\t-\ta\tf\tf\tf\tf\ti\ts\t1\t0\t20\t20\t\\N\t\\N\t\\N"
    "\t\\N\t\\N\taggregate_dummy" },
  { "pg_proc",
    "2241\tbit_or\t11\t10\t12\t1\t0\t0\t-\ta\tf\tf\tf\tf\ti\ts\t1\t0\t20\t20\t\\N\t\\N\t\\N\t"
    "\\N\t\\N\taggregate_dummy" },
  { "pg_proc",
    "2250\thas_database_privilege\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ts\ts\t3\t0\t16\t19 "
    "25 25\t\\N\t\\N\t\\N\t\\N\t\\N\thas_database_privilege_name_name" },
  { "pg_proc",
    "2251\thas_database_privilege\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ts\ts\t3\t0\t16\t19 "
    "26 25\t\\N\t\\N\t\\N\t\\N\t\\N\thas_database_privilege_name_id" },
  { "pg_proc",
    "2252\thas_database_privilege\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ts\ts\t3\t0\t16\t26 "
    "25 25\t\\N\t\\N\t\\N\t\\N\t\\N\thas_database_privilege_id_name" },
  { "pg_proc",
    "2253\thas_database_privilege\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ts\ts\t3\t0\t16\t26 "
    "26 25\t\\N\t\\N\t\\N\t\\N\t\\N\thas_database_privilege_id_id" },
  { "pg_proc",
    "2254\thas_database_privilege\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ts\ts\t2\t0\t16\t25 "
    "25\t\\N\t\\N\t\\N\t\\N\t\\N\thas_database_privilege_name" },
  { "pg_proc",
    "2255\thas_database_privilege\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ts\ts\t2\t0\t16\t26 "
    "25\t\\N\t\\N\t\\N\t\\N\t\\N\thas_database_privilege_id" },
  { "pg_proc",
    "2256\thas_function_privilege\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ts\ts\t3\t0\t16\t19 "
    "25 25\t\\N\t\\N\t\\N\t\\N\t\\N\thas_function_privilege_name_name" },
  { "pg_proc",
    "2257\thas_function_privilege\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ts\ts\t3\t0\t16\t19 "
    "26 25\t\\N\t\\N\t\\N\t\\N\t\\N\thas_function_privilege_name_id" },
  { "pg_proc",
    "2258\thas_function_privilege\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ts\ts\t3\t0\t16\t26 "
    "25 25\t\\N\t\\N\t\\N\t\\N\t\\N\thas_function_privilege_id_name" },
  { "pg_proc",
    "2259\thas_function_privilege\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ts\ts\t3\t0\t16\t26 "
    "26 25\t\\N\t\\N\t\\N\t\\N\t\\N\thas_function_privilege_id_id" },
  { "pg_proc",
    "2260\thas_function_privilege\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ts\ts\t2\t0\t16\t25 "
    "25\t\\N\t\\N\t\\N\t\\N\t\\N\thas_function_privilege_name" },
  { "pg_proc",
    "2261\thas_function_privilege\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ts\ts\t2\t0\t16\t26 "
    "25\t\\N\t\\N\t\\N\t\\N\t\\N\thas_function_privilege_id" },
  { "pg_proc",
    "2268\thas_schema_privilege\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ts\ts\t3\t0\t16\t19 "
    "25 25\t\\N\t\\N\t\\N\t\\N\t\\N\thas_schema_privilege_name_name" },
  { "pg_proc",
    "2269\thas_schema_privilege\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ts\ts\t3\t0\t16\t19 "
    "26 25\t\\N\t\\N\t\\N\t\\N\t\\N\thas_schema_privilege_name_id" },
  { "pg_proc",
    "2270\thas_schema_privilege\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ts\ts\t3\t0\t16\t26 "
    "25 25\t\\N\t\\N\t\\N\t\\N\t\\N\thas_schema_privilege_id_name" },
  { "pg_proc",
    "2271\thas_schema_privilege\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ts\ts\t3\t0\t16\t26 "
    "26 25\t\\N\t\\N\t\\N\t\\N\t\\N\thas_schema_privilege_id_id" },
  { "pg_proc",
    "2272\thas_schema_privilege\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ts\ts\t2\t0\t16\t25 "
    "25\t\\N\t\\N\t\\N\t\\N\t\\N\thas_schema_privilege_name" },
  { "pg_proc",
    "2273\thas_schema_privilege\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ts\ts\t2\t0\t16\t26 "
    "25\t\\N\t\\N\t\\N\t\\N\t\\N\thas_schema_privilege_id" },
  { "pg_proc",
    "2284\tregexp_replace\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t3\t0\t25\t25 25 "
    "25\t\\N\t\\N\t\\N\t\\N\t\\N\ttextregexreplace_noopt" },
  { "pg_proc",
    "2285\tregexp_replace\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t4\t0\t25\t25 25 25 "
    "25\t\\N\t\\N\t\\N\t\\N\t\\N\ttextregexreplace" },
  { "pg_proc",
    "2286\tpg_total_relation_size\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\tv\ts\t1\t0\t20\t220"
    "5\t\\N\t\\N\t\\N\t\\N\t\\N\tpg_total_relation_size" },
  { "pg_proc",
    "2288\tpg_size_pretty\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t1\t0\t25\t20\t\\N\t"
    "\\N\t\\N\t\\N\t\\N\tpg_size_pretty" },
  { "pg_proc",
    "2290\trecord_in\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ts\ts\t3\t0\t2249\t2275 26 "
    "23\t\\N\t\\N\t\\N\t\\N\t\\N\trecord_in" },
  { "pg_proc",
    "2291\trecord_out\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ts\ts\t1\t0\t2275\t2249\t\\N\t"
    "\\N\t\\N\t\\N\t\\N\trecord_out" },
  { "pg_proc",
    "2292\tcstring_in\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t1\t0\t2275\t2275\t\\N\t"
    "\\N\t\\N\t\\N\t\\N\tcstring_in" },
  { "pg_proc",
    "2293\tcstring_out\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t1\t0\t2275\t2275\t\\N\t"
    "\\N\t\\N\t\\N\t\\N\tcstring_out" },
  { "pg_proc",
    "2294\tany_in\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t1\t0\t2276\t2275\t\\N\t\\N\t"
    "\\N\t\\N\t\\N\tany_in" },
  { "pg_proc",
    "2295\tany_out\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t1\t0\t2275\t2276\t\\N\t\\N\t"
    "\\N\t\\N\t\\N\tany_out" },
  { "pg_proc",
    "2296\tanyarray_in\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t1\t0\t2277\t2275\t\\N\t"
    "\\N\t\\N\t\\N\t\\N\tanyarray_in" },
  { "pg_proc",
    "2297\tanyarray_out\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ts\ts\t1\t0\t2275\t2277\t\\N\t"
    "\\N\t\\N\t\\N\t\\N\tanyarray_out" },
  { "pg_proc",
    "2298\tvoid_in\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t1\t0\t2278\t2275\t\\N\t\\N\t"
    "\\N\t\\N\t\\N\tvoid_in" },
  { "pg_proc",
    "2299\tvoid_out\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t1\t0\t2275\t2278\t\\N\t\\N"
    "\t\\N\t\\N\t\\N\tvoid_out" },
  { "pg_proc",
    "2300\ttrigger_in\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tf\tf\ti\ts\t1\t0\t2279\t2275\t\\N\t"
    "\\N\t\\N\t\\N\t\\N\ttrigger_in" },
  { "pg_proc",
    "2301\ttrigger_out\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t1\t0\t2275\t2279\t\\N\t"
    "\\N\t\\N\t\\N\t\\N\ttrigger_out" },
  { "pg_proc",
    "2302\tlanguage_handler_in\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tf\tf\ti\ts\t1\t0\t2280\t2275"
    "\t\\N\t\\N\t\\N\t\\N\t\\N\tlanguage_handler_in" },
  { "pg_proc",
    "2303\tlanguage_handler_out\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t1\t0\t2275\t228"
    "0\t\\N\t\\N\t\\N\t\\N\t\\N\tlanguage_handler_out" },
  { "pg_proc",
    "2304\tinternal_in\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tf\tf\ti\ts\t1\t0\t2281\t2275\t\\N\t"
    "\\N\t\\N\t\\N\t\\N\tinternal_in" },
  { "pg_proc",
    "2305\tinternal_out\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t1\t0\t2275\t2281\t\\N\t"
    "\\N\t\\N\t\\N\t\\N\tinternal_out" },
  { "pg_proc",
    "2308\tceil\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t1\t0\t701\t701\t\\N\t\\N\t\\N\t"
    "\\N\t\\N\tdceil" },
  { "pg_proc",
    "2309\tfloor\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t1\t0\t701\t701\t\\N\t\\N\t\\N"
    "\t\\N\t\\N\tdfloor" },
  { "pg_proc",
    "2310\tsign\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t1\t0\t701\t701\t\\N\t\\N\t\\N\t"
    "\\N\t\\N\tdsign" },
  { "pg_proc",
    "2311\tmd5\t11\t10\t12\t1\t0\t0\t-\tf\tf\tt\tt\tf\ti\ts\t1\t0\t25\t25\t\\N\t\\N\t\\N\t\\N"
    "\t\\N\tmd5_text" },
  { "pg_proc",
    "2312\tanyelement_in\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t1\t0\t2283\t2275\t\\N"
    "\t\\N\t\\N\t\\N\t\\N\tanyelement_in" },
  { "pg_proc",
    "2313\tanyelement_out\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t1\t0\t2275\t2283\t\\N"
    "\t\\N\t\\N\t\\N\t\\N\tanyelement_out" },
  { "pg_proc",
    "2320\tceiling\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t1\t0\t701\t701\t\\N\t\\N\t"
    "\\N\t\\N\t\\N\tdceil" },
  { "pg_proc",
    "2321\tmd5\t11\t10\t12\t1\t0\t0\t-\tf\tf\tt\tt\tf\ti\ts\t1\t0\t25\t17\t\\N\t\\N\t\\N\t\\N"
    "\t\\N\tmd5_bytea" },
  { "pg_proc",
    "2322\tpg_tablespace_size\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\tv\ts\t1\t0\t20\t26\t\\N"
    "\t\\N\t\\N\t\\N\t\\N\tpg_tablespace_size_oid" },
  { "pg_proc",
    "2323\tpg_tablespace_size\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\tv\ts\t1\t0\t20\t19\t\\N"
    "\t\\N\t\\N\t\\N\t\\N\tpg_tablespace_size_name" },
  { "pg_proc",
    "2324\tpg_database_size\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\tv\ts\t1\t0\t20\t26\t\\N\t"
    "\\N\t\\N\t\\N\t\\N\tpg_database_size_oid" },
  { "pg_proc",
    "2325\tpg_relation_size\t11\t10\t14\t1\t0\t0\t-\tf\tf\tf\tt\tf\tv\ts\t1\t0\t20\t2205\t\\N"
    "\t\\N\t\\N\t\\N\t\\N\t" },
  { "pg_proc",
    "2331\tunnest\t11\t10\t12\t1\t100\t0\tarray_unnest_support\tf\tf\tf\tt\tt\ti\ts\t1\t0\t22"
    "83\t2277\t\\N\t\\N\t\\N\t\\N\t\\N\tarray_unnest" },
  { "pg_proc",
    "2332\tpg_relation_size\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\tv\ts\t2\t0\t20\t2205 "
    "25\t\\N\t\\N\t\\N\t\\N\t\\N\tpg_relation_size" },
  { "pg_proc",
    "2335\tarray_agg\t11\t10\t12\t1\t0\t0\t-\ta\tf\tf\tf\tf\ti\ts\t1\t0\t2277\t2776\t\\N\t\\N"
    "\t\\N\t\\N\t\\N\taggregate_dummy" },
  { "pg_proc",
    "2400\tarray_recv\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ts\ts\t3\t0\t2277\t2281 26 "
    "23\t\\N\t\\N\t\\N\t\\N\t\\N\tarray_recv" },
  { "pg_proc",
    "2401\tarray_send\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ts\ts\t1\t0\t17\t2277\t\\N\t\\N"
    "\t\\N\t\\N\t\\N\tarray_send" },
  { "pg_proc",
    "2402\trecord_recv\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ts\ts\t3\t0\t2249\t2281 26 "
    "23\t\\N\t\\N\t\\N\t\\N\t\\N\trecord_recv" },
  { "pg_proc",
    "2403\trecord_send\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ts\ts\t1\t0\t17\t2249\t\\N\t\\N"
    "\t\\N\t\\N\t\\N\trecord_send" },
  { "pg_proc",
    "2404\tint2recv\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t1\t0\t21\t2281\t\\N\t\\N\t"
    "\\N\t\\N\t\\N\tint2recv" },
  { "pg_proc",
    "2405\tint2send\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t1\t0\t17\t21\t\\N\t\\N\t\\N"
    "\t\\N\t\\N\tint2send" },
  { "pg_proc",
    "2406\tint4recv\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t1\t0\t23\t2281\t\\N\t\\N\t"
    "\\N\t\\N\t\\N\tint4recv" },
  { "pg_proc",
    "2407\tint4send\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t1\t0\t17\t23\t\\N\t\\N\t\\N"
    "\t\\N\t\\N\tint4send" },
  { "pg_proc",
    "2408\tint8recv\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t1\t0\t20\t2281\t\\N\t\\N\t"
    "\\N\t\\N\t\\N\tint8recv" },
  { "pg_proc",
    "2409\tint8send\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t1\t0\t17\t20\t\\N\t\\N\t\\N"
    "\t\\N\t\\N\tint8send" },
  { "pg_proc",
    "2410\tint2vectorrecv\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t1\t0\t22\t2281\t\\N\t"
    "\\N\t\\N\t\\N\t\\N\tint2vectorrecv" },
  { "pg_proc",
    "2411\tint2vectorsend\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t1\t0\t17\t22\t\\N\t"
    "\\N\t\\N\t\\N\t\\N\tint2vectorsend" },
  { "pg_proc",
    "2412\tbytearecv\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t1\t0\t17\t2281\t\\N\t\\N\t"
    "\\N\t\\N\t\\N\tbytearecv" },
  { "pg_proc",
    "2413\tbyteasend\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t1\t0\t17\t17\t\\N\t\\N\t"
    "\\N\t\\N\t\\N\tbyteasend" },
  { "pg_proc",
    "2414\ttextrecv\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ts\ts\t1\t0\t25\t2281\t\\N\t\\N\t"
    "\\N\t\\N\t\\N\ttextrecv" },
  { "pg_proc",
    "2415\ttextsend\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ts\ts\t1\t0\t17\t25\t\\N\t\\N\t\\N"
    "\t\\N\t\\N\ttextsend" },
  { "pg_proc",
    "2416\tunknownrecv\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t1\t0\t705\t2281\t\\N\t"
    "\\N\t\\N\t\\N\t\\N\tunknownrecv" },
  { "pg_proc",
    "2417\tunknownsend\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t1\t0\t17\t705\t\\N\t\\N"
    "\t\\N\t\\N\t\\N\tunknownsend" },
  { "pg_proc",
    "2418\toidrecv\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t1\t0\t26\t2281\t\\N\t\\N\t"
    "\\N\t\\N\t\\N\toidrecv" },
  { "pg_proc",
    "2419\toidsend\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t1\t0\t17\t26\t\\N\t\\N\t\\N"
    "\t\\N\t\\N\toidsend" },
  { "pg_proc",
    "2420\toidvectorrecv\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t1\t0\t30\t2281\t\\N\t"
    "\\N\t\\N\t\\N\t\\N\toidvectorrecv" },
  { "pg_proc",
    "2421\toidvectorsend\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t1\t0\t17\t30\t\\N\t\\N"
    "\t\\N\t\\N\t\\N\toidvectorsend" },
  { "pg_proc",
    "2422\tnamerecv\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ts\ts\t1\t0\t19\t2281\t\\N\t\\N\t"
    "\\N\t\\N\t\\N\tnamerecv" },
  { "pg_proc",
    "2423\tnamesend\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ts\ts\t1\t0\t17\t19\t\\N\t\\N\t\\N"
    "\t\\N\t\\N\tnamesend" },
  { "pg_proc",
    "2424\tfloat4recv\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t1\t0\t700\t2281\t\\N\t\\N"
    "\t\\N\t\\N\t\\N\tfloat4recv" },
  { "pg_proc",
    "2425\tfloat4send\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t1\t0\t17\t700\t\\N\t\\N\t"
    "\\N\t\\N\t\\N\tfloat4send" },
  { "pg_proc",
    "2426\tfloat8recv\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t1\t0\t701\t2281\t\\N\t\\N"
    "\t\\N\t\\N\t\\N\tfloat8recv" },
  { "pg_proc",
    "2427\tfloat8send\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t1\t0\t17\t701\t\\N\t\\N\t"
    "\\N\t\\N\t\\N\tfloat8send" },
  { "pg_proc",
    "2428\tpoint_recv\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t1\t0\t600\t2281\t\\N\t\\N"
    "\t\\N\t\\N\t\\N\tpoint_recv" },
  { "pg_proc",
    "2429\tpoint_send\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t1\t0\t17\t600\t\\N\t\\N\t"
    "\\N\t\\N\t\\N\tpoint_send" },
  { "pg_proc",
    "2430\tbpcharrecv\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ts\ts\t3\t0\t1042\t2281 26 "
    "23\t\\N\t\\N\t\\N\t\\N\t\\N\tbpcharrecv" },
  { "pg_proc",
    "2431\tbpcharsend\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ts\ts\t1\t0\t17\t1042\t\\N\t\\N"
    "\t\\N\t\\N\t\\N\tbpcharsend" },
  { "pg_proc",
    "2432\tvarcharrecv\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ts\ts\t3\t0\t1043\t2281 26 "
    "23\t\\N\t\\N\t\\N\t\\N\t\\N\tvarcharrecv" },
  { "pg_proc",
    "2433\tvarcharsend\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ts\ts\t1\t0\t17\t1043\t\\N\t\\N"
    "\t\\N\t\\N\t\\N\tvarcharsend" },
  { "pg_proc",
    "2434\tcharrecv\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t1\t0\t18\t2281\t\\N\t\\N\t"
    "\\N\t\\N\t\\N\tcharrecv" },
  { "pg_proc",
    "2435\tcharsend\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t1\t0\t17\t18\t\\N\t\\N\t\\N"
    "\t\\N\t\\N\tcharsend" },
  { "pg_proc",
    "2436\tboolrecv\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t1\t0\t16\t2281\t\\N\t\\N\t"
    "\\N\t\\N\t\\N\tboolrecv" },
  { "pg_proc",
    "2437\tboolsend\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t1\t0\t17\t16\t\\N\t\\N\t\\N"
    "\t\\N\t\\N\tboolsend" },
  { "pg_proc",
    "2438\ttidrecv\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t1\t0\t27\t2281\t\\N\t\\N\t"
    "\\N\t\\N\t\\N\ttidrecv" },
  { "pg_proc",
    "2439\ttidsend\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t1\t0\t17\t27\t\\N\t\\N\t\\N"
    "\t\\N\t\\N\ttidsend" },
  { "pg_proc",
    "2440\txidrecv\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t1\t0\t28\t2281\t\\N\t\\N\t"
    "\\N\t\\N\t\\N\txidrecv" },
  { "pg_proc",
    "2441\txidsend\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t1\t0\t17\t28\t\\N\t\\N\t\\N"
    "\t\\N\t\\N\txidsend" },
  { "pg_proc",
    "2442\tcidrecv\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t1\t0\t29\t2281\t\\N\t\\N\t"
    "\\N\t\\N\t\\N\tcidrecv" },
  { "pg_proc",
    "2443\tcidsend\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t1\t0\t17\t29\t\\N\t\\N\t\\N"
    "\t\\N\t\\N\tcidsend" },
  { "pg_proc",
    "2444\tregprocrecv\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t1\t0\t24\t2281\t\\N\t\\N"
    "\t\\N\t\\N\t\\N\tregprocrecv" },
  { "pg_proc",
    "2445\tregprocsend\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t1\t0\t17\t24\t\\N\t\\N\t"
    "\\N\t\\N\t\\N\tregprocsend" },
  { "pg_proc",
    "2446\tregprocedurerecv\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t1\t0\t2202\t2281\t"
    "\\N\t\\N\t\\N\t\\N\t\\N\tregprocedurerecv" },
  { "pg_proc",
    "2447\tregproceduresend\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t1\t0\t17\t2202\t\\N"
    "\t\\N\t\\N\t\\N\t\\N\tregproceduresend" },
  { "pg_proc",
    "2448\tregoperrecv\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t1\t0\t2203\t2281\t\\N\t"
    "\\N\t\\N\t\\N\t\\N\tregoperrecv" },
  { "pg_proc",
    "2449\tregopersend\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t1\t0\t17\t2203\t\\N\t\\N"
    "\t\\N\t\\N\t\\N\tregopersend" },
  { "pg_proc",
    "2450\tregoperatorrecv\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t1\t0\t2204\t2281\t"
    "\\N\t\\N\t\\N\t\\N\t\\N\tregoperatorrecv" },
  { "pg_proc",
    "2451\tregoperatorsend\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t1\t0\t17\t2204\t\\N"
    "\t\\N\t\\N\t\\N\t\\N\tregoperatorsend" },
  { "pg_proc",
    "2452\tregclassrecv\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t1\t0\t2205\t2281\t\\N\t"
    "\\N\t\\N\t\\N\t\\N\tregclassrecv" },
  { "pg_proc",
    "2453\tregclasssend\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t1\t0\t17\t2205\t\\N\t"
    "\\N\t\\N\t\\N\t\\N\tregclasssend" },
  { "pg_proc",
    "2454\tregtyperecv\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t1\t0\t2206\t2281\t\\N\t"
    "\\N\t\\N\t\\N\t\\N\tregtyperecv" },
  { "pg_proc",
    "2455\tregtypesend\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t1\t0\t17\t2206\t\\N\t\\N"
    "\t\\N\t\\N\t\\N\tregtypesend" },
  { "pg_proc",
    "2456\tbit_recv\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t3\t0\t1560\t2281 26 "
    "23\t\\N\t\\N\t\\N\t\\N\t\\N\tbit_recv" },
  { "pg_proc",
    "2457\tbit_send\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t1\t0\t17\t1560\t\\N\t\\N\t"
    "\\N\t\\N\t\\N\tbit_send" },
  { "pg_proc",
    "2458\tvarbit_recv\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t3\t0\t1562\t2281 26 "
    "23\t\\N\t\\N\t\\N\t\\N\t\\N\tvarbit_recv" },
  { "pg_proc",
    "2459\tvarbit_send\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t1\t0\t17\t1562\t\\N\t\\N"
    "\t\\N\t\\N\t\\N\tvarbit_send" },
  { "pg_proc",
    "2460\tnumeric_recv\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t3\t0\t1700\t2281 26 "
    "23\t\\N\t\\N\t\\N\t\\N\t\\N\tnumeric_recv" },
  { "pg_proc",
    "2461\tnumeric_send\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t1\t0\t17\t1700\t\\N\t"
    "\\N\t\\N\t\\N\t\\N\tnumeric_send" },
  { "pg_proc",
    "2462\tsinh\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t1\t0\t701\t701\t\\N\t\\N\t\\N\t"
    "\\N\t\\N\tdsinh" },
  { "pg_proc",
    "2463\tcosh\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t1\t0\t701\t701\t\\N\t\\N\t\\N\t"
    "\\N\t\\N\tdcosh" },
  { "pg_proc",
    "2464\ttanh\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t1\t0\t701\t701\t\\N\t\\N\t\\N\t"
    "\\N\t\\N\tdtanh" },
  { "pg_proc",
    "2465\tasinh\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t1\t0\t701\t701\t\\N\t\\N\t\\N"
    "\t\\N\t\\N\tdasinh" },
  { "pg_proc",
    "2466\tacosh\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t1\t0\t701\t701\t\\N\t\\N\t\\N"
    "\t\\N\t\\N\tdacosh" },
  { "pg_proc",
    "2467\tatanh\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t1\t0\t701\t701\t\\N\t\\N\t\\N"
    "\t\\N\t\\N\tdatanh" },
  { "pg_proc",
    "2468\tdate_recv\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t1\t0\t1082\t2281\t\\N\t\\N"
    "\t\\N\t\\N\t\\N\tdate_recv" },
  { "pg_proc",
    "2469\tdate_send\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t1\t0\t17\t1082\t\\N\t\\N\t"
    "\\N\t\\N\t\\N\tdate_send" },
  { "pg_proc",
    "2470\ttime_recv\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t3\t0\t1083\t2281 26 "
    "23\t\\N\t\\N\t\\N\t\\N\t\\N\ttime_recv" },
  { "pg_proc",
    "2471\ttime_send\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t1\t0\t17\t1083\t\\N\t\\N\t"
    "\\N\t\\N\t\\N\ttime_send" },
  { "pg_proc",
    "2472\ttimetz_recv\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t3\t0\t1266\t2281 26 "
    "23\t\\N\t\\N\t\\N\t\\N\t\\N\ttimetz_recv" },
  { "pg_proc",
    "2473\ttimetz_send\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t1\t0\t17\t1266\t\\N\t\\N"
    "\t\\N\t\\N\t\\N\ttimetz_send" },
  { "pg_proc",
    "2474\ttimestamp_recv\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t3\t0\t1114\t2281 26 "
    "23\t\\N\t\\N\t\\N\t\\N\t\\N\ttimestamp_recv" },
  { "pg_proc",
    "2475\ttimestamp_send\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t1\t0\t17\t1114\t\\N\t"
    "\\N\t\\N\t\\N\t\\N\ttimestamp_send" },
  { "pg_proc",
    "2476\ttimestamptz_recv\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t3\t0\t1184\t2281 "
    "26 23\t\\N\t\\N\t\\N\t\\N\t\\N\ttimestamptz_recv" },
  { "pg_proc",
    "2477\ttimestamptz_send\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t1\t0\t17\t1184\t\\N"
    "\t\\N\t\\N\t\\N\t\\N\ttimestamptz_send" },
  { "pg_proc",
    "2478\tinterval_recv\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t3\t0\t1186\t2281 26 "
    "23\t\\N\t\\N\t\\N\t\\N\t\\N\tinterval_recv" },
  { "pg_proc",
    "2479\tinterval_send\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t1\t0\t17\t1186\t\\N\t"
    "\\N\t\\N\t\\N\t\\N\tinterval_send" },
  { "pg_proc",
    "2480\tlseg_recv\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t1\t0\t601\t2281\t\\N\t\\N"
    "\t\\N\t\\N\t\\N\tlseg_recv" },
  { "pg_proc",
    "2481\tlseg_send\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t1\t0\t17\t601\t\\N\t\\N\t"
    "\\N\t\\N\t\\N\tlseg_send" },
  { "pg_proc",
    "2482\tpath_recv\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t1\t0\t602\t2281\t\\N\t\\N"
    "\t\\N\t\\N\t\\N\tpath_recv" },
  { "pg_proc",
    "2483\tpath_send\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t1\t0\t17\t602\t\\N\t\\N\t"
    "\\N\t\\N\t\\N\tpath_send" },
  { "pg_proc",
    "2484\tbox_recv\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t1\t0\t603\t2281\t\\N\t\\N\t"
    "\\N\t\\N\t\\N\tbox_recv" },
  { "pg_proc",
    "2485\tbox_send\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t1\t0\t17\t603\t\\N\t\\N\t"
    "\\N\t\\N\t\\N\tbox_send" },
  { "pg_proc",
    "2486\tpoly_recv\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t1\t0\t604\t2281\t\\N\t\\N"
    "\t\\N\t\\N\t\\N\tpoly_recv" },
  { "pg_proc",
    "2487\tpoly_send\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t1\t0\t17\t604\t\\N\t\\N\t"
    "\\N\t\\N\t\\N\tpoly_send" },
  { "pg_proc",
    "2488\tline_recv\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t1\t0\t628\t2281\t\\N\t\\N"
    "\t\\N\t\\N\t\\N\tline_recv" },
  { "pg_proc",
    "2489\tline_send\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t1\t0\t17\t628\t\\N\t\\N\t"
    "\\N\t\\N\t\\N\tline_send" },
  { "pg_proc",
    "2490\tcircle_recv\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t1\t0\t718\t2281\t\\N\t"
    "\\N\t\\N\t\\N\t\\N\tcircle_recv" },
  { "pg_proc",
    "2491\tcircle_send\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t1\t0\t17\t718\t\\N\t\\N"
    "\t\\N\t\\N\t\\N\tcircle_send" },
  { "pg_proc",
    "2492\tcash_recv\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t1\t0\t790\t2281\t\\N\t\\N"
    "\t\\N\t\\N\t\\N\tcash_recv" },
  { "pg_proc",
    "2493\tcash_send\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t1\t0\t17\t790\t\\N\t\\N\t"
    "\\N\t\\N\t\\N\tcash_send" },
  { "pg_proc",
    "2494\tmacaddr_recv\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t1\t0\t829\t2281\t\\N\t"
    "\\N\t\\N\t\\N\t\\N\tmacaddr_recv" },
  { "pg_proc",
    "2495\tmacaddr_send\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t1\t0\t17\t829\t\\N\t\\N"
    "\t\\N\t\\N\t\\N\tmacaddr_send" },
  { "pg_proc",
    "2496\tinet_recv\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t1\t0\t869\t2281\t\\N\t\\N"
    "\t\\N\t\\N\t\\N\tinet_recv" },
  { "pg_proc",
    "2497\tinet_send\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t1\t0\t17\t869\t\\N\t\\N\t"
    "\\N\t\\N\t\\N\tinet_send" },
  { "pg_proc",
    "2498\tcidr_recv\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t1\t0\t650\t2281\t\\N\t\\N"
    "\t\\N\t\\N\t\\N\tcidr_recv" },
  { "pg_proc",
    "2499\tcidr_send\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t1\t0\t17\t650\t\\N\t\\N\t"
    "\\N\t\\N\t\\N\tcidr_send" },
  { "pg_proc",
    "2500\tcstring_recv\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ts\ts\t1\t0\t2275\t2281\t\\N\t"
    "\\N\t\\N\t\\N\t\\N\tcstring_recv" },
  { "pg_proc",
    "2501\tcstring_send\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ts\ts\t1\t0\t17\t2275\t\\N\t"
    "\\N\t\\N\t\\N\t\\N\tcstring_send" },
  { "pg_proc",
    "2502\tanyarray_recv\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ts\ts\t1\t0\t2277\t2281\t\\N"
    "\t\\N\t\\N\t\\N\t\\N\tanyarray_recv" },
  { "pg_proc",
    "2503\tanyarray_send\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ts\ts\t1\t0\t17\t2277\t\\N\t"
    "\\N\t\\N\t\\N\t\\N\tanyarray_send" },
  { "pg_proc",
    "2504\tpg_get_ruledef\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ts\ts\t2\t0\t25\t26 "
    "16\t\\N\t\\N\t\\N\t\\N\t\\N\tpg_get_ruledef_ext" },
  { "pg_proc",
    "2505\tpg_get_viewdef\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ts\tr\t2\t0\t25\t25 "
    "16\t\\N\t\\N\t\\N\t\\N\t\\N\tpg_get_viewdef_name_ext" },
  { "pg_proc",
    "2506\tpg_get_viewdef\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ts\tr\t2\t0\t25\t26 "
    "16\t\\N\t\\N\t\\N\t\\N\t\\N\tpg_get_viewdef_ext" },
  { "pg_proc",
    "2507\tpg_get_indexdef\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ts\ts\t3\t0\t25\t26 23 "
    "16\t\\N\t\\N\t\\N\t\\N\t\\N\tpg_get_indexdef_ext" },
  { "pg_proc",
    "2508\tpg_get_constraintdef\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ts\ts\t2\t0\t25\t26 "
    "16\t\\N\t\\N\t\\N\t\\N\t\\N\tpg_get_constraintdef_ext" },
  { "pg_proc",
    "2509\tpg_get_expr\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ts\ts\t3\t0\t25\t194 26 "
    "16\t\\N\t\\N\t\\N\t\\N\t\\N\tpg_get_expr_ext" },
  { "pg_proc",
    "2517\tbool_and\t11\t10\t12\t1\t0\t0\t-\ta\tf\tf\tf\tf\ti\ts\t1\t0\t16\t16\t\\N\t\\N\t\\N"
    "\t\\N\t\\N\taggregate_dummy" },
  { "pg_proc",
    "2518\tbool_or\t11\t10\t12\t1\t0\t0\t-\ta\tf\tf\tf\tf\ti\ts\t1\t0\t16\t16\t\\N\t\\N\t\\N"
    "\t\\N\t\\N\taggregate_dummy" },
  { "pg_proc",
    "2519\tevery\t11\t10\t12\t1\t0\t0\t-\ta\tf\tf\tf\tf\ti\ts\t1\t0\t16\t16\t\\N\t\\N\t\\N\t"
    "\\N\t\\N\taggregate_dummy" },
  { "pg_proc",
    "2559\tlastval\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\tv\tu\t0\t0\t20\t\t\\N\t\\N\t\\N\t"
    "\\N\t\\N\tlastval" },
  { "pg_proc",
    "2641\tvar_samp\t11\t10\t12\t1\t0\t0\t-\ta\tf\tf\tf\tf\ti\ts\t1\t0\t1700\t20\t\\N\t\\N\t"
    "\\N\t\\N\t\\N\taggregate_dummy" },
  { "pg_proc",
    "2642\tvar_samp\t11\t10\t12\t1\t0\t0\t-\ta\tf\tf\tf\tf\ti\ts\t1\t0\t1700\t23\t\\N\t\\N\t"
    "\\N\t\\N\t\\N\taggregate_dummy" },
  { "pg_proc",
    "2643\tvar_samp\t11\t10\t12\t1\t0\t0\t-\ta\tf\tf\tf\tf\ti\ts\t1\t0\t1700\t21\t\\N\t\\N\t"
    "\\N\t\\N\t\\N\taggregate_dummy" },
  { "pg_proc",
    "2644\tvar_samp\t11\t10\t12\t1\t0\t0\t-\ta\tf\tf\tf\tf\ti\ts\t1\t0\t701\t700\t\\N\t\\N\t"
    "\\N\t\\N\t\\N\taggregate_dummy" },
  { "pg_proc",
    "2645\tvar_samp\t11\t10\t12\t1\t0\t0\t-\ta\tf\tf\tf\tf\ti\ts\t1\t0\t701\t701\t\\N\t\\N\t"
    "\\N\t\\N\t\\N\taggregate_dummy" },
  { "pg_proc",
    "2646\tvar_samp\t11\t10\t12\t1\t0\t0\t-\ta\tf\tf\tf\tf\ti\ts\t1\t0\t1700\t1700\t\\N\t\\N"
    "\t\\N\t\\N\t\\N\taggregate_dummy" },
  { "pg_proc",
    "2647\ttransaction_timestamp\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ts\ts\t0\t0\t1184\t\t"
    "\\N\t\\N\t\\N\t\\N\t\\N\tnow" },
  { "pg_proc",
    "2648\tstatement_timestamp\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ts\ts\t0\t0\t1184\t\t"
    "\\N\t\\N\t\\N\t\\N\t\\N\tstatement_timestamp" },
  { "pg_proc",
    "2649\tclock_timestamp\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\tv\ts\t0\t0\t1184\t\t\\N\t"
    "\\N\t\\N\t\\N\t\\N\tclock_timestamp" },
  { "pg_proc",
    "2705\tpg_has_role\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ts\ts\t3\t0\t16\t19 19 "
    "25\t\\N\t\\N\t\\N\t\\N\t\\N\tpg_has_role_name_name" },
  { "pg_proc",
    "2706\tpg_has_role\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ts\ts\t3\t0\t16\t19 26 "
    "25\t\\N\t\\N\t\\N\t\\N\t\\N\tpg_has_role_name_id" },
  { "pg_proc",
    "2707\tpg_has_role\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ts\ts\t3\t0\t16\t26 19 "
    "25\t\\N\t\\N\t\\N\t\\N\t\\N\tpg_has_role_id_name" },
  { "pg_proc",
    "2708\tpg_has_role\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ts\ts\t3\t0\t16\t26 26 "
    "25\t\\N\t\\N\t\\N\t\\N\t\\N\tpg_has_role_id_id" },
  { "pg_proc",
    "2709\tpg_has_role\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ts\ts\t2\t0\t16\t19 "
    "25\t\\N\t\\N\t\\N\t\\N\t\\N\tpg_has_role_name" },
  { "pg_proc",
    "2710\tpg_has_role\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ts\ts\t2\t0\t16\t26 "
    "25\t\\N\t\\N\t\\N\t\\N\t\\N\tpg_has_role_id" },
  { "pg_proc",
    "2711\tjustify_interval\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t1\t0\t1186\t1186\t"
    "\\N\t\\N\t\\N\t\\N\t\\N\tinterval_justify_interval" },
  { "pg_proc",
    "2712\tstddev_samp\t11\t10\t12\t1\t0\t0\t-\ta\tf\tf\tf\tf\ti\ts\t1\t0\t1700\t20\t\\N\t\\N"
    "\t\\N\t\\N\t\\N\taggregate_dummy" },
  { "pg_proc",
    "2713\tstddev_samp\t11\t10\t12\t1\t0\t0\t-\ta\tf\tf\tf\tf\ti\ts\t1\t0\t1700\t23\t\\N\t\\N"
    "\t\\N\t\\N\t\\N\taggregate_dummy" },
  { "pg_proc",
    "2714\tstddev_samp\t11\t10\t12\t1\t0\t0\t-\ta\tf\tf\tf\tf\ti\ts\t1\t0\t1700\t21\t\\N\t\\N"
    "\t\\N\t\\N\t\\N\taggregate_dummy" },
  { "pg_proc",
    "2715\tstddev_samp\t11\t10\t12\t1\t0\t0\t-\ta\tf\tf\tf\tf\ti\ts\t1\t0\t701\t700\t\\N\t\\N"
    "\t\\N\t\\N\t\\N\taggregate_dummy" },
  { "pg_proc",
    "2716\tstddev_samp\t11\t10\t12\t1\t0\t0\t-\ta\tf\tf\tf\tf\ti\ts\t1\t0\t701\t701\t\\N\t\\N"
    "\t\\N\t\\N\t\\N\taggregate_dummy" },
  { "pg_proc",
    "2717\tstddev_samp\t11\t10\t12\t1\t0\t0\t-\ta\tf\tf\tf\tf\ti\ts\t1\t0\t1700\t1700\t\\N\t"
    "\\N\t\\N\t\\N\t\\N\taggregate_dummy" },
  { "pg_proc",
    "2718\tvar_pop\t11\t10\t12\t1\t0\t0\t-\ta\tf\tf\tf\tf\ti\ts\t1\t0\t1700\t20\t\\N\t\\N\t"
    "\\N\t\\N\t\\N\taggregate_dummy" },
  { "pg_proc",
    "2719\tvar_pop\t11\t10\t12\t1\t0\t0\t-\ta\tf\tf\tf\tf\ti\ts\t1\t0\t1700\t23\t\\N\t\\N\t"
    "\\N\t\\N\t\\N\taggregate_dummy" },
  { "pg_proc",
    "2720\tvar_pop\t11\t10\t12\t1\t0\t0\t-\ta\tf\tf\tf\tf\ti\ts\t1\t0\t1700\t21\t\\N\t\\N\t"
    "\\N\t\\N\t\\N\taggregate_dummy" },
  { "pg_proc",
    "2721\tvar_pop\t11\t10\t12\t1\t0\t0\t-\ta\tf\tf\tf\tf\ti\ts\t1\t0\t701\t700\t\\N\t\\N\t"
    "\\N\t\\N\t\\N\taggregate_dummy" },
  { "pg_proc",
    "2722\tvar_pop\t11\t10\t12\t1\t0\t0\t-\ta\tf\tf\tf\tf\ti\ts\t1\t0\t701\t701\t\\N\t\\N\t"
    "\\N\t\\N\t\\N\taggregate_dummy" },
  { "pg_proc",
    "2723\tvar_pop\t11\t10\t12\t1\t0\t0\t-\ta\tf\tf\tf\tf\ti\ts\t1\t0\t1700\t1700\t\\N\t\\N\t"
    "\\N\t\\N\t\\N\taggregate_dummy" },
  { "pg_proc",
    "2724\tstddev_pop\t11\t10\t12\t1\t0\t0\t-\ta\tf\tf\tf\tf\ti\ts\t1\t0\t1700\t20\t\\N\t\\N"
    "\t\\N\t\\N\t\\N\taggregate_dummy" },
  { "pg_proc",
    "2725\tstddev_pop\t11\t10\t12\t1\t0\t0\t-\ta\tf\tf\tf\tf\ti\ts\t1\t0\t1700\t23\t\\N\t\\N"
    "\t\\N\t\\N\t\\N\taggregate_dummy" },
  { "pg_proc",
    "2726\tstddev_pop\t11\t10\t12\t1\t0\t0\t-\ta\tf\tf\tf\tf\ti\ts\t1\t0\t1700\t21\t\\N\t\\N"
    "\t\\N\t\\N\t\\N\taggregate_dummy" },
  { "pg_proc",
    "2727\tstddev_pop\t11\t10\t12\t1\t0\t0\t-\ta\tf\tf\tf\tf\ti\ts\t1\t0\t701\t700\t\\N\t\\N"
    "\t\\N\t\\N\t\\N\taggregate_dummy" },
  { "pg_proc",
    "2728\tstddev_pop\t11\t10\t12\t1\t0\t0\t-\ta\tf\tf\tf\tf\ti\ts\t1\t0\t701\t701\t\\N\t\\N"
    "\t\\N\t\\N\t\\N\taggregate_dummy" },
  { "pg_proc",
    "2729\tstddev_pop\t11\t10\t12\t1\t0\t0\t-\ta\tf\tf\tf\tf\ti\ts\t1\t0\t1700\t1700\t\\N\t"
    "\\N\t\\N\t\\N\t\\N\taggregate_dummy" },
  { "pg_proc",
    "2730\tpg_get_triggerdef\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ts\ts\t2\t0\t25\t26 "
    "16\t\\N\t\\N\t\\N\t\\N\t\\N\tpg_get_triggerdef_ext" },
  { "pg_proc",
    "2731\tasind\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t1\t0\t701\t701\t\\N\t\\N\t\\N"
    "\t\\N\t\\N\tdasind" },
  { "pg_proc",
    "2732\tacosd\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t1\t0\t701\t701\t\\N\t\\N\t\\N"
    "\t\\N\t\\N\tdacosd" },
  { "pg_proc",
    "2733\tatand\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t1\t0\t701\t701\t\\N\t\\N\t\\N"
    "\t\\N\t\\N\tdatand" },
  { "pg_proc",
    "2734\tatan2d\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t2\t0\t701\t701 "
    "701\t\\N\t\\N\t\\N\t\\N\t\\N\tdatan2d" },
  { "pg_proc",
    "2735\tsind\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t1\t0\t701\t701\t\\N\t\\N\t\\N\t"
    "\\N\t\\N\tdsind" },
  { "pg_proc",
    "2736\tcosd\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t1\t0\t701\t701\t\\N\t\\N\t\\N\t"
    "\\N\t\\N\tdcosd" },
  { "pg_proc",
    "2737\ttand\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t1\t0\t701\t701\t\\N\t\\N\t\\N\t"
    "\\N\t\\N\tdtand" },
  { "pg_proc",
    "2738\tcotd\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t1\t0\t701\t701\t\\N\t\\N\t\\N\t"
    "\\N\t\\N\tdcotd" },
  { "pg_proc",
    "2765\tregexp_split_to_table\t11\t10\t12\t1\t1000\t0\t-\tf\tf\tf\tt\tt\ti\ts\t2\t0\t25\t2"
    "5 25\t\\N\t\\N\t\\N\t\\N\t\\N\tregexp_split_to_table_no_flags" },
  { "pg_proc",
    "2766\tregexp_split_to_table\t11\t10\t12\t1\t1000\t0\t-\tf\tf\tf\tt\tt\ti\ts\t3\t0\t25\t2"
    "5 25 25\t\\N\t\\N\t\\N\t\\N\t\\N\tregexp_split_to_table" },
  { "pg_proc",
    "2767\tregexp_split_to_array\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t2\t0\t1009\t25"
    " 25\t\\N\t\\N\t\\N\t\\N\t\\N\tregexp_split_to_array_no_flags" },
  { "pg_proc",
    "2768\tregexp_split_to_array\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t3\t0\t1009\t25"
    " 25 25\t\\N\t\\N\t\\N\t\\N\t\\N\tregexp_split_to_array" },
  { "pg_proc",
    "2777\tanynonarray_in\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t1\t0\t2776\t2275\t\\N"
    "\t\\N\t\\N\t\\N\t\\N\tanynonarray_in" },
  { "pg_proc",
    "2778\tanynonarray_out\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t1\t0\t2275\t2776\t"
    "\\N\t\\N\t\\N\t\\N\t\\N\tanynonarray_out" },
  { "pg_proc",
    "2818\tregr_count\t11\t10\t12\t1\t0\t0\t-\ta\tf\tf\tf\tf\ti\ts\t2\t0\t20\t701 "
    "701\t\\N\t\\N\t\\N\t\\N\t\\N\taggregate_dummy" },
  { "pg_proc",
    "2819\tregr_sxx\t11\t10\t12\t1\t0\t0\t-\ta\tf\tf\tf\tf\ti\ts\t2\t0\t701\t701 "
    "701\t\\N\t\\N\t\\N\t\\N\t\\N\taggregate_dummy" },
  { "pg_proc",
    "2820\tregr_syy\t11\t10\t12\t1\t0\t0\t-\ta\tf\tf\tf\tf\ti\ts\t2\t0\t701\t701 "
    "701\t\\N\t\\N\t\\N\t\\N\t\\N\taggregate_dummy" },
  { "pg_proc",
    "2821\tregr_sxy\t11\t10\t12\t1\t0\t0\t-\ta\tf\tf\tf\tf\ti\ts\t2\t0\t701\t701 "
    "701\t\\N\t\\N\t\\N\t\\N\t\\N\taggregate_dummy" },
  { "pg_proc",
    "2822\tregr_avgx\t11\t10\t12\t1\t0\t0\t-\ta\tf\tf\tf\tf\ti\ts\t2\t0\t701\t701 "
    "701\t\\N\t\\N\t\\N\t\\N\t\\N\taggregate_dummy" },
  { "pg_proc",
    "2823\tregr_avgy\t11\t10\t12\t1\t0\t0\t-\ta\tf\tf\tf\tf\ti\ts\t2\t0\t701\t701 "
    "701\t\\N\t\\N\t\\N\t\\N\t\\N\taggregate_dummy" },
  { "pg_proc",
    "2824\tregr_r2\t11\t10\t12\t1\t0\t0\t-\ta\tf\tf\tf\tf\ti\ts\t2\t0\t701\t701 "
    "701\t\\N\t\\N\t\\N\t\\N\t\\N\taggregate_dummy" },
  { "pg_proc",
    "2825\tregr_slope\t11\t10\t12\t1\t0\t0\t-\ta\tf\tf\tf\tf\ti\ts\t2\t0\t701\t701 "
    "701\t\\N\t\\N\t\\N\t\\N\t\\N\taggregate_dummy" },
  { "pg_proc",
    "2826\tregr_intercept\t11\t10\t12\t1\t0\t0\t-\ta\tf\tf\tf\tf\ti\ts\t2\t0\t701\t701 "
    "701\t\\N\t\\N\t\\N\t\\N\t\\N\taggregate_dummy" },
  { "pg_proc",
    "2827\tcovar_pop\t11\t10\t12\t1\t0\t0\t-\ta\tf\tf\tf\tf\ti\ts\t2\t0\t701\t701 "
    "701\t\\N\t\\N\t\\N\t\\N\t\\N\taggregate_dummy" },
  { "pg_proc",
    "2828\tcovar_samp\t11\t10\t12\t1\t0\t0\t-\ta\tf\tf\tf\tf\ti\ts\t2\t0\t701\t701 "
    "701\t\\N\t\\N\t\\N\t\\N\t\\N\taggregate_dummy" },
  { "pg_proc",
    "2829\tcorr\t11\t10\t12\t1\t0\t0\t-\ta\tf\tf\tf\tf\ti\ts\t2\t0\t701\t701 "
    "701\t\\N\t\\N\t\\N\t\\N\t\\N\taggregate_dummy" },
  { "pg_proc",
    "2854\tpg_my_temp_schema\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ts\tr\t0\t0\t26\t\t\\N\t"
    "\\N\t\\N\t\\N\t\\N\tpg_my_temp_schema" },
  { "pg_proc",
    "2855\tpg_is_other_temp_schema\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ts\ts\t1\t0\t16\t26"
    "\t\\N\t\\N\t\\N\t\\N\t\\N\tpg_is_other_temp_schema" },
  { "pg_proc",
    "2878\tpg_stat_get_live_tuples\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ts\tr\t1\t0\t20\t26"
    "\t\\N\t\\N\t\\N\t\\N\t\\N\tpg_stat_get_live_tuples" },
  { "pg_proc",
    "2893\txml_in\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ts\ts\t1\t0\t142\t2275\t\\N\t\\N\t"
    "\\N\t\\N\t\\N\txml_in" },
  { "pg_proc",
    "2894\txml_out\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t1\t0\t2275\t142\t\\N\t\\N\t"
    "\\N\t\\N\t\\N\txml_out" },
  { "pg_proc",
    "2898\txml_recv\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ts\ts\t1\t0\t142\t2281\t\\N\t\\N\t"
    "\\N\t\\N\t\\N\txml_recv" },
  { "pg_proc",
    "2899\txml_send\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ts\ts\t1\t0\t17\t142\t\\N\t\\N\t"
    "\\N\t\\N\t\\N\txml_send" },
  { "pg_proc",
    "2902\tvarbittypmodin\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t1\t0\t23\t1263\t\\N\t"
    "\\N\t\\N\t\\N\t\\N\tvarbittypmodin" },
  { "pg_proc",
    "2903\tintervaltypmodin\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t1\t0\t23\t1263\t\\N"
    "\t\\N\t\\N\t\\N\t\\N\tintervaltypmodin" },
  { "pg_proc",
    "2904\tintervaltypmodout\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t1\t0\t2275\t23\t"
    "\\N\t\\N\t\\N\t\\N\t\\N\tintervaltypmodout" },
  { "pg_proc",
    "2905\ttimestamptypmodin\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t1\t0\t23\t1263\t"
    "\\N\t\\N\t\\N\t\\N\t\\N\ttimestamptypmodin" },
  { "pg_proc",
    "2906\ttimestamptypmodout\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t1\t0\t2275\t23\t"
    "\\N\t\\N\t\\N\t\\N\t\\N\ttimestamptypmodout" },
  { "pg_proc",
    "2907\ttimestamptztypmodin\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t1\t0\t23\t1263\t"
    "\\N\t\\N\t\\N\t\\N\t\\N\ttimestamptztypmodin" },
  { "pg_proc",
    "2908\ttimestamptztypmodout\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t1\t0\t2275\t23"
    "\t\\N\t\\N\t\\N\t\\N\t\\N\ttimestamptztypmodout" },
  { "pg_proc",
    "2909\ttimetypmodin\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t1\t0\t23\t1263\t\\N\t"
    "\\N\t\\N\t\\N\t\\N\ttimetypmodin" },
  { "pg_proc",
    "2910\ttimetypmodout\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t1\t0\t2275\t23\t\\N\t"
    "\\N\t\\N\t\\N\t\\N\ttimetypmodout" },
  { "pg_proc",
    "2911\ttimetztypmodin\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t1\t0\t23\t1263\t\\N\t"
    "\\N\t\\N\t\\N\t\\N\ttimetztypmodin" },
  { "pg_proc",
    "2912\ttimetztypmodout\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t1\t0\t2275\t23\t\\N"
    "\t\\N\t\\N\t\\N\t\\N\ttimetztypmodout" },
  { "pg_proc",
    "2913\tbpchartypmodin\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t1\t0\t23\t1263\t\\N\t"
    "\\N\t\\N\t\\N\t\\N\tbpchartypmodin" },
  { "pg_proc",
    "2914\tbpchartypmodout\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t1\t0\t2275\t23\t\\N"
    "\t\\N\t\\N\t\\N\t\\N\tbpchartypmodout" },
  { "pg_proc",
    "2915\tvarchartypmodin\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t1\t0\t23\t1263\t\\N"
    "\t\\N\t\\N\t\\N\t\\N\tvarchartypmodin" },
  { "pg_proc",
    "2916\tvarchartypmodout\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t1\t0\t2275\t23\t\\N"
    "\t\\N\t\\N\t\\N\t\\N\tvarchartypmodout" },
  { "pg_proc",
    "2917\tnumerictypmodin\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t1\t0\t23\t1263\t\\N"
    "\t\\N\t\\N\t\\N\t\\N\tnumerictypmodin" },
  { "pg_proc",
    "2918\tnumerictypmodout\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t1\t0\t2275\t23\t\\N"
    "\t\\N\t\\N\t\\N\t\\N\tnumerictypmodout" },
  { "pg_proc",
    "2919\tbittypmodin\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t1\t0\t23\t1263\t\\N\t\\N"
    "\t\\N\t\\N\t\\N\tbittypmodin" },
  { "pg_proc",
    "2920\tbittypmodout\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t1\t0\t2275\t23\t\\N\t"
    "\\N\t\\N\t\\N\t\\N\tbittypmodout" },
  { "pg_proc",
    "2921\tvarbittypmodout\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t1\t0\t2275\t23\t\\N"
    "\t\\N\t\\N\t\\N\t\\N\tvarbittypmodout" },
  { "pg_proc",
    "2939\ttxid_snapshot_in\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t1\t0\t2970\t2275\t"
    "\\N\t\\N\t\\N\t\\N\t\\N\tpg_snapshot_in" },
  { "pg_proc",
    "2940\ttxid_snapshot_out\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t1\t0\t2275\t2970\t"
    "\\N\t\\N\t\\N\t\\N\t\\N\tpg_snapshot_out" },
  { "pg_proc",
    "2941\ttxid_snapshot_recv\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t1\t0\t2970\t2281"
    "\t\\N\t\\N\t\\N\t\\N\t\\N\tpg_snapshot_recv" },
  { "pg_proc",
    "2942\ttxid_snapshot_send\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t1\t0\t17\t2970\t"
    "\\N\t\\N\t\\N\t\\N\t\\N\tpg_snapshot_send" },
  { "pg_proc",
    "2952\tuuid_in\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t1\t0\t2950\t2275\t\\N\t\\N\t"
    "\\N\t\\N\t\\N\tuuid_in" },
  { "pg_proc",
    "2953\tuuid_out\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t1\t0\t2275\t2950\t\\N\t\\N"
    "\t\\N\t\\N\t\\N\tuuid_out" },
  { "pg_proc",
    "2961\tuuid_recv\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t1\t0\t2950\t2281\t\\N\t\\N"
    "\t\\N\t\\N\t\\N\tuuid_recv" },
  { "pg_proc",
    "2962\tuuid_send\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t1\t0\t17\t2950\t\\N\t\\N\t"
    "\\N\t\\N\t\\N\tuuid_send" },
  { "pg_proc",
    "2997\tpg_table_size\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\tv\ts\t1\t0\t20\t2205\t\\N\t"
    "\\N\t\\N\t\\N\t\\N\tpg_table_size" },
  { "pg_proc",
    "2998\tpg_indexes_size\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\tv\ts\t1\t0\t20\t2205\t\\N"
    "\t\\N\t\\N\t\\N\t\\N\tpg_indexes_size" },
  { "pg_proc",
    "3012\thas_column_privilege\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ts\ts\t4\t0\t16\t19 "
    "25 25 25\t\\N\t\\N\t\\N\t\\N\t\\N\thas_column_privilege_name_name_name" },
  { "pg_proc",
    "3013\thas_column_privilege\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ts\ts\t4\t0\t16\t19 "
    "25 21 25\t\\N\t\\N\t\\N\t\\N\t\\N\thas_column_privilege_name_name_attnum" },
  { "pg_proc",
    "3014\thas_column_privilege\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ts\ts\t4\t0\t16\t19 "
    "26 25 25\t\\N\t\\N\t\\N\t\\N\t\\N\thas_column_privilege_name_id_name" },
  { "pg_proc",
    "3015\thas_column_privilege\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ts\ts\t4\t0\t16\t19 "
    "26 21 25\t\\N\t\\N\t\\N\t\\N\t\\N\thas_column_privilege_name_id_attnum" },
  { "pg_proc",
    "3016\thas_column_privilege\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ts\ts\t4\t0\t16\t26 "
    "25 25 25\t\\N\t\\N\t\\N\t\\N\t\\N\thas_column_privilege_id_name_name" },
  { "pg_proc",
    "3017\thas_column_privilege\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ts\ts\t4\t0\t16\t26 "
    "25 21 25\t\\N\t\\N\t\\N\t\\N\t\\N\thas_column_privilege_id_name_attnum" },
  { "pg_proc",
    "3018\thas_column_privilege\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ts\ts\t4\t0\t16\t26 "
    "26 25 25\t\\N\t\\N\t\\N\t\\N\t\\N\thas_column_privilege_id_id_name" },
  { "pg_proc",
    "3019\thas_column_privilege\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ts\ts\t4\t0\t16\t26 "
    "26 21 25\t\\N\t\\N\t\\N\t\\N\t\\N\thas_column_privilege_id_id_attnum" },
  { "pg_proc",
    "3020\thas_column_privilege\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ts\ts\t3\t0\t16\t25 "
    "25 25\t\\N\t\\N\t\\N\t\\N\t\\N\thas_column_privilege_name_name" },
  { "pg_proc",
    "3021\thas_column_privilege\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ts\ts\t3\t0\t16\t25 "
    "21 25\t\\N\t\\N\t\\N\t\\N\t\\N\thas_column_privilege_name_attnum" },
  { "pg_proc",
    "3022\thas_column_privilege\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ts\ts\t3\t0\t16\t26 "
    "25 25\t\\N\t\\N\t\\N\t\\N\t\\N\thas_column_privilege_id_name" },
  { "pg_proc",
    "3023\thas_column_privilege\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ts\ts\t3\t0\t16\t26 "
    "21 25\t\\N\t\\N\t\\N\t\\N\t\\N\thas_column_privilege_id_attnum" },
  { "pg_proc",
    "3024\thas_any_column_privilege\t11\t10\t12\t10\t0\t0\t-\tf\tf\tf\tt\tf\ts\ts\t3\t0\t16\t"
    "19 25 25\t\\N\t\\N\t\\N\t\\N\t\\N\thas_any_column_privilege_name_name" },
  { "pg_proc",
    "3025\thas_any_column_privilege\t11\t10\t12\t10\t0\t0\t-\tf\tf\tf\tt\tf\ts\ts\t3\t0\t16\t"
    "19 26 25\t\\N\t\\N\t\\N\t\\N\t\\N\thas_any_column_privilege_name_id" },
  { "pg_proc",
    "3026\thas_any_column_privilege\t11\t10\t12\t10\t0\t0\t-\tf\tf\tf\tt\tf\ts\ts\t3\t0\t16\t"
    "26 25 25\t\\N\t\\N\t\\N\t\\N\t\\N\thas_any_column_privilege_id_name" },
  { "pg_proc",
    "3027\thas_any_column_privilege\t11\t10\t12\t10\t0\t0\t-\tf\tf\tf\tt\tf\ts\ts\t3\t0\t16\t"
    "26 26 25\t\\N\t\\N\t\\N\t\\N\t\\N\thas_any_column_privilege_id_id" },
  { "pg_proc",
    "3028\thas_any_column_privilege\t11\t10\t12\t10\t0\t0\t-\tf\tf\tf\tt\tf\ts\ts\t2\t0\t16\t"
    "25 25\t\\N\t\\N\t\\N\t\\N\t\\N\thas_any_column_privilege_name" },
  { "pg_proc",
    "3029\thas_any_column_privilege\t11\t10\t12\t10\t0\t0\t-\tf\tf\tf\tt\tf\ts\ts\t2\t0\t16\t"
    "26 25\t\\N\t\\N\t\\N\t\\N\t\\N\thas_any_column_privilege_id" },
  { "pg_proc",
    "3058\tconcat\t11\t10\t12\t1\t0\t2276\t-\tf\tf\tf\tf\tf\ts\ts\t1\t0\t25\t2276\t{2276}\t{v"
    "}\t\\N\t\\N\t\\N\ttext_concat" },
  { "pg_proc",
    "3059\tconcat_ws\t11\t10\t12\t1\t0\t2276\t-\tf\tf\tf\tf\tf\ts\ts\t2\t0\t25\t25 "
    "2276\t{25,2276}\t{i,v}\t\\N\t\\N\t\\N\ttext_concat_ws" },
  { "pg_proc",
    "3060\tleft\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t2\t0\t25\t25 "
    "23\t\\N\t\\N\t\\N\t\\N\t\\N\ttext_left" },
  { "pg_proc",
    "3061\tright\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t2\t0\t25\t25 "
    "23\t\\N\t\\N\t\\N\t\\N\t\\N\ttext_right" },
  { "pg_proc",
    "3062\treverse\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t1\t0\t25\t25\t\\N\t\\N\t\\N"
    "\t\\N\t\\N\ttext_reverse" },
  { "pg_proc",
    "3100\trow_number\t11\t10\t12\t1\t0\t0\twindow_row_number_support\tw\tf\tf\tf\tf\ti\ts\t0"
    "\t0\t20\t\t\\N\t\\N\t\\N\t\\N\t\\N\twindow_row_number" },
  { "pg_proc",
    "3101\trank\t11\t10\t12\t1\t0\t0\twindow_rank_support\tw\tf\tf\tf\tf\ti\ts\t0\t0\t20\t\t"
    "\\N\t\\N\t\\N\t\\N\t\\N\twindow_rank" },
  { "pg_proc",
    "3102\tdense_rank\t11\t10\t12\t1\t0\t0\twindow_dense_rank_support\tw\tf\tf\tf\tf\ti\ts\t0"
    "\t0\t20\t\t\\N\t\\N\t\\N\t\\N\t\\N\twindow_dense_rank" },
  { "pg_proc",
    "3103\tpercent_rank\t11\t10\t12\t1\t0\t0\t-\tw\tf\tf\tf\tf\ti\ts\t0\t0\t701\t\t\\N\t\\N\t"
    "\\N\t\\N\t\\N\twindow_percent_rank" },
  { "pg_proc",
    "3104\tcume_dist\t11\t10\t12\t1\t0\t0\t-\tw\tf\tf\tf\tf\ti\ts\t0\t0\t701\t\t\\N\t\\N\t\\N"
    "\t\\N\t\\N\twindow_cume_dist" },
  { "pg_proc",
    "3105\tntile\t11\t10\t12\t1\t0\t0\t-\tw\tf\tf\tt\tf\ti\ts\t1\t0\t23\t23\t\\N\t\\N\t\\N\t"
    "\\N\t\\N\twindow_ntile" },
  { "pg_proc",
    "3106\tlag\t11\t10\t12\t1\t0\t0\t-\tw\tf\tf\tt\tf\ti\ts\t1\t0\t2283\t2283\t\\N\t\\N\t\\N"
    "\t\\N\t\\N\twindow_lag" },
  { "pg_proc",
    "3107\tlag\t11\t10\t12\t1\t0\t0\t-\tw\tf\tf\tt\tf\ti\ts\t2\t0\t2283\t2283 "
    "23\t\\N\t\\N\t\\N\t\\N\t\\N\twindow_lag_with_offset" },
  { "pg_proc",
    "3108\tlag\t11\t10\t12\t1\t0\t0\t-\tw\tf\tf\tt\tf\ti\ts\t3\t0\t5077\t5077 23 "
    "5077\t\\N\t\\N\t\\N\t\\N\t\\N\twindow_lag_with_offset_and_default" },
  { "pg_proc",
    "3109\tlead\t11\t10\t12\t1\t0\t0\t-\tw\tf\tf\tt\tf\ti\ts\t1\t0\t2283\t2283\t\\N\t\\N\t\\N"
    "\t\\N\t\\N\twindow_lead" },
  { "pg_proc",
    "3110\tlead\t11\t10\t12\t1\t0\t0\t-\tw\tf\tf\tt\tf\ti\ts\t2\t0\t2283\t2283 "
    "23\t\\N\t\\N\t\\N\t\\N\t\\N\twindow_lead_with_offset" },
  { "pg_proc",
    "3111\tlead\t11\t10\t12\t1\t0\t0\t-\tw\tf\tf\tt\tf\ti\ts\t3\t0\t5077\t5077 23 "
    "5077\t\\N\t\\N\t\\N\t\\N\t\\N\twindow_lead_with_offset_and_default" },
  { "pg_proc",
    "3112\tfirst_value\t11\t10\t12\t1\t0\t0\t-\tw\tf\tf\tt\tf\ti\ts\t1\t0\t2283\t2283\t\\N\t"
    "\\N\t\\N\t\\N\t\\N\twindow_first_value" },
  { "pg_proc",
    "3113\tlast_value\t11\t10\t12\t1\t0\t0\t-\tw\tf\tf\tt\tf\ti\ts\t1\t0\t2283\t2283\t\\N\t"
    "\\N\t\\N\t\\N\t\\N\twindow_last_value" },
  { "pg_proc",
    "3114\tnth_value\t11\t10\t12\t1\t0\t0\t-\tw\tf\tf\tt\tf\ti\ts\t2\t0\t2283\t2283 "
    "23\t\\N\t\\N\t\\N\t\\N\t\\N\twindow_nth_value" },
  { "pg_proc",
    "3116\tfdw_handler_in\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tf\tf\ti\ts\t1\t0\t3115\t2275\t\\N"
    "\t\\N\t\\N\t\\N\t\\N\tfdw_handler_in" },
  { "pg_proc",
    "3117\tfdw_handler_out\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t1\t0\t2275\t3115\t"
    "\\N\t\\N\t\\N\t\\N\t\\N\tfdw_handler_out" },
  { "pg_proc",
    "3120\tvoid_recv\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t1\t0\t2278\t2281\t\\N\t\\N"
    "\t\\N\t\\N\t\\N\tvoid_recv" },
  { "pg_proc",
    "3121\tvoid_send\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t1\t0\t17\t2278\t\\N\t\\N\t"
    "\\N\t\\N\t\\N\tvoid_send" },
  { "pg_proc",
    "3153\tarray_to_json\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ts\ts\t1\t0\t114\t2277\t\\N\t"
    "\\N\t\\N\t\\N\t\\N\tarray_to_json" },
  { "pg_proc",
    "3159\tpg_get_viewdef\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ts\tr\t2\t0\t25\t26 "
    "23\t\\N\t\\N\t\\N\t\\N\t\\N\tpg_get_viewdef_wrap" },
  { "pg_proc",
    "3166\tpg_size_pretty\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t1\t0\t25\t1700\t\\N\t"
    "\\N\t\\N\t\\N\t\\N\tpg_size_pretty_numeric" },
  { "pg_proc",
    "3167\tarray_remove\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tf\tf\ti\ts\t2\t0\t5078\t5078 "
    "5077\t\\N\t\\N\t\\N\t\\N\t\\N\tarray_remove" },
  { "pg_proc",
    "3168\tarray_replace\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tf\tf\ti\ts\t3\t0\t5078\t5078 5077 "
    "5077\t\\N\t\\N\t\\N\t\\N\t\\N\tarray_replace" },
  { "pg_proc",
    "3175\tjson_agg\t11\t10\t12\t1\t0\t0\t-\ta\tf\tf\tf\tf\ts\ts\t1\t0\t114\t2283\t\\N\t\\N\t"
    "\\N\t\\N\t\\N\taggregate_dummy" },
  { "pg_proc",
    "3176\tto_json\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ts\ts\t1\t0\t114\t2283\t\\N\t\\N\t"
    "\\N\t\\N\t\\N\tto_json" },
  { "pg_proc",
    "3179\tcardinality\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t1\t0\t23\t2277\t\\N\t\\N"
    "\t\\N\t\\N\t\\N\tarray_cardinality" },
  { "pg_proc",
    "3197\tjson_object_agg\t11\t10\t12\t1\t0\t0\t-\ta\tf\tf\tf\tf\ts\ts\t2\t0\t114\t2276 "
    "2276\t\\N\t\\N\t\\N\t\\N\t\\N\taggregate_dummy" },
  { "pg_proc",
    "3198\tjson_build_array\t11\t10\t12\t1\t0\t2276\t-\tf\tf\tf\tf\tf\ts\ts\t1\t0\t114\t2276"
    "\t{2276}\t{v}\t\\N\t\\N\t\\N\tjson_build_array" },
  { "pg_proc",
    "3199\tjson_build_array\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tf\tf\ts\ts\t0\t0\t114\t\t\\N\t"
    "\\N\t\\N\t\\N\t\\N\tjson_build_array_noargs" },
  { "pg_proc",
    "3201\tjson_build_object\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tf\tf\ts\ts\t0\t0\t114\t\t\\N\t"
    "\\N\t\\N\t\\N\t\\N\tjson_build_object_noargs" },
  { "pg_proc",
    "3202\tjson_object\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t1\t0\t114\t1009\t\\N\t"
    "\\N\t\\N\t\\N\t\\N\tjson_object" },
  { "pg_proc",
    "3203\tjson_object\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t2\t0\t114\t1009 "
    "1009\t\\N\t\\N\t\\N\t\\N\t\\N\tjson_object_two_arg" },
  { "pg_proc",
    "3207\tjsonb_array_length\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t1\t0\t23\t3802\t"
    "\\N\t\\N\t\\N\t\\N\t\\N\tjsonb_array_length" },
  { "pg_proc",
    "3210\tjsonb_typeof\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t1\t0\t25\t3802\t\\N\t"
    "\\N\t\\N\t\\N\t\\N\tjsonb_typeof" },
  { "pg_proc",
    "3217\tjsonb_extract_path\t11\t10\t12\t1\t0\t25\t-\tf\tf\tf\tt\tf\ti\ts\t2\t0\t3802\t3802"
    " 1009\t{3802,1009}\t{i,v}\t{from_json,path_elems}\t\\N\t\\N\tjsonb_extract_path" },
  { "pg_proc",
    "3219\tjsonb_array_elements\t11\t10\t12\t1\t100\t0\t-\tf\tf\tf\tt\tt\ti\ts\t1\t0\t3802\t3"
    "802\t{3802,3802}\t{i,o}\t{from_json,value}\t\\N\t\\N\tjsonb_array_elements" },
  { "pg_proc",
    "3229\tpg_lsn_in\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t1\t0\t3220\t2275\t\\N\t\\N"
    "\t\\N\t\\N\t\\N\tpg_lsn_in" },
  { "pg_proc",
    "3230\tpg_lsn_out\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t1\t0\t2275\t3220\t\\N\t"
    "\\N\t\\N\t\\N\t\\N\tpg_lsn_out" },
  { "pg_proc",
    "3238\tpg_lsn_recv\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t1\t0\t3220\t2281\t\\N\t"
    "\\N\t\\N\t\\N\t\\N\tpg_lsn_recv" },
  { "pg_proc",
    "3239\tpg_lsn_send\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t1\t0\t17\t3220\t\\N\t\\N"
    "\t\\N\t\\N\t\\N\tpg_lsn_send" },
  { "pg_proc",
    "3259\tgenerate_series\t11\t10\t12\t1\t1000\t0\t-\tf\tf\tf\tt\tt\ti\ts\t3\t0\t1700\t1700 "
    "1700 1700\t\\N\t\\N\t\\N\t\\N\t\\N\tgenerate_series_step_numeric" },
  { "pg_proc",
    "3260\tgenerate_series\t11\t10\t12\t1\t1000\t0\t-\tf\tf\tf\tt\tt\ti\ts\t2\t0\t1700\t1700 "
    "1700\t\\N\t\\N\t\\N\t\\N\t\\N\tgenerate_series_numeric" },
  { "pg_proc",
    "3261\tjson_strip_nulls\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t1\t0\t114\t114\t\\N"
    "\t\\N\t\\N\t\\N\t\\N\tjson_strip_nulls" },
  { "pg_proc",
    "3262\tjsonb_strip_nulls\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t1\t0\t3802\t3802\t"
    "\\N\t\\N\t\\N\t\\N\t\\N\tjsonb_strip_nulls" },
  { "pg_proc",
    "3263\tjsonb_object\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t1\t0\t3802\t1009\t\\N\t"
    "\\N\t\\N\t\\N\t\\N\tjsonb_object" },
  { "pg_proc",
    "3264\tjsonb_object\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t2\t0\t3802\t1009 "
    "1009\t\\N\t\\N\t\\N\t\\N\t\\N\tjsonb_object_two_arg" },
  { "pg_proc",
    "3267\tjsonb_agg\t11\t10\t12\t1\t0\t0\t-\ta\tf\tf\tf\tf\ts\ts\t1\t0\t3802\t2283\t\\N\t\\N"
    "\t\\N\t\\N\t\\N\taggregate_dummy" },
  { "pg_proc",
    "3270\tjsonb_object_agg\t11\t10\t12\t1\t0\t0\t-\ta\tf\tf\tf\tf\ti\ts\t2\t0\t3802\t2276 "
    "2276\t\\N\t\\N\t\\N\t\\N\t\\N\taggregate_dummy" },
  { "pg_proc",
    "3271\tjsonb_build_array\t11\t10\t12\t1\t0\t2276\t-\tf\tf\tf\tf\tf\ts\ts\t1\t0\t3802\t227"
    "6\t{2276}\t{v}\t\\N\t\\N\t\\N\tjsonb_build_array" },
  { "pg_proc",
    "3272\tjsonb_build_array\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tf\tf\ts\ts\t0\t0\t3802\t\t\\N"
    "\t\\N\t\\N\t\\N\t\\N\tjsonb_build_array_noargs" },
  { "pg_proc",
    "3274\tjsonb_build_object\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tf\tf\ts\ts\t0\t0\t3802\t\t\\N"
    "\t\\N\t\\N\t\\N\t\\N\tjsonb_build_object_noargs" },
  { "pg_proc",
    "3277\tarray_position\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tf\tf\ti\ts\t2\t0\t23\t5078 "
    "5077\t\\N\t\\N\t\\N\t\\N\t\\N\tarray_position" },
  { "pg_proc",
    "3279\tarray_positions\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tf\tf\ti\ts\t2\t0\t1007\t5078 "
    "5077\t\\N\t\\N\t\\N\t\\N\t\\N\tarray_positions" },
  { "pg_proc",
    "3281\tscale\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t1\t0\t23\t1700\t\\N\t\\N\t\\N"
    "\t\\N\t\\N\tnumeric_scale" },
  { "pg_proc",
    "3294\tcurrent_setting\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ts\ts\t2\t0\t25\t25 "
    "16\t\\N\t\\N\t\\N\t\\N\t\\N\tshow_config_by_name_missing_ok" },
  { "pg_proc",
    "3305\tjsonb_set\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t4\t1\t3802\t3802 1009 "
    "3802 16\t\\N\t\\N\t{jsonb_in,path,replacement,create_if_missing}\ttrue\t\\N\tjsonb_set" },
  { "pg_proc",
    "3306\tjsonb_pretty\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t1\t0\t25\t3802\t\\N\t"
    "\\N\t\\N\t\\N\t\\N\tjsonb_pretty" },
  { "pg_proc",
    "3311\ttsm_handler_in\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tf\tf\ti\ts\t1\t0\t3310\t2275\t\\N"
    "\t\\N\t\\N\t\\N\t\\N\ttsm_handler_in" },
  { "pg_proc",
    "3312\ttsm_handler_out\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t1\t0\t2275\t3310\t"
    "\\N\t\\N\t\\N\t\\N\t\\N\ttsm_handler_out" },
  { "pg_proc",
    "3352\tpg_get_partkeydef\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ts\ts\t1\t0\t25\t26\t\\N"
    "\t\\N\t\\N\t\\N\t\\N\tpg_get_partkeydef" },
  { "pg_proc",
    "3355\tpg_ndistinct_in\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t1\t0\t3361\t2275\t"
    "\\N\t\\N\t\\N\t\\N\t\\N\tpg_ndistinct_in" },
  { "pg_proc",
    "3356\tpg_ndistinct_out\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t1\t0\t2275\t3361\t"
    "\\N\t\\N\t\\N\t\\N\t\\N\tpg_ndistinct_out" },
  { "pg_proc",
    "3357\tpg_ndistinct_recv\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ts\ts\t1\t0\t3361\t2281\t"
    "\\N\t\\N\t\\N\t\\N\t\\N\tpg_ndistinct_recv" },
  { "pg_proc",
    "3358\tpg_ndistinct_send\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ts\ts\t1\t0\t17\t3361\t"
    "\\N\t\\N\t\\N\t\\N\t\\N\tpg_ndistinct_send" },
  { "pg_proc",
    "3396\tregexp_match\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t2\t0\t1009\t25 "
    "25\t\\N\t\\N\t\\N\t\\N\t\\N\tregexp_match_no_flags" },
  { "pg_proc",
    "3397\tregexp_match\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t3\t0\t1009\t25 25 "
    "25\t\\N\t\\N\t\\N\t\\N\t\\N\tregexp_match" },
  { "pg_proc",
    "3403\tpg_statistics_obj_is_visible\t11\t10\t12\t10\t0\t0\t-\tf\tf\tf\tt\tf\ts\ts\t1\t0\t"
    "16\t26\t\\N\t\\N\t\\N\t\\N\t\\N\tpg_statistics_obj_is_visible" },
  { "pg_proc",
    "3404\tpg_dependencies_in\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t1\t0\t3402\t2275"
    "\t\\N\t\\N\t\\N\t\\N\t\\N\tpg_dependencies_in" },
  { "pg_proc",
    "3405\tpg_dependencies_out\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t1\t0\t2275\t3402"
    "\t\\N\t\\N\t\\N\t\\N\t\\N\tpg_dependencies_out" },
  { "pg_proc",
    "3406\tpg_dependencies_recv\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ts\ts\t1\t0\t3402\t228"
    "1\t\\N\t\\N\t\\N\t\\N\t\\N\tpg_dependencies_recv" },
  { "pg_proc",
    "3407\tpg_dependencies_send\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ts\ts\t1\t0\t17\t3402"
    "\t\\N\t\\N\t\\N\t\\N\t\\N\tpg_dependencies_send" },
  { "pg_proc",
    "3415\tpg_get_statisticsobjdef\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ts\ts\t1\t0\t25\t26"
    "\t\\N\t\\N\t\\N\t\\N\t\\N\tpg_get_statisticsobjdef" },
  { "pg_proc",
    "3420\tsha256\t11\t10\t12\t1\t0\t0\t-\tf\tf\tt\tt\tf\ti\ts\t1\t0\t17\t17\t\\N\t\\N\t\\N\t"
    "\\N\t\\N\tsha256_bytea" },
  { "pg_proc",
    "3421\tsha384\t11\t10\t12\t1\t0\t0\t-\tf\tf\tt\tt\tf\ti\ts\t1\t0\t17\t17\t\\N\t\\N\t\\N\t"
    "\\N\t\\N\tsha384_bytea" },
  { "pg_proc",
    "3422\tsha512\t11\t10\t12\t1\t0\t0\t-\tf\tf\tt\tt\tf\ti\ts\t1\t0\t17\t17\t\\N\t\\N\t\\N\t"
    "\\N\t\\N\tsha512_bytea" },
  { "pg_proc",
    "3432\tgen_random_uuid\t11\t10\t12\t1\t0\t0\t-\tf\tf\tt\tt\tf\tv\ts\t0\t0\t2950\t\t\\N\t"
    "\\N\t\\N\t\\N\t\\N\tgen_random_uuid" },
  { "pg_proc",
    "3446\tmacaddr8_recv\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t1\t0\t774\t2281\t\\N\t"
    "\\N\t\\N\t\\N\t\\N\tmacaddr8_recv" },
  { "pg_proc",
    "3447\tmacaddr8_send\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t1\t0\t17\t774\t\\N\t"
    "\\N\t\\N\t\\N\t\\N\tmacaddr8_send" },
  { "pg_proc",
    "3461\tmake_timestamp\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t6\t0\t1114\t23 23 23 "
    "23 23 701\t\\N\t\\N\t{year,month,mday,hour,min,sec}\t\\N\t\\N\tmake_timestamp" },
  { "pg_proc",
    "3464\tmake_interval\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t7\t7\t1186\t23 23 23 "
    "23 23 23 701\t\\N\t\\N\t{years,months,weeks,days,hours,mins,secs}\t0, 0, 0, 0, 0, 0, "
    "0.0\t\\N\tmake_interval" },
  { "pg_proc",
    "3465\tjsonb_array_elements_text\t11\t10\t12\t1\t100\t0\t-\tf\tf\tf\tt\tt\ti\ts\t1\t0\t25"
    "\t3802\t{3802,25}\t{i,o}\t{from_json,value}\t\\N\t\\N\tjsonb_array_elements_text" },
  { "pg_proc",
    "3493\tto_regtype\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ts\ts\t1\t0\t2206\t25\t\\N\t\\N"
    "\t\\N\t\\N\t\\N\tto_regtype" },
  { "pg_proc",
    "3495\tto_regclass\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ts\ts\t1\t0\t2205\t25\t\\N\t\\N"
    "\t\\N\t\\N\t\\N\tto_regclass" },
  { "pg_proc",
    "3504\tanyenum_in\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t1\t0\t3500\t2275\t\\N\t"
    "\\N\t\\N\t\\N\t\\N\tanyenum_in" },
  { "pg_proc",
    "3505\tanyenum_out\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ts\ts\t1\t0\t2275\t3500\t\\N\t"
    "\\N\t\\N\t\\N\t\\N\tanyenum_out" },
  { "pg_proc",
    "3538\tstring_agg\t11\t10\t12\t1\t0\t0\t-\ta\tf\tf\tf\tf\ti\ts\t2\t0\t25\t25 "
    "25\t\\N\t\\N\t\\N\t\\N\t\\N\taggregate_dummy" },
  { "pg_proc",
    "3539\tformat\t11\t10\t12\t1\t0\t2276\t-\tf\tf\tf\tf\tf\ts\ts\t2\t0\t25\t25 "
    "2276\t{25,2276}\t{i,v}\t\\N\t\\N\t\\N\ttext_format" },
  { "pg_proc",
    "3540\tformat\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tf\tf\ts\ts\t1\t0\t25\t25\t\\N\t\\N\t\\N\t"
    "\\N\t\\N\ttext_format_nv" },
  { "pg_proc",
    "3545\tstring_agg\t11\t10\t12\t1\t0\t0\t-\ta\tf\tf\tf\tf\ti\ts\t2\t0\t17\t17 "
    "17\t\\N\t\\N\t\\N\t\\N\t\\N\taggregate_dummy" },
  { "pg_proc",
    "3579\tjsonb_insert\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t4\t1\t3802\t3802 1009 "
    "3802 16\t\\N\t\\N\t{jsonb_in,path,replacement,insert_after}\tfalse\t\\N\tjsonb_insert" },
  { "pg_proc",
    "3594\tevent_trigger_in\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tf\tf\ti\ts\t1\t0\t3838\t2275\t"
    "\\N\t\\N\t\\N\t\\N\t\\N\tevent_trigger_in" },
  { "pg_proc",
    "3595\tevent_trigger_out\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t1\t0\t2275\t3838\t"
    "\\N\t\\N\t\\N\t\\N\t\\N\tevent_trigger_out" },
  { "pg_proc",
    "3610\ttsvectorin\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t1\t0\t3614\t2275\t\\N\t"
    "\\N\t\\N\t\\N\t\\N\ttsvectorin" },
  { "pg_proc",
    "3611\ttsvectorout\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t1\t0\t2275\t3614\t\\N\t"
    "\\N\t\\N\t\\N\t\\N\ttsvectorout" },
  { "pg_proc",
    "3612\ttsqueryin\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t1\t0\t3615\t2275\t\\N\t\\N"
    "\t\\N\t\\N\t\\N\ttsqueryin" },
  { "pg_proc",
    "3613\ttsqueryout\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t1\t0\t2275\t3615\t\\N\t"
    "\\N\t\\N\t\\N\t\\N\ttsqueryout" },
  { "pg_proc",
    "3638\ttsvectorsend\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t1\t0\t17\t3614\t\\N\t"
    "\\N\t\\N\t\\N\t\\N\ttsvectorsend" },
  { "pg_proc",
    "3639\ttsvectorrecv\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t1\t0\t3614\t2281\t\\N\t"
    "\\N\t\\N\t\\N\t\\N\ttsvectorrecv" },
  { "pg_proc",
    "3640\ttsquerysend\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t1\t0\t17\t3615\t\\N\t\\N"
    "\t\\N\t\\N\t\\N\ttsquerysend" },
  { "pg_proc",
    "3641\ttsqueryrecv\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t1\t0\t3615\t2281\t\\N\t"
    "\\N\t\\N\t\\N\t\\N\ttsqueryrecv" },
  { "pg_proc",
    "3646\tgtsvectorin\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t1\t0\t3642\t2275\t\\N\t"
    "\\N\t\\N\t\\N\t\\N\tgtsvectorin" },
  { "pg_proc",
    "3647\tgtsvectorout\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t1\t0\t2275\t3642\t\\N\t"
    "\\N\t\\N\t\\N\t\\N\tgtsvectorout" },
  { "pg_proc",
    "3688\tts_typanalyze\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ts\ts\t1\t0\t16\t2281\t\\N\t"
    "\\N\t\\N\t\\N\t\\N\tts_typanalyze" },
  { "pg_proc",
    "3696\tstarts_with\t11\t10\t12\t1\t0\t0\ttext_starts_with_support\tf\tf\tt\tt\tf\ti\ts\t2"
    "\t0\t16\t25 25\t\\N\t\\N\t\\N\t\\N\t\\N\ttext_starts_with" },
  { "pg_proc",
    "3736\tregconfigin\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ts\ts\t1\t0\t3734\t2275\t\\N\t"
    "\\N\t\\N\t\\N\t\\N\tregconfigin" },
  { "pg_proc",
    "3737\tregconfigout\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ts\ts\t1\t0\t2275\t3734\t\\N\t"
    "\\N\t\\N\t\\N\t\\N\tregconfigout" },
  { "pg_proc",
    "3738\tregconfigrecv\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t1\t0\t3734\t2281\t\\N"
    "\t\\N\t\\N\t\\N\t\\N\tregconfigrecv" },
  { "pg_proc",
    "3739\tregconfigsend\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t1\t0\t17\t3734\t\\N\t"
    "\\N\t\\N\t\\N\t\\N\tregconfigsend" },
  { "pg_proc",
    "3756\tpg_ts_parser_is_visible\t11\t10\t12\t10\t0\t0\t-\tf\tf\tf\tt\tf\ts\ts\t1\t0\t16\t2"
    "6\t\\N\t\\N\t\\N\t\\N\t\\N\tpg_ts_parser_is_visible" },
  { "pg_proc",
    "3757\tpg_ts_dict_is_visible\t11\t10\t12\t10\t0\t0\t-\tf\tf\tf\tt\tf\ts\ts\t1\t0\t16\t26"
    "\t\\N\t\\N\t\\N\t\\N\t\\N\tpg_ts_dict_is_visible" },
  { "pg_proc",
    "3758\tpg_ts_config_is_visible\t11\t10\t12\t10\t0\t0\t-\tf\tf\tf\tt\tf\ts\ts\t1\t0\t16\t2"
    "6\t\\N\t\\N\t\\N\t\\N\t\\N\tpg_ts_config_is_visible" },
  { "pg_proc",
    "3768\tpg_ts_template_is_visible\t11\t10\t12\t10\t0\t0\t-\tf\tf\tf\tt\tf\ts\ts\t1\t0\t16"
    "\t26\t\\N\t\\N\t\\N\t\\N\t\\N\tpg_ts_template_is_visible" },
  { "pg_proc",
    "3771\tregdictionaryin\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ts\ts\t1\t0\t3769\t2275\t"
    "\\N\t\\N\t\\N\t\\N\t\\N\tregdictionaryin" },
  { "pg_proc",
    "3772\tregdictionaryout\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ts\ts\t1\t0\t2275\t3769\t"
    "\\N\t\\N\t\\N\t\\N\t\\N\tregdictionaryout" },
  { "pg_proc",
    "3773\tregdictionaryrecv\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t1\t0\t3769\t2281\t"
    "\\N\t\\N\t\\N\t\\N\t\\N\tregdictionaryrecv" },
  { "pg_proc",
    "3774\tregdictionarysend\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t1\t0\t17\t3769\t"
    "\\N\t\\N\t\\N\t\\N\t\\N\tregdictionarysend" },
  { "pg_proc",
    "3778\tpg_tablespace_location\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ts\ts\t1\t0\t25\t26"
    "\t\\N\t\\N\t\\N\t\\N\t\\N\tpg_tablespace_location" },
  { "pg_proc",
    "3787\tto_jsonb\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ts\ts\t1\t0\t3802\t2283\t\\N\t\\N"
    "\t\\N\t\\N\t\\N\tto_jsonb" },
  { "pg_proc",
    "3803\tjsonb_send\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t1\t0\t17\t3802\t\\N\t\\N"
    "\t\\N\t\\N\t\\N\tjsonb_send" },
  { "pg_proc",
    "3804\tjsonb_out\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t1\t0\t2275\t3802\t\\N\t\\N"
    "\t\\N\t\\N\t\\N\tjsonb_out" },
  { "pg_proc",
    "3805\tjsonb_recv\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t1\t0\t3802\t2281\t\\N\t"
    "\\N\t\\N\t\\N\t\\N\tjsonb_recv" },
  { "pg_proc",
    "3806\tjsonb_in\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t1\t0\t3802\t2275\t\\N\t\\N"
    "\t\\N\t\\N\t\\N\tjsonb_in" },
  { "pg_proc",
    "3810\tpg_is_in_recovery\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\tv\ts\t0\t0\t16\t\t\\N\t"
    "\\N\t\\N\t\\N\t\\N\tpg_is_in_recovery" },
  { "pg_proc",
    "3815\tpg_collation_is_visible\t11\t10\t12\t10\t0\t0\t-\tf\tf\tf\tt\tf\ts\ts\t1\t0\t16\t2"
    "6\t\\N\t\\N\t\\N\t\\N\t\\N\tpg_collation_is_visible" },
  { "pg_proc",
    "3816\tarray_typanalyze\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ts\ts\t1\t0\t16\t2281\t\\N"
    "\t\\N\t\\N\t\\N\t\\N\tarray_typanalyze" },
  { "pg_proc",
    "3829\tpg_opfamily_is_visible\t11\t10\t12\t10\t0\t0\t-\tf\tf\tf\tt\tf\ts\ts\t1\t0\t16\t26"
    "\t\\N\t\\N\t\\N\t\\N\t\\N\tpg_opfamily_is_visible" },
  { "pg_proc",
    "3832\tanyrange_in\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ts\ts\t3\t0\t3831\t2275 26 "
    "23\t\\N\t\\N\t\\N\t\\N\t\\N\tanyrange_in" },
  { "pg_proc",
    "3833\tanyrange_out\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ts\ts\t1\t0\t2275\t3831\t\\N\t"
    "\\N\t\\N\t\\N\t\\N\tanyrange_out" },
  { "pg_proc",
    "3834\trange_in\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ts\ts\t3\t0\t3831\t2275 26 "
    "23\t\\N\t\\N\t\\N\t\\N\t\\N\trange_in" },
  { "pg_proc",
    "3835\trange_out\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ts\ts\t1\t0\t2275\t3831\t\\N\t\\N"
    "\t\\N\t\\N\t\\N\trange_out" },
  { "pg_proc",
    "3836\trange_recv\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ts\ts\t3\t0\t3831\t2281 26 "
    "23\t\\N\t\\N\t\\N\t\\N\t\\N\trange_recv" },
  { "pg_proc",
    "3837\trange_send\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ts\ts\t1\t0\t17\t3831\t\\N\t\\N"
    "\t\\N\t\\N\t\\N\trange_send" },
  { "pg_proc",
    "3842\tpg_relation_is_updatable\t11\t10\t12\t10\t0\t0\t-\tf\tf\tf\tt\tf\ts\ts\t2\t0\t23\t"
    "2205 16\t\\N\t\\N\t\\N\t\\N\t\\N\tpg_relation_is_updatable" },
  { "pg_proc",
    "3843\tpg_column_is_updatable\t11\t10\t12\t10\t0\t0\t-\tf\tf\tf\tt\tf\ts\ts\t3\t0\t16\t22"
    "05 21 16\t\\N\t\\N\t\\N\t\\N\t\\N\tpg_column_is_updatable" },
  { "pg_proc",
    "3846\tmake_date\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t3\t0\t1082\t23 23 "
    "23\t\\N\t\\N\t{year,month,day}\t\\N\t\\N\tmake_date" },
  { "pg_proc",
    "3847\tmake_time\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t3\t0\t1083\t23 23 "
    "701\t\\N\t\\N\t{hour,min,sec}\t\\N\t\\N\tmake_time" },
  { "pg_proc",
    "3916\trange_typanalyze\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ts\ts\t1\t0\t16\t2281\t\\N"
    "\t\\N\t\\N\t\\N\t\\N\trange_typanalyze" },
  { "pg_proc",
    "3931\tjsonb_object_keys\t11\t10\t12\t1\t100\t0\t-\tf\tf\tf\tt\tt\ti\ts\t1\t0\t25\t3802\t"
    "\\N\t\\N\t\\N\t\\N\t\\N\tjsonb_object_keys" },
  { "pg_proc",
    "3940\tjsonb_extract_path_text\t11\t10\t12\t1\t0\t25\t-\tf\tf\tf\tt\tf\ti\ts\t2\t0\t25\t3"
    "802 1009\t{3802,1009}\t{i,v}\t{from_json,path_elems}\t\\N\t\\N\tjsonb_extract_path_text" },
  { "pg_proc",
    "3951\tjson_extract_path\t11\t10\t12\t1\t0\t25\t-\tf\tf\tf\tt\tf\ti\ts\t2\t0\t114\t114 "
    "1009\t{114,1009}\t{i,v}\t{from_json,path_elems}\t\\N\t\\N\tjson_extract_path" },
  { "pg_proc",
    "3953\tjson_extract_path_text\t11\t10\t12\t1\t0\t25\t-\tf\tf\tf\tt\tf\ti\ts\t2\t0\t25\t11"
    "4 1009\t{114,1009}\t{i,v}\t{from_json,path_elems}\t\\N\t\\N\tjson_extract_path_text" },
  { "pg_proc",
    "3955\tjson_array_elements\t11\t10\t12\t1\t100\t0\t-\tf\tf\tf\tt\tt\ti\ts\t1\t0\t114\t114"
    "\t{114,114}\t{i,o}\t{from_json,value}\t\\N\t\\N\tjson_array_elements" },
  { "pg_proc",
    "3956\tjson_array_length\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t1\t0\t23\t114\t\\N"
    "\t\\N\t\\N\t\\N\t\\N\tjson_array_length" },
  { "pg_proc",
    "3957\tjson_object_keys\t11\t10\t12\t1\t100\t0\t-\tf\tf\tf\tt\tt\ti\ts\t1\t0\t25\t114\t"
    "\\N\t\\N\t\\N\t\\N\t\\N\tjson_object_keys" },
  { "pg_proc",
    "3968\tjson_typeof\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t1\t0\t25\t114\t\\N\t\\N"
    "\t\\N\t\\N\t\\N\tjson_typeof" },
  { "pg_proc",
    "3969\tjson_array_elements_text\t11\t10\t12\t1\t100\t0\t-\tf\tf\tf\tt\tt\ti\ts\t1\t0\t25"
    "\t114\t{114,25}\t{i,o}\t{from_json,value}\t\\N\t\\N\tjson_array_elements_text" },
  { "pg_proc",
    "4001\tjsonpath_in\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t1\t0\t4072\t2275\t\\N\t"
    "\\N\t\\N\t\\N\t\\N\tjsonpath_in" },
  { "pg_proc",
    "4002\tjsonpath_recv\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t1\t0\t4072\t2281\t\\N"
    "\t\\N\t\\N\t\\N\t\\N\tjsonpath_recv" },
  { "pg_proc",
    "4003\tjsonpath_out\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t1\t0\t2275\t4072\t\\N\t"
    "\\N\t\\N\t\\N\t\\N\tjsonpath_out" },
  { "pg_proc",
    "4004\tjsonpath_send\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t1\t0\t17\t4072\t\\N\t"
    "\\N\t\\N\t\\N\t\\N\tjsonpath_send" },
  { "pg_proc",
    "4084\tregnamespacein\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ts\ts\t1\t0\t4089\t2275\t\\N"
    "\t\\N\t\\N\t\\N\t\\N\tregnamespacein" },
  { "pg_proc",
    "4085\tregnamespaceout\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ts\ts\t1\t0\t2275\t4089\t"
    "\\N\t\\N\t\\N\t\\N\t\\N\tregnamespaceout" },
  { "pg_proc",
    "4086\tto_regnamespace\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ts\ts\t1\t0\t4089\t25\t\\N"
    "\t\\N\t\\N\t\\N\t\\N\tto_regnamespace" },
  { "pg_proc",
    "4087\tregnamespacerecv\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t1\t0\t4089\t2281\t"
    "\\N\t\\N\t\\N\t\\N\t\\N\tregnamespacerecv" },
  { "pg_proc",
    "4088\tregnamespacesend\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t1\t0\t17\t4089\t\\N"
    "\t\\N\t\\N\t\\N\t\\N\tregnamespacesend" },
  { "pg_proc",
    "4092\tregroleout\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ts\ts\t1\t0\t2275\t4096\t\\N\t"
    "\\N\t\\N\t\\N\t\\N\tregroleout" },
  { "pg_proc",
    "4094\tregrolerecv\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t1\t0\t4096\t2281\t\\N\t"
    "\\N\t\\N\t\\N\t\\N\tregrolerecv" },
  { "pg_proc",
    "4095\tregrolesend\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t1\t0\t17\t4096\t\\N\t\\N"
    "\t\\N\t\\N\t\\N\tregrolesend" },
  { "pg_proc",
    "4098\tregrolein\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ts\ts\t1\t0\t4096\t2275\t\\N\t\\N"
    "\t\\N\t\\N\t\\N\tregrolein" },
  { "pg_proc",
    "4110\tmacaddr8_in\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t1\t0\t774\t2275\t\\N\t"
    "\\N\t\\N\t\\N\t\\N\tmacaddr8_in" },
  { "pg_proc",
    "4111\tmacaddr8_out\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t1\t0\t2275\t774\t\\N\t"
    "\\N\t\\N\t\\N\t\\N\tmacaddr8_out" },
  { "pg_proc",
    "4193\tregcollationin\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ts\ts\t1\t0\t4191\t2275\t\\N"
    "\t\\N\t\\N\t\\N\t\\N\tregcollationin" },
  { "pg_proc",
    "4194\tregcollationout\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ts\ts\t1\t0\t2275\t4191\t"
    "\\N\t\\N\t\\N\t\\N\t\\N\tregcollationout" },
  { "pg_proc",
    "4196\tregcollationrecv\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t1\t0\t4191\t2281\t"
    "\\N\t\\N\t\\N\t\\N\t\\N\tregcollationrecv" },
  { "pg_proc",
    "4197\tregcollationsend\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t1\t0\t17\t4191\t\\N"
    "\t\\N\t\\N\t\\N\t\\N\tregcollationsend" },
  { "pg_proc",
    "4226\tanycompatiblemultirange_in\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ts\ts\t3\t0\t453"
    "8\t2275 26 23\t\\N\t\\N\t\\N\t\\N\t\\N\tanycompatiblemultirange_in" },
  { "pg_proc",
    "4227\tanycompatiblemultirange_out\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ts\ts\t1\t0\t22"
    "75\t4538\t\\N\t\\N\t\\N\t\\N\t\\N\tanycompatiblemultirange_out" },
  { "pg_proc",
    "4229\tanymultirange_in\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ts\ts\t3\t0\t4537\t2275 "
    "26 23\t\\N\t\\N\t\\N\t\\N\t\\N\tanymultirange_in" },
  { "pg_proc",
    "4230\tanymultirange_out\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ts\ts\t1\t0\t2275\t4537\t"
    "\\N\t\\N\t\\N\t\\N\t\\N\tanymultirange_out" },
  { "pg_proc",
    "4231\tmultirange_in\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ts\ts\t3\t0\t4537\t2275 26 "
    "23\t\\N\t\\N\t\\N\t\\N\t\\N\tmultirange_in" },
  { "pg_proc",
    "4232\tmultirange_out\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ts\ts\t1\t0\t2275\t4537\t\\N"
    "\t\\N\t\\N\t\\N\t\\N\tmultirange_out" },
  { "pg_proc",
    "4233\tmultirange_recv\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ts\ts\t3\t0\t4537\t2281 26 "
    "23\t\\N\t\\N\t\\N\t\\N\t\\N\tmultirange_recv" },
  { "pg_proc",
    "4234\tmultirange_send\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ts\ts\t1\t0\t17\t4537\t\\N"
    "\t\\N\t\\N\t\\N\t\\N\tmultirange_send" },
  { "pg_proc",
    "4242\tmultirange_typanalyze\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ts\ts\t1\t0\t16\t2281"
    "\t\\N\t\\N\t\\N\t\\N\t\\N\tmultirange_typanalyze" },
  { "pg_proc",
    "4596\tbrin_bloom_summary_in\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t1\t0\t4600\t22"
    "75\t\\N\t\\N\t\\N\t\\N\t\\N\tbrin_bloom_summary_in" },
  { "pg_proc",
    "4597\tbrin_bloom_summary_out\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t1\t0\t2275\t4"
    "600\t\\N\t\\N\t\\N\t\\N\t\\N\tbrin_bloom_summary_out" },
  { "pg_proc",
    "4598\tbrin_bloom_summary_recv\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ts\ts\t1\t0\t4600\t"
    "2281\t\\N\t\\N\t\\N\t\\N\t\\N\tbrin_bloom_summary_recv" },
  { "pg_proc",
    "4599\tbrin_bloom_summary_send\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ts\ts\t1\t0\t17\t46"
    "00\t\\N\t\\N\t\\N\t\\N\t\\N\tbrin_bloom_summary_send" },
  { "pg_proc",
    "4638\tbrin_minmax_multi_summary_in\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t1\t0\t4"
    "601\t2275\t\\N\t\\N\t\\N\t\\N\t\\N\tbrin_minmax_multi_summary_in" },
  { "pg_proc",
    "4639\tbrin_minmax_multi_summary_out\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t1\t0\t"
    "2275\t4601\t\\N\t\\N\t\\N\t\\N\t\\N\tbrin_minmax_multi_summary_out" },
  { "pg_proc",
    "4640\tbrin_minmax_multi_summary_recv\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ts\ts\t1\t0"
    "\t4601\t2281\t\\N\t\\N\t\\N\t\\N\t\\N\tbrin_minmax_multi_summary_recv" },
  { "pg_proc",
    "4641\tbrin_minmax_multi_summary_send\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ts\ts\t1\t0"
    "\t17\t4601\t\\N\t\\N\t\\N\t\\N\t\\N\tbrin_minmax_multi_summary_send" },
  { "pg_proc",
    "5018\tpg_mcv_list_in\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t1\t0\t5017\t2275\t\\N"
    "\t\\N\t\\N\t\\N\t\\N\tpg_mcv_list_in" },
  { "pg_proc",
    "5019\tpg_mcv_list_out\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t1\t0\t2275\t5017\t"
    "\\N\t\\N\t\\N\t\\N\t\\N\tpg_mcv_list_out" },
  { "pg_proc",
    "5020\tpg_mcv_list_recv\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ts\ts\t1\t0\t5017\t2281\t"
    "\\N\t\\N\t\\N\t\\N\t\\N\tpg_mcv_list_recv" },
  { "pg_proc",
    "5021\tpg_mcv_list_send\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ts\ts\t1\t0\t17\t5017\t\\N"
    "\t\\N\t\\N\t\\N\t\\N\tpg_mcv_list_send" },
  { "pg_proc",
    "5042\tmin_scale\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t1\t0\t23\t1700\t\\N\t\\N\t"
    "\\N\t\\N\t\\N\tnumeric_min_scale" },
  { "pg_proc",
    "5043\ttrim_scale\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t1\t0\t1700\t1700\t\\N\t"
    "\\N\t\\N\t\\N\t\\N\tnumeric_trim_scale" },
  { "pg_proc",
    "5044\tgcd\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t2\t0\t23\t23 "
    "23\t\\N\t\\N\t\\N\t\\N\t\\N\tint4gcd" },
  { "pg_proc",
    "5045\tgcd\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t2\t0\t20\t20 "
    "20\t\\N\t\\N\t\\N\t\\N\t\\N\tint8gcd" },
  { "pg_proc",
    "5046\tlcm\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t2\t0\t23\t23 "
    "23\t\\N\t\\N\t\\N\t\\N\t\\N\tint4lcm" },
  { "pg_proc",
    "5047\tlcm\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t2\t0\t20\t20 "
    "20\t\\N\t\\N\t\\N\t\\N\t\\N\tint8lcm" },
  { "pg_proc",
    "5048\tgcd\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t2\t0\t1700\t1700 "
    "1700\t\\N\t\\N\t\\N\t\\N\t\\N\tnumeric_gcd" },
  { "pg_proc",
    "5049\tlcm\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t2\t0\t1700\t1700 "
    "1700\t\\N\t\\N\t\\N\t\\N\t\\N\tnumeric_lcm" },
  { "pg_proc",
    "5055\tpg_snapshot_in\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t1\t0\t5038\t2275\t\\N"
    "\t\\N\t\\N\t\\N\t\\N\tpg_snapshot_in" },
  { "pg_proc",
    "5056\tpg_snapshot_out\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t1\t0\t2275\t5038\t"
    "\\N\t\\N\t\\N\t\\N\t\\N\tpg_snapshot_out" },
  { "pg_proc",
    "5057\tpg_snapshot_recv\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t1\t0\t5038\t2281\t"
    "\\N\t\\N\t\\N\t\\N\t\\N\tpg_snapshot_recv" },
  { "pg_proc",
    "5058\tpg_snapshot_send\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t1\t0\t17\t5038\t\\N"
    "\t\\N\t\\N\t\\N\t\\N\tpg_snapshot_send" },
  { "pg_proc",
    "5070\txid8in\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t1\t0\t5069\t2275\t\\N\t\\N\t"
    "\\N\t\\N\t\\N\txid8in" },
  { "pg_proc",
    "5081\txid8out\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t1\t0\t2275\t5069\t\\N\t\\N\t"
    "\\N\t\\N\t\\N\txid8out" },
  { "pg_proc",
    "5082\txid8recv\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t1\t0\t5069\t2281\t\\N\t\\N"
    "\t\\N\t\\N\t\\N\txid8recv" },
  { "pg_proc",
    "5083\txid8send\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t1\t0\t17\t5069\t\\N\t\\N\t"
    "\\N\t\\N\t\\N\txid8send" },
  { "pg_proc",
    "5086\tanycompatible_in\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t1\t0\t5077\t2275\t"
    "\\N\t\\N\t\\N\t\\N\t\\N\tanycompatible_in" },
  { "pg_proc",
    "5087\tanycompatible_out\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t1\t0\t2275\t5077\t"
    "\\N\t\\N\t\\N\t\\N\t\\N\tanycompatible_out" },
  { "pg_proc",
    "5088\tanycompatiblearray_in\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t1\t0\t5078\t22"
    "75\t\\N\t\\N\t\\N\t\\N\t\\N\tanycompatiblearray_in" },
  { "pg_proc",
    "5089\tanycompatiblearray_out\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ts\ts\t1\t0\t2275\t5"
    "078\t\\N\t\\N\t\\N\t\\N\t\\N\tanycompatiblearray_out" },
  { "pg_proc",
    "5090\tanycompatiblearray_recv\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ts\ts\t1\t0\t5078\t"
    "2281\t\\N\t\\N\t\\N\t\\N\t\\N\tanycompatiblearray_recv" },
  { "pg_proc",
    "5091\tanycompatiblearray_send\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ts\ts\t1\t0\t17\t50"
    "78\t\\N\t\\N\t\\N\t\\N\t\\N\tanycompatiblearray_send" },
  { "pg_proc",
    "5092\tanycompatiblenonarray_in\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t1\t0\t5079"
    "\t2275\t\\N\t\\N\t\\N\t\\N\t\\N\tanycompatiblenonarray_in" },
  { "pg_proc",
    "5093\tanycompatiblenonarray_out\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t1\t0\t2275"
    "\t5079\t\\N\t\\N\t\\N\t\\N\t\\N\tanycompatiblenonarray_out" },
  { "pg_proc",
    "5094\tanycompatiblerange_in\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ts\ts\t3\t0\t5080\t22"
    "75 26 23\t\\N\t\\N\t\\N\t\\N\t\\N\tanycompatiblerange_in" },
  { "pg_proc",
    "5095\tanycompatiblerange_out\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ts\ts\t1\t0\t2275\t5"
    "080\t\\N\t\\N\t\\N\t\\N\t\\N\tanycompatiblerange_out" },
  { "pg_proc",
    "6121\tpg_relation_is_publishable\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ts\ts\t1\t0\t16"
    "\t2205\t\\N\t\\N\t\\N\t\\N\t\\N\tpg_relation_is_publishable" },
  { "pg_proc",
    "6160\tstring_to_table\t11\t10\t12\t1\t1000\t0\t-\tf\tf\tf\tf\tt\ti\ts\t2\t0\t25\t25 "
    "25\t\\N\t\\N\t\\N\t\\N\t\\N\ttext_to_table" },
  { "pg_proc",
    "6161\tstring_to_table\t11\t10\t12\t1\t1000\t0\t-\tf\tf\tf\tf\tt\ti\ts\t3\t0\t25\t25 25 "
    "25\t\\N\t\\N\t\\N\t\\N\t\\N\ttext_to_table_null" },
  { "pg_proc",
    "6163\tbit_count\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t1\t0\t20\t17\t\\N\t\\N\t"
    "\\N\t\\N\t\\N\tbytea_bit_count" },
  { "pg_proc",
    "6165\tbit_xor\t11\t10\t12\t1\t0\t0\t-\ta\tf\tf\tf\tf\ti\ts\t1\t0\t23\t23\t\\N\t\\N\t\\N"
    "\t\\N\t\\N\taggregate_dummy" },
  { "pg_proc",
    "6166\tbit_xor\t11\t10\t12\t1\t0\t0\t-\ta\tf\tf\tf\tf\ti\ts\t1\t0\t20\t20\t\\N\t\\N\t\\N"
    "\t\\N\t\\N\taggregate_dummy" },
  { "pg_proc",
    "6172\ttrim_array\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t2\t0\t2277\t2277 "
    "23\t\\N\t\\N\t\\N\t\\N\t\\N\ttrim_array" },
  { "pg_proc",
    "6174\tpg_get_statisticsobjdef_columns\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ts\ts\t1\t0"
    "\t25\t26\t\\N\t\\N\t\\N\t\\N\t\\N\tpg_get_statisticsobjdef_columns" },
  { "pg_proc",
    "6177\tdate_bin\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t3\t0\t1114\t1186 1114 "
    "1114\t\\N\t\\N\t\\N\t\\N\t\\N\ttimestamp_bin" },
  { "pg_proc",
    "6178\tdate_bin\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t3\t0\t1184\t1186 1184 "
    "1184\t\\N\t\\N\t\\N\t\\N\t\\N\ttimestamptz_bin" },
  { "pg_proc",
    "6195\tltrim\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t2\t0\t17\t17 "
    "17\t\\N\t\\N\t\\N\t\\N\t\\N\tbytealtrim" },
  { "pg_proc",
    "6196\trtrim\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t2\t0\t17\t17 "
    "17\t\\N\t\\N\t\\N\t\\N\t\\N\tbyteartrim" },
  { "pg_proc",
    "6199\textract\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t2\t0\t1700\t25 "
    "1082\t\\N\t\\N\t\\N\t\\N\t\\N\textract_date" },
  { "pg_proc",
    "6200\textract\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t2\t0\t1700\t25 "
    "1083\t\\N\t\\N\t\\N\t\\N\t\\N\textract_time" },
  { "pg_proc",
    "6202\textract\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t2\t0\t1700\t25 "
    "1114\t\\N\t\\N\t\\N\t\\N\t\\N\textract_timestamp" },
  { "pg_proc",
    "6203\textract\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ts\ts\t2\t0\t1700\t25 "
    "1184\t\\N\t\\N\t\\N\t\\N\t\\N\textract_timestamptz" },
  { "pg_proc",
    "6204\textract\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t2\t0\t1700\t25 "
    "1186\t\\N\t\\N\t\\N\t\\N\t\\N\textract_interval" },
  { "pg_proc",
    "6251\tregexp_replace\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t6\t0\t25\t25 25 25 "
    "23 23 25\t\\N\t\\N\t\\N\t\\N\t\\N\ttextregexreplace_extended" },
  { "pg_proc",
    "6252\tregexp_replace\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t5\t0\t25\t25 25 25 "
    "23 23\t\\N\t\\N\t\\N\t\\N\t\\N\ttextregexreplace_extended_no_flags" },
  { "pg_proc",
    "6253\tregexp_replace\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t4\t0\t25\t25 25 25 "
    "23\t\\N\t\\N\t\\N\t\\N\t\\N\ttextregexreplace_extended_no_n" },
  { "pg_proc",
    "6254\tregexp_count\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t2\t0\t23\t25 "
    "25\t\\N\t\\N\t\\N\t\\N\t\\N\tregexp_count_no_start" },
  { "pg_proc",
    "6255\tregexp_count\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t3\t0\t23\t25 25 "
    "23\t\\N\t\\N\t\\N\t\\N\t\\N\tregexp_count_no_flags" },
  { "pg_proc",
    "6256\tregexp_count\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t4\t0\t23\t25 25 23 "
    "25\t\\N\t\\N\t\\N\t\\N\t\\N\tregexp_count" },
  { "pg_proc",
    "6257\tregexp_instr\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t2\t0\t23\t25 "
    "25\t\\N\t\\N\t\\N\t\\N\t\\N\tregexp_instr_no_start" },
  { "pg_proc",
    "6259\tregexp_instr\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t4\t0\t23\t25 25 23 "
    "23\t\\N\t\\N\t\\N\t\\N\t\\N\tregexp_instr_no_endoption" },
  { "pg_proc",
    "6260\tregexp_instr\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t5\t0\t23\t25 25 23 23 "
    "23\t\\N\t\\N\t\\N\t\\N\t\\N\tregexp_instr_no_flags" },
  { "pg_proc",
    "6261\tregexp_instr\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t6\t0\t23\t25 25 23 23 "
    "23 25\t\\N\t\\N\t\\N\t\\N\t\\N\tregexp_instr_no_subexpr" },
  { "pg_proc",
    "6262\tregexp_instr\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t7\t0\t23\t25 25 23 23 "
    "23 25 23\t\\N\t\\N\t\\N\t\\N\t\\N\tregexp_instr" },
  { "pg_proc",
    "6263\tregexp_like\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t2\t0\t16\t25 "
    "25\t\\N\t\\N\t\\N\t\\N\t\\N\tregexp_like_no_flags" },
  { "pg_proc",
    "6264\tregexp_like\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t3\t0\t16\t25 25 "
    "25\t\\N\t\\N\t\\N\t\\N\t\\N\tregexp_like" },
  { "pg_proc",
    "6265\tregexp_substr\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t2\t0\t25\t25 "
    "25\t\\N\t\\N\t\\N\t\\N\t\\N\tregexp_substr_no_start" },
  { "pg_proc",
    "6266\tregexp_substr\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t3\t0\t25\t25 25 "
    "23\t\\N\t\\N\t\\N\t\\N\t\\N\tregexp_substr_no_n" },
  { "pg_proc",
    "6267\tregexp_substr\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t4\t0\t25\t25 25 23 "
    "23\t\\N\t\\N\t\\N\t\\N\t\\N\tregexp_substr_no_flags" },
  { "pg_proc",
    "6268\tregexp_substr\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t5\t0\t25\t25 25 23 23 "
    "25\t\\N\t\\N\t\\N\t\\N\t\\N\tregexp_substr_no_subexpr" },
  { "pg_proc",
    "6269\tregexp_substr\t11\t10\t12\t1\t0\t0\t-\tf\tf\tf\tt\tf\ti\ts\t6\t0\t25\t25 25 23 23 "
    "25 23\t\\N\t\\N\t\\N\t\\N\t\\N\tregexp_substr" },
  { "kvsql_function",
    "31\tbytea\tbytea\tcstring\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "33\t\"char\"\t\"char\"\tcstring\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "34\tcstring\tcstring\tname\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "35\tname\tname\tcstring\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "38\tcstring\tcstring\tsmallint\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "39\tsmallint\tsmallint\tcstring\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "40\tcstring\tcstring\tint2vector\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "41\tint2vector\tint2vector\tcstring\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "42\tcstring\tcstring\tinteger\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "43\tinteger\tinteger\tcstring\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "44\tcstring\tcstring\tregproc\tSTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "45\tregproc\tregproc\tcstring\tSTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "46\tcstring\tcstring\ttext\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "47\ttext\ttext\tcstring\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "48\tcstring\tcstring\ttid\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "49\ttid\ttid\tcstring\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "50\tcstring\tcstring\txid\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "51\txid\txid\tcstring\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "52\tcstring\tcstring\tcid\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "53\tcid\tcid\tcstring\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "54\tcstring\tcstring\toidvector\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "55\toidvector\toidvector\tcstring\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "86\tcstring\tcstring\tpg_ddl_command\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "87\tpg_ddl_command\tpg_ddl_command\tcstring\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "88\tinternal\tinternal\tpg_ddl_command\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "89\t\t\ttext\tSTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "90\tpg_ddl_command\tpg_ddl_command\tbytea\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "109\tcstring\tcstring\tunknown\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "110\tunknown\tunknown\tcstring\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "117\tcstring\tcstring\tpoint\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "118\tpoint\tpoint\tcstring\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "119\tcstring\tcstring\tlseg\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "120\tlseg\tlseg\tcstring\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "121\tcstring\tcstring\tpath\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "122\tpath\tpath\tcstring\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "123\tcstring\tcstring\tbox\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "124\tbox\tbox\tcstring\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "195\tcstring\tcstring\tpg_node_tree\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "196\tpg_node_tree\tpg_node_tree\tcstring\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "197\tinternal\tinternal\tpg_node_tree\tSTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "198\tpg_node_tree\tpg_node_tree\tbytea\tSTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "200\tcstring\tcstring\treal\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "201\treal\treal\tcstring\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "214\tcstring\tcstring\tdouble precision\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "215\tdouble precision\tdouble precision\tcstring\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "267\tcstring\tcstring\ttable_am_handler\tIMMUTABLE PARALLEL SAFE" },
  { "kvsql_function",
    "268\ttable_am_handler\ttable_am_handler\tcstring\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "320\tdouble precision, double precision, double precision, integer\tdouble precision, "
    "double precision, double precision, integer\tinteger\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "321\tcstring\tcstring\tjson\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "322\tjson\tjson\tcstring\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "323\tinternal\tinternal\tjson\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "324\tjson\tjson\tbytea\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "326\tcstring\tcstring\tindex_am_handler\tIMMUTABLE PARALLEL SAFE" },
  { "kvsql_function",
    "327\tindex_am_handler\tindex_am_handler\tcstring\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "347\tcstring\tcstring\tpolygon\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "348\tpolygon\tpolygon\tcstring\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "376\ttext, text, text\ttext, text, text\ttext[]\tIMMUTABLE PARALLEL SAFE" },
  { "kvsql_function",
    "378\tanycompatiblearray, anycompatible\tanycompatiblearray, "
    "anycompatible\tanycompatiblearray\tIMMUTABLE PARALLEL SAFE" },
  { "kvsql_function",
    "379\tanycompatible, anycompatiblearray\tanycompatible, "
    "anycompatiblearray\tanycompatiblearray\tIMMUTABLE PARALLEL SAFE" },
  { "kvsql_function",
    "383\tanycompatiblearray, anycompatiblearray\tanycompatiblearray, "
    "anycompatiblearray\tanycompatiblearray\tIMMUTABLE PARALLEL SAFE" },
  { "kvsql_function",
    "384\tanyarray, text, text\tanyarray, text, text\ttext\tSTABLE PARALLEL SAFE" },
  { "kvsql_function",
    "394\ttext, text\ttext, text\ttext[]\tIMMUTABLE PARALLEL SAFE" },
  { "kvsql_function",
    "395\tanyarray, text\tanyarray, text\ttext\tSTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "436\tcstring\tcstring\tmacaddr\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "437\tmacaddr\tmacaddr\tcstring\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "438\tVARIADIC \"any\"\tVARIADIC \"any\"\tinteger\tIMMUTABLE PARALLEL SAFE" },
  { "kvsql_function",
    "440\tVARIADIC \"any\"\tVARIADIC \"any\"\tinteger\tIMMUTABLE PARALLEL SAFE" },
  { "kvsql_function",
    "460\tcstring\tcstring\tbigint\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "461\tbigint\tbigint\tcstring\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "720\tbytea\tbytea\tinteger\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "721\tbytea, integer\tbytea, integer\tinteger\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "722\tbytea, integer, integer\tbytea, integer, integer\tbytea\tIMMUTABLE PARALLEL SAFE "
    "STRICT" },
  { "kvsql_function",
    "723\tbytea, bigint\tbytea, bigint\tinteger\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "724\tbytea, bigint, integer\tbytea, bigint, integer\tbytea\tIMMUTABLE PARALLEL SAFE "
    "STRICT" },
  { "kvsql_function",
    "745\t\t\tname\tSTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "746\t\t\tname\tSTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "747\tanyarray\tanyarray\ttext\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "748\tanyarray\tanyarray\tinteger\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "749\tbytea, bytea, integer, integer\tbytea, bytea, integer, integer\tbytea\tIMMUTABLE "
    "PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "750\tcstring, oid, integer\tcstring, oid, integer\tanyarray\tSTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "751\tanyarray\tanyarray\tcstring\tSTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "752\tbytea, bytea, integer\tbytea, bytea, integer\tbytea\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "810\t\t\tname\tSTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "849\ttext, text\ttext, text\tinteger\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "861\t\t\tname\tSTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "868\ttext, text\ttext, text\tinteger\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "870\ttext\ttext\ttext\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "871\ttext\ttext\ttext\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "872\ttext\ttext\ttext\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "873\ttext, integer, text\ttext, integer, text\ttext\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "874\ttext, integer, text\ttext, integer, text\ttext\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "875\ttext, text\ttext, text\ttext\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "876\ttext, text\ttext, text\ttext\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "877\ttext, integer, integer\ttext, integer, integer\ttext\tIMMUTABLE PARALLEL SAFE "
    "STRICT" },
  { "kvsql_function",
    "878\ttext, text, text\ttext, text, text\ttext\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "879\ttext, integer\ttext, integer\ttext" },
  { "kvsql_function",
    "880\ttext, integer\ttext, integer\ttext" },
  { "kvsql_function",
    "881\ttext\ttext\ttext\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "882\ttext\ttext\ttext\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "883\ttext, integer\ttext, integer\ttext\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "884\ttext, text\ttext, text\ttext\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "885\ttext\ttext\ttext\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "886\tcstring\tcstring\tmoney\tSTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "887\tmoney\tmoney\tcstring\tSTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "910\tcstring\tcstring\tinet\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "911\tinet\tinet\tcstring\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "936\ttext, integer, integer\ttext, integer, integer\ttext\tIMMUTABLE PARALLEL SAFE "
    "STRICT" },
  { "kvsql_function",
    "937\ttext, integer\ttext, integer\ttext\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "938\ttimestamp without time zone, timestamp without time zone, interval\ttimestamp "
    "without time zone, timestamp without time zone, interval\tSETOF timestamp without time "
    "zone\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "941\tinteger, integer\tinteger, integer\tinteger\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "947\tbigint, bigint\tbigint, bigint\tbigint\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "1031\tcstring\tcstring\taclitem\tSTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "1032\taclitem\taclitem\tcstring\tSTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "1044\tcstring, oid, integer\tcstring, oid, integer\tcharacter\tIMMUTABLE PARALLEL SAFE "
    "STRICT" },
  { "kvsql_function",
    "1045\tcharacter\tcharacter\tcstring\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "1046\tcstring, oid, integer\tcstring, oid, integer\tcharacter varying\tIMMUTABLE "
    "PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "1047\tcharacter varying\tcharacter varying\tcstring\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "1066\tinteger, integer, integer\tinteger, integer, integer\tSETOF integer\tIMMUTABLE "
    "PARALLEL SAFE STRICT SUPPORT generate_series_int4_support" },
  { "kvsql_function",
    "1067\tinteger, integer\tinteger, integer\tSETOF integer\tIMMUTABLE PARALLEL SAFE STRICT "
    "SUPPORT generate_series_int4_support" },
  { "kvsql_function",
    "1068\tbigint, bigint, bigint\tbigint, bigint, bigint\tSETOF bigint\tIMMUTABLE PARALLEL "
    "SAFE STRICT SUPPORT generate_series_int8_support" },
  { "kvsql_function",
    "1069\tbigint, bigint\tbigint, bigint\tSETOF bigint\tIMMUTABLE PARALLEL SAFE STRICT "
    "SUPPORT generate_series_int8_support" },
  { "kvsql_function",
    "1081\toid, integer\toid, integer\ttext\tSTABLE PARALLEL SAFE" },
  { "kvsql_function",
    "1084\tcstring\tcstring\tdate\tSTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "1085\tdate\tdate\tcstring\tSTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "1143\tcstring, oid, integer\tcstring, oid, integer\ttime without time zone\tSTABLE "
    "PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "1144\ttime without time zone\ttime without time zone\tcstring\tIMMUTABLE PARALLEL SAFE "
    "STRICT" },
  { "kvsql_function",
    "1150\tcstring, oid, integer\tcstring, oid, integer\ttimestamp with time zone\tSTABLE "
    "PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "1151\ttimestamp with time zone\ttimestamp with time zone\tcstring\tSTABLE PARALLEL SAFE "
    "STRICT" },
  { "kvsql_function",
    "1158\tdouble precision\tdouble precision\ttimestamp with time zone\tIMMUTABLE PARALLEL "
    "SAFE STRICT" },
  { "kvsql_function",
    "1159\ttext, timestamp with time zone\ttext, timestamp with time zone\ttimestamp without "
    "time zone\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "1160\tcstring, oid, integer\tcstring, oid, integer\tinterval\tSTABLE PARALLEL SAFE "
    "STRICT" },
  { "kvsql_function",
    "1161\tinterval\tinterval\tcstring\tSTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "1171\ttext, timestamp with time zone\ttext, timestamp with time zone\tdouble "
    "precision\tSTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "1172\ttext, interval\ttext, interval\tdouble precision\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "1175\tinterval\tinterval\tinterval\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "1191\tanyarray, integer, boolean\tanyarray, integer, boolean\tSETOF integer\tIMMUTABLE "
    "PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "1192\tanyarray, integer\tanyarray, integer\tSETOF integer\tIMMUTABLE PARALLEL SAFE "
    "STRICT" },
  { "kvsql_function",
    "1194\tdouble precision\tdouble precision\tdouble precision\tIMMUTABLE PARALLEL SAFE "
    "STRICT" },
  { "kvsql_function",
    "1199\ttimestamp with time zone, timestamp with time zone\ttimestamp with time zone, "
    "timestamp with time zone\tinterval\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "1215\toid, name\toid, name\ttext" },
  { "kvsql_function",
    "1216\toid, integer\toid, integer\ttext" },
  { "kvsql_function",
    "1217\ttext, timestamp with time zone\ttext, timestamp with time zone\ttimestamp with "
    "time zone\tSTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "1218\ttext, interval\ttext, interval\tinterval\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "1242\tcstring\tcstring\tboolean\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "1243\tboolean\tboolean\tcstring\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "1244\tcstring\tcstring\tbytea\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "1245\tcstring\tcstring\t\"char\"\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "1264\tname\tname\tinteger\tSTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "1267\tcstring\tcstring\tcidr\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "1282\ttext\ttext\ttext\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "1283\ttext\ttext\ttext\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "1289\ttext\ttext\ttext\tIMMUTABLE PARALLEL SAFE" },
  { "kvsql_function",
    "1295\tinterval\tinterval\tinterval\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "1299\t\t\ttimestamp with time zone\tSTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "1312\tcstring, oid, integer\tcstring, oid, integer\ttimestamp without time zone\tSTABLE "
    "PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "1313\ttimestamp without time zone\ttimestamp without time zone\tcstring\tSTABLE "
    "PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "1317\ttext\ttext\tinteger\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "1318\tcharacter\tcharacter\tinteger\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "1340\tdouble precision\tdouble precision\tdouble precision\tIMMUTABLE PARALLEL SAFE "
    "STRICT" },
  { "kvsql_function",
    "1341\tdouble precision\tdouble precision\tdouble precision\tIMMUTABLE PARALLEL SAFE "
    "STRICT" },
  { "kvsql_function",
    "1342\tdouble precision\tdouble precision\tdouble precision\tIMMUTABLE PARALLEL SAFE "
    "STRICT" },
  { "kvsql_function",
    "1343\tdouble precision\tdouble precision\tdouble precision\tIMMUTABLE PARALLEL SAFE "
    "STRICT" },
  { "kvsql_function",
    "1344\tdouble precision\tdouble precision\tdouble precision\tIMMUTABLE PARALLEL SAFE "
    "STRICT" },
  { "kvsql_function",
    "1345\tdouble precision\tdouble precision\tdouble precision\tIMMUTABLE PARALLEL SAFE "
    "STRICT" },
  { "kvsql_function",
    "1346\tdouble precision, double precision\tdouble precision, double precision\tdouble "
    "precision\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "1347\tdouble precision\tdouble precision\tdouble precision\tIMMUTABLE PARALLEL SAFE "
    "STRICT" },
  { "kvsql_function",
    "1348\toid\toid\ttext" },
  { "kvsql_function",
    "1350\tcstring, oid, integer\tcstring, oid, integer\ttime with time zone\tSTABLE "
    "PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "1351\ttime with time zone\ttime with time zone\tcstring\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "1367\tcharacter\tcharacter\tinteger\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "1368\tdouble precision, double precision\tdouble precision, double precision\tdouble "
    "precision\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "1369\ttext\ttext\tinteger\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "1372\tcharacter\tcharacter\tinteger\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "1373\tdate\tdate\tboolean\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "1374\ttext\ttext\tinteger\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "1375\tcharacter\tcharacter\tinteger\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "1376\tbigint\tbigint\tnumeric\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "1381\ttext\ttext\tinteger\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "1384\ttext, date\ttext, date\tdouble precision" },
  { "kvsql_function",
    "1385\ttext, time without time zone\ttext, time without time zone\tdouble "
    "precision\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "1386\ttimestamp with time zone\ttimestamp with time zone\tinterval" },
  { "kvsql_function",
    "1387\toid\toid\ttext\tSTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "1389\ttimestamp with time zone\ttimestamp with time zone\tboolean\tIMMUTABLE PARALLEL "
    "SAFE STRICT" },
  { "kvsql_function",
    "1394\treal\treal\treal\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "1395\tdouble precision\tdouble precision\tdouble precision\tIMMUTABLE PARALLEL SAFE "
    "STRICT" },
  { "kvsql_function",
    "1396\tbigint\tbigint\tbigint\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "1397\tinteger\tinteger\tinteger\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "1402\t\t\tname\tSTABLE STRICT" },
  { "kvsql_function",
    "1403\tboolean\tboolean\tname[]\tSTABLE STRICT" },
  { "kvsql_function",
    "1404\ttext, text, integer, integer\ttext, text, integer, integer\ttext\tIMMUTABLE "
    "PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "1405\ttext, text, integer\ttext, text, integer\ttext\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "1427\tcidr\tcidr\tcstring\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "1450\tcstring\tcstring\tcircle\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "1451\tcircle\tcircle\tcstring\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "1481\tnumeric\tnumeric\tnumeric" },
  { "kvsql_function",
    "1490\tcstring\tcstring\tline\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "1491\tline\tline\tcstring\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "1564\tcstring, oid, integer\tcstring, oid, integer\tbit\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "1565\tbit\tbit\tcstring\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "1573\toid\toid\ttext\tSTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "1574\tregclass\tregclass\tbigint\tSTRICT" },
  { "kvsql_function",
    "1575\tregclass\tregclass\tbigint\tSTRICT" },
  { "kvsql_function",
    "1576\tregclass, bigint\tregclass, bigint\tbigint\tSTRICT" },
  { "kvsql_function",
    "1579\tcstring, oid, integer\tcstring, oid, integer\tbit varying\tIMMUTABLE PARALLEL "
    "SAFE STRICT" },
  { "kvsql_function",
    "1580\tbit varying\tbit varying\tcstring\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "1597\tinteger\tinteger\tname\tSTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "1598\t\t\tdouble precision\tPARALLEL RESTRICTED STRICT" },
  { "kvsql_function",
    "1600\tdouble precision\tdouble precision\tdouble precision\tIMMUTABLE PARALLEL SAFE "
    "STRICT" },
  { "kvsql_function",
    "1601\tdouble precision\tdouble precision\tdouble precision\tIMMUTABLE PARALLEL SAFE "
    "STRICT" },
  { "kvsql_function",
    "1602\tdouble precision\tdouble precision\tdouble precision\tIMMUTABLE PARALLEL SAFE "
    "STRICT" },
  { "kvsql_function",
    "1603\tdouble precision, double precision\tdouble precision, double precision\tdouble "
    "precision\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "1604\tdouble precision\tdouble precision\tdouble precision\tIMMUTABLE PARALLEL SAFE "
    "STRICT" },
  { "kvsql_function",
    "1605\tdouble precision\tdouble precision\tdouble precision\tIMMUTABLE PARALLEL SAFE "
    "STRICT" },
  { "kvsql_function",
    "1606\tdouble precision\tdouble precision\tdouble precision\tIMMUTABLE PARALLEL SAFE "
    "STRICT" },
  { "kvsql_function",
    "1607\tdouble precision\tdouble precision\tdouble precision\tIMMUTABLE PARALLEL SAFE "
    "STRICT" },
  { "kvsql_function",
    "1608\tdouble precision\tdouble precision\tdouble precision\tIMMUTABLE PARALLEL SAFE "
    "STRICT" },
  { "kvsql_function",
    "1609\tdouble precision\tdouble precision\tdouble precision\tIMMUTABLE PARALLEL SAFE "
    "STRICT" },
  { "kvsql_function",
    "1610\t\t\tdouble precision\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "1619\t\"any\"\t\"any\"\tregtype\tSTABLE PARALLEL SAFE" },
  { "kvsql_function",
    "1620\ttext\ttext\tinteger\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "1621\tinteger\tinteger\ttext\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "1622\ttext, integer\ttext, integer\ttext\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "1640\ttext\ttext\ttext\tSTABLE PARALLEL RESTRICTED STRICT" },
  { "kvsql_function",
    "1641\toid\toid\ttext\tSTABLE PARALLEL RESTRICTED STRICT" },
  { "kvsql_function",
    "1642\toid\toid\tname\tSTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "1643\toid\toid\ttext\tSTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "1662\toid\toid\ttext\tSTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "1665\ttext, text\ttext, text\ttext\tSTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "1701\tcstring, oid, integer\tcstring, oid, integer\tnumeric\tIMMUTABLE PARALLEL SAFE "
    "STRICT" },
  { "kvsql_function",
    "1702\tnumeric\tnumeric\tcstring\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "1705\tnumeric\tnumeric\tnumeric\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "1706\tnumeric\tnumeric\tnumeric\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "1707\tnumeric, integer\tnumeric, integer\tnumeric\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "1708\tnumeric\tnumeric\tnumeric" },
  { "kvsql_function",
    "1709\tnumeric, integer\tnumeric, integer\tnumeric\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "1710\tnumeric\tnumeric\tnumeric" },
  { "kvsql_function",
    "1711\tnumeric\tnumeric\tnumeric\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "1712\tnumeric\tnumeric\tnumeric\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "1716\tpg_node_tree, oid\tpg_node_tree, oid\ttext\tSTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "1728\tnumeric, numeric\tnumeric, numeric\tnumeric\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "1730\tnumeric\tnumeric\tnumeric\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "1732\tnumeric\tnumeric\tnumeric\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "1734\tnumeric\tnumeric\tnumeric\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "1736\tnumeric, numeric\tnumeric, numeric\tnumeric\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "1738\tnumeric, numeric\tnumeric, numeric\tnumeric\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "1741\tnumeric\tnumeric\tnumeric" },
  { "kvsql_function",
    "1765\tregclass, bigint, boolean\tregclass, bigint, boolean\tbigint\tSTRICT" },
  { "kvsql_function",
    "1768\tinterval, text\tinterval, text\ttext\tSTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "1770\ttimestamp with time zone, text\ttimestamp with time zone, text\ttext\tSTABLE "
    "PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "1772\tnumeric, text\tnumeric, text\ttext\tSTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "1773\tinteger, text\tinteger, text\ttext\tSTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "1774\tbigint, text\tbigint, text\ttext\tSTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "1775\treal, text\treal, text\ttext\tSTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "1776\tdouble precision, text\tdouble precision, text\ttext\tSTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "1777\ttext, text\ttext, text\tnumeric\tSTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "1778\ttext, text\ttext, text\ttimestamp with time zone\tSTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "1780\ttext, text\ttext, text\tdate\tSTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "1798\tcstring\tcstring\toid\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "1799\toid\toid\tcstring\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "1810\tbytea\tbytea\tinteger" },
  { "kvsql_function",
    "1811\ttext\ttext\tinteger" },
  { "kvsql_function",
    "1922\tname, text, text\tname, text, text\tboolean\tSTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "1923\tname, oid, text\tname, oid, text\tboolean\tSTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "1924\toid, text, text\toid, text, text\tboolean\tSTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "1925\toid, oid, text\toid, oid, text\tboolean\tSTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "1926\ttext, text\ttext, text\tboolean\tSTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "1927\toid, text\toid, text\tboolean\tSTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "1928\toid\toid\tbigint\tSTABLE PARALLEL RESTRICTED STRICT" },
  { "kvsql_function",
    "1946\tbytea, text\tbytea, text\ttext\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "1947\ttext, text\ttext, text\tbytea\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "1961\ttimestamp without time zone, integer\ttimestamp without time zone, "
    "integer\ttimestamp without time zone\tIMMUTABLE PARALLEL SAFE STRICT SUPPORT "
    "timestamp_support" },
  { "kvsql_function",
    "1968\ttime without time zone, integer\ttime without time zone, integer\ttime without "
    "time zone\tIMMUTABLE PARALLEL SAFE STRICT SUPPORT time_support" },
  { "kvsql_function",
    "1973\tnumeric, numeric\tnumeric, numeric\tnumeric\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "1993\toid, name\toid, name\ttext" },
  { "kvsql_function",
    "2010\tbytea\tbytea\tinteger\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "2012\tbytea, integer, integer\tbytea, integer, integer\tbytea\tIMMUTABLE PARALLEL SAFE "
    "STRICT" },
  { "kvsql_function",
    "2013\tbytea, integer\tbytea, integer\tbytea\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "2014\tbytea, bytea\tbytea, bytea\tinteger\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "2015\tbytea, bytea\tbytea, bytea\tbytea\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "2020\ttext, timestamp without time zone\ttext, timestamp without time zone\ttimestamp "
    "without time zone\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "2021\ttext, timestamp without time zone\ttext, timestamp without time zone\tdouble "
    "precision\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "2026\t\t\tinteger\tSTABLE PARALLEL RESTRICTED STRICT" },
  { "kvsql_function",
    "2048\ttimestamp without time zone\ttimestamp without time zone\tboolean\tIMMUTABLE "
    "PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "2049\ttimestamp without time zone, text\ttimestamp without time zone, "
    "text\ttext\tSTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "2058\ttimestamp without time zone, timestamp without time zone\ttimestamp without time "
    "zone, timestamp without time zone\tinterval\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "2059\ttimestamp without time zone\ttimestamp without time zone\tinterval" },
  { "kvsql_function",
    "2069\ttext, timestamp without time zone\ttext, timestamp without time zone\ttimestamp "
    "with time zone\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "2073\ttext, text\ttext, text\ttext\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "2077\ttext\ttext\ttext\tSTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "2078\ttext, text, boolean\ttext, text, boolean\ttext\t" },
  { "kvsql_function",
    "2079\toid\toid\tboolean\tSTABLE PARALLEL SAFE STRICT COST 10" },
  { "kvsql_function",
    "2080\toid\toid\tboolean\tSTABLE PARALLEL SAFE STRICT COST 10" },
  { "kvsql_function",
    "2081\toid\toid\tboolean\tSTABLE PARALLEL SAFE STRICT COST 10" },
  { "kvsql_function",
    "2082\toid\toid\tboolean\tSTABLE PARALLEL SAFE STRICT COST 10" },
  { "kvsql_function",
    "2083\toid\toid\tboolean\tSTABLE PARALLEL SAFE STRICT COST 10" },
  { "kvsql_function",
    "2085\tbytea, integer, integer\tbytea, integer, integer\tbytea\tIMMUTABLE PARALLEL SAFE "
    "STRICT" },
  { "kvsql_function",
    "2086\tbytea, integer\tbytea, integer\tbytea\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "2087\ttext, text, text\ttext, text, text\ttext\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "2088\ttext, text, integer\ttext, text, integer\ttext\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "2089\tinteger\tinteger\ttext\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "2090\tbigint\tbigint\ttext\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "2091\tanyarray, integer\tanyarray, integer\tinteger\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "2092\tanyarray, integer\tanyarray, integer\tinteger\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "2093\toid\toid\tboolean\tSTABLE PARALLEL SAFE STRICT COST 10" },
  { "kvsql_function",
    "2098\toid\toid\ttext\tSTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "2100\tbigint\tbigint\tnumeric" },
  { "kvsql_function",
    "2101\tinteger\tinteger\tnumeric" },
  { "kvsql_function",
    "2102\tsmallint\tsmallint\tnumeric" },
  { "kvsql_function",
    "2103\tnumeric\tnumeric\tnumeric" },
  { "kvsql_function",
    "2104\treal\treal\tdouble precision" },
  { "kvsql_function",
    "2105\tdouble precision\tdouble precision\tdouble precision" },
  { "kvsql_function",
    "2106\tinterval\tinterval\tinterval" },
  { "kvsql_function",
    "2107\tbigint\tbigint\tnumeric" },
  { "kvsql_function",
    "2108\tinteger\tinteger\tbigint" },
  { "kvsql_function",
    "2109\tsmallint\tsmallint\tbigint" },
  { "kvsql_function",
    "2110\treal\treal\treal" },
  { "kvsql_function",
    "2111\tdouble precision\tdouble precision\tdouble precision" },
  { "kvsql_function",
    "2113\tinterval\tinterval\tinterval" },
  { "kvsql_function",
    "2114\tnumeric\tnumeric\tnumeric" },
  { "kvsql_function",
    "2115\tbigint\tbigint\tbigint" },
  { "kvsql_function",
    "2116\tinteger\tinteger\tinteger" },
  { "kvsql_function",
    "2119\treal\treal\treal" },
  { "kvsql_function",
    "2120\tdouble precision\tdouble precision\tdouble precision" },
  { "kvsql_function",
    "2122\tdate\tdate\tdate" },
  { "kvsql_function",
    "2123\ttime without time zone\ttime without time zone\ttime without time zone" },
  { "kvsql_function",
    "2126\ttimestamp without time zone\ttimestamp without time zone\ttimestamp without time "
    "zone" },
  { "kvsql_function",
    "2127\ttimestamp with time zone\ttimestamp with time zone\ttimestamp with time zone" },
  { "kvsql_function",
    "2128\tinterval\tinterval\tinterval" },
  { "kvsql_function",
    "2129\ttext\ttext\ttext" },
  { "kvsql_function",
    "2130\tnumeric\tnumeric\tnumeric" },
  { "kvsql_function",
    "2131\tbigint\tbigint\tbigint" },
  { "kvsql_function",
    "2132\tinteger\tinteger\tinteger" },
  { "kvsql_function",
    "2135\treal\treal\treal" },
  { "kvsql_function",
    "2136\tdouble precision\tdouble precision\tdouble precision" },
  { "kvsql_function",
    "2138\tdate\tdate\tdate" },
  { "kvsql_function",
    "2139\ttime without time zone\ttime without time zone\ttime without time zone" },
  { "kvsql_function",
    "2142\ttimestamp without time zone\ttimestamp without time zone\ttimestamp without time "
    "zone" },
  { "kvsql_function",
    "2143\ttimestamp with time zone\ttimestamp with time zone\ttimestamp with time zone" },
  { "kvsql_function",
    "2144\tinterval\tinterval\tinterval" },
  { "kvsql_function",
    "2145\ttext\ttext\ttext" },
  { "kvsql_function",
    "2146\tnumeric\tnumeric\tnumeric" },
  { "kvsql_function",
    "2147\t\"any\"\t\"any\"\tbigint" },
  { "kvsql_function",
    "2148\tbigint\tbigint\tnumeric" },
  { "kvsql_function",
    "2149\tinteger\tinteger\tnumeric" },
  { "kvsql_function",
    "2150\tsmallint\tsmallint\tnumeric" },
  { "kvsql_function",
    "2151\treal\treal\tdouble precision" },
  { "kvsql_function",
    "2152\tdouble precision\tdouble precision\tdouble precision" },
  { "kvsql_function",
    "2153\tnumeric\tnumeric\tnumeric" },
  { "kvsql_function",
    "2154\tbigint\tbigint\tnumeric" },
  { "kvsql_function",
    "2155\tinteger\tinteger\tnumeric" },
  { "kvsql_function",
    "2156\tsmallint\tsmallint\tnumeric" },
  { "kvsql_function",
    "2157\treal\treal\tdouble precision" },
  { "kvsql_function",
    "2158\tdouble precision\tdouble precision\tdouble precision" },
  { "kvsql_function",
    "2159\tnumeric\tnumeric\tnumeric" },
  { "kvsql_function",
    "2162\toid\toid\ttext\tSTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "2165\toid\toid\ttext\tSTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "2167\tnumeric\tnumeric\tnumeric\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "2168\tname\tname\tbigint\tPARALLEL SAFE STRICT" },
  { "kvsql_function",
    "2169\tnumeric, numeric\tnumeric, numeric\tnumeric\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "2170\tnumeric, numeric, numeric, integer\tnumeric, numeric, numeric, "
    "integer\tinteger\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "2176\tanyarray, integer\tanyarray, integer\tinteger\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "2181\tname, text, text\tname, text, text\tboolean\tSTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "2182\tname, oid, text\tname, oid, text\tboolean\tSTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "2183\toid, text, text\toid, text, text\tboolean\tSTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "2184\toid, oid, text\toid, oid, text\tboolean\tSTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "2185\ttext, text\ttext, text\tboolean\tSTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "2186\toid, text\toid, text\tboolean\tSTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "2199\t\t\tinteger\tSTABLE PARALLEL RESTRICTED" },
  { "kvsql_function",
    "2212\tcstring\tcstring\tregprocedure\tSTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "2213\tregprocedure\tregprocedure\tcstring\tSTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "2214\tcstring\tcstring\tregoper\tSTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "2215\tregoper\tregoper\tcstring\tSTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "2216\tcstring\tcstring\tregoperator\tSTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "2217\tregoperator\tregoperator\tcstring\tSTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "2218\tcstring\tcstring\tregclass\tSTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "2219\tregclass\tregclass\tcstring\tSTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "2220\tcstring\tcstring\tregtype\tSTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "2221\tregtype\tregtype\tcstring\tSTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "2232\toid\toid\ttext\tSTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "2238\tinteger\tinteger\tinteger" },
  { "kvsql_function",
    "2239\tinteger\tinteger\tinteger" },
  { "kvsql_function",
    "2240\tbigint\tbigint\tbigint" },
  { "kvsql_function",
    "2241\tbigint\tbigint\tbigint" },
  { "kvsql_function",
    "2250\tname, text, text\tname, text, text\tboolean\tSTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "2251\tname, oid, text\tname, oid, text\tboolean\tSTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "2252\toid, text, text\toid, text, text\tboolean\tSTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "2253\toid, oid, text\toid, oid, text\tboolean\tSTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "2254\ttext, text\ttext, text\tboolean\tSTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "2255\toid, text\toid, text\tboolean\tSTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "2256\tname, text, text\tname, text, text\tboolean\tSTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "2257\tname, oid, text\tname, oid, text\tboolean\tSTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "2258\toid, text, text\toid, text, text\tboolean\tSTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "2259\toid, oid, text\toid, oid, text\tboolean\tSTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "2260\ttext, text\ttext, text\tboolean\tSTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "2261\toid, text\toid, text\tboolean\tSTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "2268\tname, text, text\tname, text, text\tboolean\tSTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "2269\tname, oid, text\tname, oid, text\tboolean\tSTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "2270\toid, text, text\toid, text, text\tboolean\tSTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "2271\toid, oid, text\toid, oid, text\tboolean\tSTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "2272\ttext, text\ttext, text\tboolean\tSTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "2273\toid, text\toid, text\tboolean\tSTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "2284\ttext, text, text\ttext, text, text\ttext\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "2285\ttext, text, text, text\ttext, text, text, text\ttext\tIMMUTABLE PARALLEL SAFE "
    "STRICT" },
  { "kvsql_function",
    "2286\tregclass\tregclass\tbigint\tPARALLEL SAFE STRICT" },
  { "kvsql_function",
    "2288\tbigint\tbigint\ttext\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "2290\tcstring, oid, integer\tcstring, oid, integer\trecord\tSTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "2291\trecord\trecord\tcstring\tSTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "2292\tcstring\tcstring\tcstring\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "2293\tcstring\tcstring\tcstring\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "2294\tcstring\tcstring\t\"any\"\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "2295\t\"any\"\t\"any\"\tcstring\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "2296\tcstring\tcstring\tanyarray\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "2297\tanyarray\tanyarray\tcstring\tSTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "2298\tcstring\tcstring\tvoid\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "2299\tvoid\tvoid\tcstring\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "2300\tcstring\tcstring\ttrigger\tIMMUTABLE PARALLEL SAFE" },
  { "kvsql_function",
    "2301\ttrigger\ttrigger\tcstring\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "2302\tcstring\tcstring\tlanguage_handler\tIMMUTABLE PARALLEL SAFE" },
  { "kvsql_function",
    "2303\tlanguage_handler\tlanguage_handler\tcstring\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "2304\tcstring\tcstring\tinternal\tIMMUTABLE PARALLEL SAFE" },
  { "kvsql_function",
    "2305\tinternal\tinternal\tcstring\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "2308\tdouble precision\tdouble precision\tdouble precision\tIMMUTABLE PARALLEL SAFE "
    "STRICT" },
  { "kvsql_function",
    "2309\tdouble precision\tdouble precision\tdouble precision\tIMMUTABLE PARALLEL SAFE "
    "STRICT" },
  { "kvsql_function",
    "2310\tdouble precision\tdouble precision\tdouble precision\tIMMUTABLE PARALLEL SAFE "
    "STRICT" },
  { "kvsql_function",
    "2311\ttext\ttext\ttext\tIMMUTABLE PARALLEL SAFE STRICT LEAKPROOF" },
  { "kvsql_function",
    "2312\tcstring\tcstring\tanyelement\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "2313\tanyelement\tanyelement\tcstring\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "2320\tdouble precision\tdouble precision\tdouble precision\tIMMUTABLE PARALLEL SAFE "
    "STRICT" },
  { "kvsql_function",
    "2321\tbytea\tbytea\ttext\tIMMUTABLE PARALLEL SAFE STRICT LEAKPROOF" },
  { "kvsql_function",
    "2322\toid\toid\tbigint\tPARALLEL SAFE STRICT" },
  { "kvsql_function",
    "2323\tname\tname\tbigint\tPARALLEL SAFE STRICT" },
  { "kvsql_function",
    "2324\toid\toid\tbigint\tPARALLEL SAFE STRICT" },
  { "kvsql_function",
    "2325\tregclass\tregclass\tbigint" },
  { "kvsql_function",
    "2331\tanyarray\tanyarray\tSETOF anyelement\tIMMUTABLE PARALLEL SAFE STRICT ROWS 100 "
    "SUPPORT array_unnest_support" },
  { "kvsql_function",
    "2332\tregclass, text\tregclass, text\tbigint\tPARALLEL SAFE STRICT" },
  { "kvsql_function",
    "2335\tanynonarray\tanynonarray\tanyarray" },
  { "kvsql_function",
    "2400\tinternal, oid, integer\tinternal, oid, integer\tanyarray\tSTABLE PARALLEL SAFE "
    "STRICT" },
  { "kvsql_function",
    "2401\tanyarray\tanyarray\tbytea\tSTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "2402\tinternal, oid, integer\tinternal, oid, integer\trecord\tSTABLE PARALLEL SAFE "
    "STRICT" },
  { "kvsql_function",
    "2403\trecord\trecord\tbytea\tSTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "2404\tinternal\tinternal\tsmallint\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "2405\tsmallint\tsmallint\tbytea\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "2406\tinternal\tinternal\tinteger\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "2407\tinteger\tinteger\tbytea\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "2408\tinternal\tinternal\tbigint\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "2409\tbigint\tbigint\tbytea\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "2410\tinternal\tinternal\tint2vector\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "2411\tint2vector\tint2vector\tbytea\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "2412\tinternal\tinternal\tbytea\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "2413\tbytea\tbytea\tbytea\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "2414\tinternal\tinternal\ttext\tSTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "2415\ttext\ttext\tbytea\tSTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "2416\tinternal\tinternal\tunknown\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "2417\tunknown\tunknown\tbytea\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "2418\tinternal\tinternal\toid\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "2419\toid\toid\tbytea\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "2420\tinternal\tinternal\toidvector\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "2421\toidvector\toidvector\tbytea\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "2422\tinternal\tinternal\tname\tSTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "2423\tname\tname\tbytea\tSTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "2424\tinternal\tinternal\treal\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "2425\treal\treal\tbytea\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "2426\tinternal\tinternal\tdouble precision\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "2427\tdouble precision\tdouble precision\tbytea\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "2428\tinternal\tinternal\tpoint\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "2429\tpoint\tpoint\tbytea\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "2430\tinternal, oid, integer\tinternal, oid, integer\tcharacter\tSTABLE PARALLEL SAFE "
    "STRICT" },
  { "kvsql_function",
    "2431\tcharacter\tcharacter\tbytea\tSTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "2432\tinternal, oid, integer\tinternal, oid, integer\tcharacter varying\tSTABLE "
    "PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "2433\tcharacter varying\tcharacter varying\tbytea\tSTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "2434\tinternal\tinternal\t\"char\"\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "2435\t\"char\"\t\"char\"\tbytea\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "2436\tinternal\tinternal\tboolean\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "2437\tboolean\tboolean\tbytea\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "2438\tinternal\tinternal\ttid\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "2439\ttid\ttid\tbytea\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "2440\tinternal\tinternal\txid\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "2441\txid\txid\tbytea\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "2442\tinternal\tinternal\tcid\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "2443\tcid\tcid\tbytea\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "2444\tinternal\tinternal\tregproc\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "2445\tregproc\tregproc\tbytea\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "2446\tinternal\tinternal\tregprocedure\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "2447\tregprocedure\tregprocedure\tbytea\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "2448\tinternal\tinternal\tregoper\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "2449\tregoper\tregoper\tbytea\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "2450\tinternal\tinternal\tregoperator\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "2451\tregoperator\tregoperator\tbytea\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "2452\tinternal\tinternal\tregclass\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "2453\tregclass\tregclass\tbytea\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "2454\tinternal\tinternal\tregtype\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "2455\tregtype\tregtype\tbytea\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "2456\tinternal, oid, integer\tinternal, oid, integer\tbit\tIMMUTABLE PARALLEL SAFE "
    "STRICT" },
  { "kvsql_function",
    "2457\tbit\tbit\tbytea\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "2458\tinternal, oid, integer\tinternal, oid, integer\tbit varying\tIMMUTABLE PARALLEL "
    "SAFE STRICT" },
  { "kvsql_function",
    "2459\tbit varying\tbit varying\tbytea\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "2460\tinternal, oid, integer\tinternal, oid, integer\tnumeric\tIMMUTABLE PARALLEL SAFE "
    "STRICT" },
  { "kvsql_function",
    "2461\tnumeric\tnumeric\tbytea\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "2462\tdouble precision\tdouble precision\tdouble precision\tIMMUTABLE PARALLEL SAFE "
    "STRICT" },
  { "kvsql_function",
    "2463\tdouble precision\tdouble precision\tdouble precision\tIMMUTABLE PARALLEL SAFE "
    "STRICT" },
  { "kvsql_function",
    "2464\tdouble precision\tdouble precision\tdouble precision\tIMMUTABLE PARALLEL SAFE "
    "STRICT" },
  { "kvsql_function",
    "2465\tdouble precision\tdouble precision\tdouble precision\tIMMUTABLE PARALLEL SAFE "
    "STRICT" },
  { "kvsql_function",
    "2466\tdouble precision\tdouble precision\tdouble precision\tIMMUTABLE PARALLEL SAFE "
    "STRICT" },
  { "kvsql_function",
    "2467\tdouble precision\tdouble precision\tdouble precision\tIMMUTABLE PARALLEL SAFE "
    "STRICT" },
  { "kvsql_function",
    "2468\tinternal\tinternal\tdate\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "2469\tdate\tdate\tbytea\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "2470\tinternal, oid, integer\tinternal, oid, integer\ttime without time zone\tIMMUTABLE "
    "PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "2471\ttime without time zone\ttime without time zone\tbytea\tIMMUTABLE PARALLEL SAFE "
    "STRICT" },
  { "kvsql_function",
    "2472\tinternal, oid, integer\tinternal, oid, integer\ttime with time zone\tIMMUTABLE "
    "PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "2473\ttime with time zone\ttime with time zone\tbytea\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "2474\tinternal, oid, integer\tinternal, oid, integer\ttimestamp without time "
    "zone\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "2475\ttimestamp without time zone\ttimestamp without time zone\tbytea\tIMMUTABLE "
    "PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "2476\tinternal, oid, integer\tinternal, oid, integer\ttimestamp with time "
    "zone\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "2477\ttimestamp with time zone\ttimestamp with time zone\tbytea\tIMMUTABLE PARALLEL "
    "SAFE STRICT" },
  { "kvsql_function",
    "2478\tinternal, oid, integer\tinternal, oid, integer\tinterval\tIMMUTABLE PARALLEL SAFE "
    "STRICT" },
  { "kvsql_function",
    "2479\tinterval\tinterval\tbytea\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "2480\tinternal\tinternal\tlseg\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "2481\tlseg\tlseg\tbytea\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "2482\tinternal\tinternal\tpath\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "2483\tpath\tpath\tbytea\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "2484\tinternal\tinternal\tbox\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "2485\tbox\tbox\tbytea\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "2486\tinternal\tinternal\tpolygon\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "2487\tpolygon\tpolygon\tbytea\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "2488\tinternal\tinternal\tline\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "2489\tline\tline\tbytea\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "2490\tinternal\tinternal\tcircle\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "2491\tcircle\tcircle\tbytea\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "2492\tinternal\tinternal\tmoney\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "2493\tmoney\tmoney\tbytea\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "2494\tinternal\tinternal\tmacaddr\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "2495\tmacaddr\tmacaddr\tbytea\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "2496\tinternal\tinternal\tinet\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "2497\tinet\tinet\tbytea\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "2498\tinternal\tinternal\tcidr\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "2499\tcidr\tcidr\tbytea\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "2500\tinternal\tinternal\tcstring\tSTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "2501\tcstring\tcstring\tbytea\tSTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "2502\tinternal\tinternal\tanyarray\tSTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "2503\tanyarray\tanyarray\tbytea\tSTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "2504\toid, boolean\toid, boolean\ttext\tSTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "2505\ttext, boolean\ttext, boolean\ttext\tSTABLE PARALLEL RESTRICTED STRICT" },
  { "kvsql_function",
    "2506\toid, boolean\toid, boolean\ttext\tSTABLE PARALLEL RESTRICTED STRICT" },
  { "kvsql_function",
    "2507\toid, integer, boolean\toid, integer, boolean\ttext\tSTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "2508\toid, boolean\toid, boolean\ttext\tSTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "2509\tpg_node_tree, oid, boolean\tpg_node_tree, oid, boolean\ttext\tSTABLE PARALLEL "
    "SAFE STRICT" },
  { "kvsql_function",
    "2517\tboolean\tboolean\tboolean" },
  { "kvsql_function",
    "2518\tboolean\tboolean\tboolean" },
  { "kvsql_function",
    "2519\tboolean\tboolean\tboolean" },
  { "kvsql_function",
    "2559\t\t\tbigint\tSTRICT" },
  { "kvsql_function",
    "2641\tbigint\tbigint\tnumeric" },
  { "kvsql_function",
    "2642\tinteger\tinteger\tnumeric" },
  { "kvsql_function",
    "2643\tsmallint\tsmallint\tnumeric" },
  { "kvsql_function",
    "2644\treal\treal\tdouble precision" },
  { "kvsql_function",
    "2645\tdouble precision\tdouble precision\tdouble precision" },
  { "kvsql_function",
    "2646\tnumeric\tnumeric\tnumeric" },
  { "kvsql_function",
    "2647\t\t\ttimestamp with time zone\tSTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "2648\t\t\ttimestamp with time zone\tSTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "2649\t\t\ttimestamp with time zone\tPARALLEL SAFE STRICT" },
  { "kvsql_function",
    "2705\tname, name, text\tname, name, text\tboolean\tSTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "2706\tname, oid, text\tname, oid, text\tboolean\tSTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "2707\toid, name, text\toid, name, text\tboolean\tSTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "2708\toid, oid, text\toid, oid, text\tboolean\tSTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "2709\tname, text\tname, text\tboolean\tSTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "2710\toid, text\toid, text\tboolean\tSTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "2711\tinterval\tinterval\tinterval\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "2712\tbigint\tbigint\tnumeric" },
  { "kvsql_function",
    "2713\tinteger\tinteger\tnumeric" },
  { "kvsql_function",
    "2714\tsmallint\tsmallint\tnumeric" },
  { "kvsql_function",
    "2715\treal\treal\tdouble precision" },
  { "kvsql_function",
    "2716\tdouble precision\tdouble precision\tdouble precision" },
  { "kvsql_function",
    "2717\tnumeric\tnumeric\tnumeric" },
  { "kvsql_function",
    "2718\tbigint\tbigint\tnumeric" },
  { "kvsql_function",
    "2719\tinteger\tinteger\tnumeric" },
  { "kvsql_function",
    "2720\tsmallint\tsmallint\tnumeric" },
  { "kvsql_function",
    "2721\treal\treal\tdouble precision" },
  { "kvsql_function",
    "2722\tdouble precision\tdouble precision\tdouble precision" },
  { "kvsql_function",
    "2723\tnumeric\tnumeric\tnumeric" },
  { "kvsql_function",
    "2724\tbigint\tbigint\tnumeric" },
  { "kvsql_function",
    "2725\tinteger\tinteger\tnumeric" },
  { "kvsql_function",
    "2726\tsmallint\tsmallint\tnumeric" },
  { "kvsql_function",
    "2727\treal\treal\tdouble precision" },
  { "kvsql_function",
    "2728\tdouble precision\tdouble precision\tdouble precision" },
  { "kvsql_function",
    "2729\tnumeric\tnumeric\tnumeric" },
  { "kvsql_function",
    "2730\toid, boolean\toid, boolean\ttext\tSTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "2731\tdouble precision\tdouble precision\tdouble precision\tIMMUTABLE PARALLEL SAFE "
    "STRICT" },
  { "kvsql_function",
    "2732\tdouble precision\tdouble precision\tdouble precision\tIMMUTABLE PARALLEL SAFE "
    "STRICT" },
  { "kvsql_function",
    "2733\tdouble precision\tdouble precision\tdouble precision\tIMMUTABLE PARALLEL SAFE "
    "STRICT" },
  { "kvsql_function",
    "2734\tdouble precision, double precision\tdouble precision, double precision\tdouble "
    "precision\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "2735\tdouble precision\tdouble precision\tdouble precision\tIMMUTABLE PARALLEL SAFE "
    "STRICT" },
  { "kvsql_function",
    "2736\tdouble precision\tdouble precision\tdouble precision\tIMMUTABLE PARALLEL SAFE "
    "STRICT" },
  { "kvsql_function",
    "2737\tdouble precision\tdouble precision\tdouble precision\tIMMUTABLE PARALLEL SAFE "
    "STRICT" },
  { "kvsql_function",
    "2738\tdouble precision\tdouble precision\tdouble precision\tIMMUTABLE PARALLEL SAFE "
    "STRICT" },
  { "kvsql_function",
    "2765\ttext, text\ttext, text\tSETOF text\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "2766\ttext, text, text\ttext, text, text\tSETOF text\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "2767\ttext, text\ttext, text\ttext[]\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "2768\ttext, text, text\ttext, text, text\ttext[]\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "2777\tcstring\tcstring\tanynonarray\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "2778\tanynonarray\tanynonarray\tcstring\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "2818\tdouble precision, double precision\tdouble precision, double precision\tbigint" },
  { "kvsql_function",
    "2819\tdouble precision, double precision\tdouble precision, double precision\tdouble "
    "precision" },
  { "kvsql_function",
    "2820\tdouble precision, double precision\tdouble precision, double precision\tdouble "
    "precision" },
  { "kvsql_function",
    "2821\tdouble precision, double precision\tdouble precision, double precision\tdouble "
    "precision" },
  { "kvsql_function",
    "2822\tdouble precision, double precision\tdouble precision, double precision\tdouble "
    "precision" },
  { "kvsql_function",
    "2823\tdouble precision, double precision\tdouble precision, double precision\tdouble "
    "precision" },
  { "kvsql_function",
    "2824\tdouble precision, double precision\tdouble precision, double precision\tdouble "
    "precision" },
  { "kvsql_function",
    "2825\tdouble precision, double precision\tdouble precision, double precision\tdouble "
    "precision" },
  { "kvsql_function",
    "2826\tdouble precision, double precision\tdouble precision, double precision\tdouble "
    "precision" },
  { "kvsql_function",
    "2827\tdouble precision, double precision\tdouble precision, double precision\tdouble "
    "precision" },
  { "kvsql_function",
    "2828\tdouble precision, double precision\tdouble precision, double precision\tdouble "
    "precision" },
  { "kvsql_function",
    "2829\tdouble precision, double precision\tdouble precision, double precision\tdouble "
    "precision" },
  { "kvsql_function",
    "2854\t\t\toid\tSTABLE PARALLEL RESTRICTED STRICT" },
  { "kvsql_function",
    "2855\toid\toid\tboolean\tSTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "2878\toid\toid\tbigint\tSTABLE PARALLEL RESTRICTED STRICT" },
  { "kvsql_function",
    "2893\tcstring\tcstring\txml\tSTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "2894\txml\txml\tcstring\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "2898\tinternal\tinternal\txml\tSTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "2899\txml\txml\tbytea\tSTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "2902\tcstring[]\tcstring[]\tinteger\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "2903\tcstring[]\tcstring[]\tinteger\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "2904\tinteger\tinteger\tcstring\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "2905\tcstring[]\tcstring[]\tinteger\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "2906\tinteger\tinteger\tcstring\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "2907\tcstring[]\tcstring[]\tinteger\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "2908\tinteger\tinteger\tcstring\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "2909\tcstring[]\tcstring[]\tinteger\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "2910\tinteger\tinteger\tcstring\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "2911\tcstring[]\tcstring[]\tinteger\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "2912\tinteger\tinteger\tcstring\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "2913\tcstring[]\tcstring[]\tinteger\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "2914\tinteger\tinteger\tcstring\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "2915\tcstring[]\tcstring[]\tinteger\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "2916\tinteger\tinteger\tcstring\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "2917\tcstring[]\tcstring[]\tinteger\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "2918\tinteger\tinteger\tcstring\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "2919\tcstring[]\tcstring[]\tinteger\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "2920\tinteger\tinteger\tcstring\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "2921\tinteger\tinteger\tcstring\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "2939\tcstring\tcstring\ttxid_snapshot\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "2940\ttxid_snapshot\ttxid_snapshot\tcstring\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "2941\tinternal\tinternal\ttxid_snapshot\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "2942\ttxid_snapshot\ttxid_snapshot\tbytea\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "2952\tcstring\tcstring\tuuid\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "2953\tuuid\tuuid\tcstring\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "2961\tinternal\tinternal\tuuid\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "2962\tuuid\tuuid\tbytea\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "2997\tregclass\tregclass\tbigint\tPARALLEL SAFE STRICT" },
  { "kvsql_function",
    "2998\tregclass\tregclass\tbigint\tPARALLEL SAFE STRICT" },
  { "kvsql_function",
    "3012\tname, text, text, text\tname, text, text, text\tboolean\tSTABLE PARALLEL SAFE "
    "STRICT" },
  { "kvsql_function",
    "3013\tname, text, smallint, text\tname, text, smallint, text\tboolean\tSTABLE PARALLEL "
    "SAFE STRICT" },
  { "kvsql_function",
    "3014\tname, oid, text, text\tname, oid, text, text\tboolean\tSTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "3015\tname, oid, smallint, text\tname, oid, smallint, text\tboolean\tSTABLE PARALLEL "
    "SAFE STRICT" },
  { "kvsql_function",
    "3016\toid, text, text, text\toid, text, text, text\tboolean\tSTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "3017\toid, text, smallint, text\toid, text, smallint, text\tboolean\tSTABLE PARALLEL "
    "SAFE STRICT" },
  { "kvsql_function",
    "3018\toid, oid, text, text\toid, oid, text, text\tboolean\tSTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "3019\toid, oid, smallint, text\toid, oid, smallint, text\tboolean\tSTABLE PARALLEL SAFE "
    "STRICT" },
  { "kvsql_function",
    "3020\ttext, text, text\ttext, text, text\tboolean\tSTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "3021\ttext, smallint, text\ttext, smallint, text\tboolean\tSTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "3022\toid, text, text\toid, text, text\tboolean\tSTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "3023\toid, smallint, text\toid, smallint, text\tboolean\tSTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "3024\tname, text, text\tname, text, text\tboolean\tSTABLE PARALLEL SAFE STRICT COST 10" },
  { "kvsql_function",
    "3025\tname, oid, text\tname, oid, text\tboolean\tSTABLE PARALLEL SAFE STRICT COST 10" },
  { "kvsql_function",
    "3026\toid, text, text\toid, text, text\tboolean\tSTABLE PARALLEL SAFE STRICT COST 10" },
  { "kvsql_function",
    "3027\toid, oid, text\toid, oid, text\tboolean\tSTABLE PARALLEL SAFE STRICT COST 10" },
  { "kvsql_function",
    "3028\ttext, text\ttext, text\tboolean\tSTABLE PARALLEL SAFE STRICT COST 10" },
  { "kvsql_function",
    "3029\toid, text\toid, text\tboolean\tSTABLE PARALLEL SAFE STRICT COST 10" },
  { "kvsql_function",
    "3058\tVARIADIC \"any\"\tVARIADIC \"any\"\ttext\tSTABLE PARALLEL SAFE" },
  { "kvsql_function",
    "3059\ttext, VARIADIC \"any\"\ttext, VARIADIC \"any\"\ttext\tSTABLE PARALLEL SAFE" },
  { "kvsql_function",
    "3060\ttext, integer\ttext, integer\ttext\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "3061\ttext, integer\ttext, integer\ttext\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "3062\ttext\ttext\ttext\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "3100\t\t\tbigint" },
  { "kvsql_function",
    "3101\t\t\tbigint" },
  { "kvsql_function",
    "3102\t\t\tbigint" },
  { "kvsql_function",
    "3103\t\t\tdouble precision" },
  { "kvsql_function",
    "3104\t\t\tdouble precision" },
  { "kvsql_function",
    "3105\tinteger\tinteger\tinteger" },
  { "kvsql_function",
    "3106\tanyelement\tanyelement\tanyelement" },
  { "kvsql_function",
    "3107\tanyelement, integer\tanyelement, integer\tanyelement" },
  { "kvsql_function",
    "3108\tanycompatible, integer, anycompatible\tanycompatible, integer, "
    "anycompatible\tanycompatible" },
  { "kvsql_function",
    "3109\tanyelement\tanyelement\tanyelement" },
  { "kvsql_function",
    "3110\tanyelement, integer\tanyelement, integer\tanyelement" },
  { "kvsql_function",
    "3111\tanycompatible, integer, anycompatible\tanycompatible, integer, "
    "anycompatible\tanycompatible" },
  { "kvsql_function",
    "3112\tanyelement\tanyelement\tanyelement" },
  { "kvsql_function",
    "3113\tanyelement\tanyelement\tanyelement" },
  { "kvsql_function",
    "3114\tanyelement, integer\tanyelement, integer\tanyelement" },
  { "kvsql_function",
    "3116\tcstring\tcstring\tfdw_handler\tIMMUTABLE PARALLEL SAFE" },
  { "kvsql_function",
    "3117\tfdw_handler\tfdw_handler\tcstring\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "3120\tinternal\tinternal\tvoid\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "3121\tvoid\tvoid\tbytea\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "3153\tanyarray\tanyarray\tjson\tSTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "3159\toid, integer\toid, integer\ttext\tSTABLE PARALLEL RESTRICTED STRICT" },
  { "kvsql_function",
    "3166\tnumeric\tnumeric\ttext\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "3167\tanycompatiblearray, anycompatible\tanycompatiblearray, "
    "anycompatible\tanycompatiblearray\tIMMUTABLE PARALLEL SAFE" },
  { "kvsql_function",
    "3168\tanycompatiblearray, anycompatible, anycompatible\tanycompatiblearray, "
    "anycompatible, anycompatible\tanycompatiblearray\tIMMUTABLE PARALLEL SAFE" },
  { "kvsql_function",
    "3175\tanyelement\tanyelement\tjson" },
  { "kvsql_function",
    "3176\tanyelement\tanyelement\tjson\tSTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "3179\tanyarray\tanyarray\tinteger\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "3197\t\"any\", \"any\"\t\"any\", \"any\"\tjson" },
  { "kvsql_function",
    "3198\tVARIADIC \"any\"\tVARIADIC \"any\"\tjson\tSTABLE PARALLEL SAFE" },
  { "kvsql_function",
    "3199\t\t\tjson\tSTABLE PARALLEL SAFE" },
  { "kvsql_function",
    "3201\t\t\tjson\tSTABLE PARALLEL SAFE" },
  { "kvsql_function",
    "3202\ttext[]\ttext[]\tjson\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "3203\ttext[], text[]\ttext[], text[]\tjson\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "3207\tjsonb\tjsonb\tinteger\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "3210\tjsonb\tjsonb\ttext\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "3217\tfrom_json jsonb, VARIADIC path_elems text[]\tfrom_json jsonb, VARIADIC path_elems "
    "text[]\tjsonb\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "3219\tfrom_json jsonb, OUT value jsonb\tfrom_json jsonb, OUT value jsonb\tSETOF "
    "jsonb\tIMMUTABLE PARALLEL SAFE STRICT ROWS 100" },
  { "kvsql_function",
    "3229\tcstring\tcstring\tpg_lsn\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "3230\tpg_lsn\tpg_lsn\tcstring\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "3238\tinternal\tinternal\tpg_lsn\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "3239\tpg_lsn\tpg_lsn\tbytea\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "3259\tnumeric, numeric, numeric\tnumeric, numeric, numeric\tSETOF numeric\tIMMUTABLE "
    "PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "3260\tnumeric, numeric\tnumeric, numeric\tSETOF numeric\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "3261\tjson\tjson\tjson\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "3262\tjsonb\tjsonb\tjsonb\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "3263\ttext[]\ttext[]\tjsonb\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "3264\ttext[], text[]\ttext[], text[]\tjsonb\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "3267\tanyelement\tanyelement\tjsonb" },
  { "kvsql_function",
    "3270\t\"any\", \"any\"\t\"any\", \"any\"\tjsonb" },
  { "kvsql_function",
    "3271\tVARIADIC \"any\"\tVARIADIC \"any\"\tjsonb\tSTABLE PARALLEL SAFE" },
  { "kvsql_function",
    "3272\t\t\tjsonb\tSTABLE PARALLEL SAFE" },
  { "kvsql_function",
    "3274\t\t\tjsonb\tSTABLE PARALLEL SAFE" },
  { "kvsql_function",
    "3277\tanycompatiblearray, anycompatible\tanycompatiblearray, "
    "anycompatible\tinteger\tIMMUTABLE PARALLEL SAFE" },
  { "kvsql_function",
    "3279\tanycompatiblearray, anycompatible\tanycompatiblearray, "
    "anycompatible\tinteger[]\tIMMUTABLE PARALLEL SAFE" },
  { "kvsql_function",
    "3281\tnumeric\tnumeric\tinteger\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "3294\ttext, boolean\ttext, boolean\ttext\tSTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "3305\tjsonb_in jsonb, path text[], replacement jsonb, create_if_missing boolean DEFAULT "
    "true\tjsonb_in jsonb, path text[], replacement jsonb, create_if_missing "
    "boolean\tjsonb\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "3306\tjsonb\tjsonb\ttext\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "3311\tcstring\tcstring\ttsm_handler\tIMMUTABLE PARALLEL SAFE" },
  { "kvsql_function",
    "3312\ttsm_handler\ttsm_handler\tcstring\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "3352\toid\toid\ttext\tSTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "3355\tcstring\tcstring\tpg_ndistinct\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "3356\tpg_ndistinct\tpg_ndistinct\tcstring\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "3357\tinternal\tinternal\tpg_ndistinct\tSTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "3358\tpg_ndistinct\tpg_ndistinct\tbytea\tSTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "3396\ttext, text\ttext, text\ttext[]\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "3397\ttext, text, text\ttext, text, text\ttext[]\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "3403\toid\toid\tboolean\tSTABLE PARALLEL SAFE STRICT COST 10" },
  { "kvsql_function",
    "3404\tcstring\tcstring\tpg_dependencies\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "3405\tpg_dependencies\tpg_dependencies\tcstring\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "3406\tinternal\tinternal\tpg_dependencies\tSTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "3407\tpg_dependencies\tpg_dependencies\tbytea\tSTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "3415\toid\toid\ttext\tSTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "3420\tbytea\tbytea\tbytea\tIMMUTABLE PARALLEL SAFE STRICT LEAKPROOF" },
  { "kvsql_function",
    "3421\tbytea\tbytea\tbytea\tIMMUTABLE PARALLEL SAFE STRICT LEAKPROOF" },
  { "kvsql_function",
    "3422\tbytea\tbytea\tbytea\tIMMUTABLE PARALLEL SAFE STRICT LEAKPROOF" },
  { "kvsql_function",
    "3432\t\t\tuuid\tPARALLEL SAFE STRICT LEAKPROOF" },
  { "kvsql_function",
    "3446\tinternal\tinternal\tmacaddr8\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "3447\tmacaddr8\tmacaddr8\tbytea\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "3461\tyear integer, month integer, mday integer, hour integer, min integer, sec double "
    "precision\tyear integer, month integer, mday integer, hour integer, min integer, sec "
    "double precision\ttimestamp without time zone\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "3464\tyears integer DEFAULT 0, months integer DEFAULT 0, weeks integer DEFAULT 0, days "
    "integer DEFAULT 0, hours integer DEFAULT 0, mins integer DEFAULT 0, secs double "
    "precision DEFAULT 0.0\tyears integer, months integer, weeks integer, days integer, "
    "hours integer, mins integer, secs double precision\tinterval\tIMMUTABLE PARALLEL SAFE "
    "STRICT" },
  { "kvsql_function",
    "3465\tfrom_json jsonb, OUT value text\tfrom_json jsonb, OUT value text\tSETOF "
    "text\tIMMUTABLE PARALLEL SAFE STRICT ROWS 100" },
  { "kvsql_function",
    "3493\ttext\ttext\tregtype\tSTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "3495\ttext\ttext\tregclass\tSTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "3504\tcstring\tcstring\tanyenum\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "3505\tanyenum\tanyenum\tcstring\tSTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "3538\ttext, text\ttext, text\ttext" },
  { "kvsql_function",
    "3539\ttext, VARIADIC \"any\"\ttext, VARIADIC \"any\"\ttext\tSTABLE PARALLEL SAFE" },
  { "kvsql_function",
    "3540\ttext\ttext\ttext\tSTABLE PARALLEL SAFE" },
  { "kvsql_function",
    "3545\tbytea, bytea\tbytea, bytea\tbytea" },
  { "kvsql_function",
    "3579\tjsonb_in jsonb, path text[], replacement jsonb, insert_after boolean DEFAULT "
    "false\tjsonb_in jsonb, path text[], replacement jsonb, insert_after "
    "boolean\tjsonb\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "3594\tcstring\tcstring\tevent_trigger\tIMMUTABLE PARALLEL SAFE" },
  { "kvsql_function",
    "3595\tevent_trigger\tevent_trigger\tcstring\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "3610\tcstring\tcstring\ttsvector\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "3611\ttsvector\ttsvector\tcstring\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "3612\tcstring\tcstring\ttsquery\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "3613\ttsquery\ttsquery\tcstring\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "3638\ttsvector\ttsvector\tbytea\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "3639\tinternal\tinternal\ttsvector\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "3640\ttsquery\ttsquery\tbytea\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "3641\tinternal\tinternal\ttsquery\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "3646\tcstring\tcstring\tgtsvector\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "3647\tgtsvector\tgtsvector\tcstring\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "3688\tinternal\tinternal\tboolean\tSTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "3696\ttext, text\ttext, text\tboolean\tIMMUTABLE PARALLEL SAFE STRICT LEAKPROOF SUPPORT "
    "text_starts_with_support" },
  { "kvsql_function",
    "3736\tcstring\tcstring\tregconfig\tSTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "3737\tregconfig\tregconfig\tcstring\tSTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "3738\tinternal\tinternal\tregconfig\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "3739\tregconfig\tregconfig\tbytea\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "3756\toid\toid\tboolean\tSTABLE PARALLEL SAFE STRICT COST 10" },
  { "kvsql_function",
    "3757\toid\toid\tboolean\tSTABLE PARALLEL SAFE STRICT COST 10" },
  { "kvsql_function",
    "3758\toid\toid\tboolean\tSTABLE PARALLEL SAFE STRICT COST 10" },
  { "kvsql_function",
    "3768\toid\toid\tboolean\tSTABLE PARALLEL SAFE STRICT COST 10" },
  { "kvsql_function",
    "3771\tcstring\tcstring\tregdictionary\tSTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "3772\tregdictionary\tregdictionary\tcstring\tSTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "3773\tinternal\tinternal\tregdictionary\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "3774\tregdictionary\tregdictionary\tbytea\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "3778\toid\toid\ttext\tSTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "3787\tanyelement\tanyelement\tjsonb\tSTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "3803\tjsonb\tjsonb\tbytea\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "3804\tjsonb\tjsonb\tcstring\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "3805\tinternal\tinternal\tjsonb\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "3806\tcstring\tcstring\tjsonb\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "3810\t\t\tboolean\tPARALLEL SAFE STRICT" },
  { "kvsql_function",
    "3815\toid\toid\tboolean\tSTABLE PARALLEL SAFE STRICT COST 10" },
  { "kvsql_function",
    "3816\tinternal\tinternal\tboolean\tSTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "3829\toid\toid\tboolean\tSTABLE PARALLEL SAFE STRICT COST 10" },
  { "kvsql_function",
    "3832\tcstring, oid, integer\tcstring, oid, integer\tanyrange\tSTABLE PARALLEL SAFE "
    "STRICT" },
  { "kvsql_function",
    "3833\tanyrange\tanyrange\tcstring\tSTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "3834\tcstring, oid, integer\tcstring, oid, integer\tanyrange\tSTABLE PARALLEL SAFE "
    "STRICT" },
  { "kvsql_function",
    "3835\tanyrange\tanyrange\tcstring\tSTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "3836\tinternal, oid, integer\tinternal, oid, integer\tanyrange\tSTABLE PARALLEL SAFE "
    "STRICT" },
  { "kvsql_function",
    "3837\tanyrange\tanyrange\tbytea\tSTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "3842\tregclass, boolean\tregclass, boolean\tinteger\tSTABLE PARALLEL SAFE STRICT COST 10" },
  { "kvsql_function",
    "3843\tregclass, smallint, boolean\tregclass, smallint, boolean\tboolean\tSTABLE "
    "PARALLEL SAFE STRICT COST 10" },
  { "kvsql_function",
    "3846\tyear integer, month integer, day integer\tyear integer, month integer, day "
    "integer\tdate\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "3847\thour integer, min integer, sec double precision\thour integer, min integer, sec "
    "double precision\ttime without time zone\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "3916\tinternal\tinternal\tboolean\tSTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "3931\tjsonb\tjsonb\tSETOF text\tIMMUTABLE PARALLEL SAFE STRICT ROWS 100" },
  { "kvsql_function",
    "3940\tfrom_json jsonb, VARIADIC path_elems text[]\tfrom_json jsonb, VARIADIC path_elems "
    "text[]\ttext\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "3951\tfrom_json json, VARIADIC path_elems text[]\tfrom_json json, VARIADIC path_elems "
    "text[]\tjson\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "3953\tfrom_json json, VARIADIC path_elems text[]\tfrom_json json, VARIADIC path_elems "
    "text[]\ttext\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "3955\tfrom_json json, OUT value json\tfrom_json json, OUT value json\tSETOF "
    "json\tIMMUTABLE PARALLEL SAFE STRICT ROWS 100" },
  { "kvsql_function",
    "3956\tjson\tjson\tinteger\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "3957\tjson\tjson\tSETOF text\tIMMUTABLE PARALLEL SAFE STRICT ROWS 100" },
  { "kvsql_function",
    "3968\tjson\tjson\ttext\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "3969\tfrom_json json, OUT value text\tfrom_json json, OUT value text\tSETOF "
    "text\tIMMUTABLE PARALLEL SAFE STRICT ROWS 100" },
  { "kvsql_function",
    "4001\tcstring\tcstring\tjsonpath\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "4002\tinternal\tinternal\tjsonpath\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "4003\tjsonpath\tjsonpath\tcstring\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "4004\tjsonpath\tjsonpath\tbytea\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "4084\tcstring\tcstring\tregnamespace\tSTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "4085\tregnamespace\tregnamespace\tcstring\tSTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "4086\ttext\ttext\tregnamespace\tSTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "4087\tinternal\tinternal\tregnamespace\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "4088\tregnamespace\tregnamespace\tbytea\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "4092\tregrole\tregrole\tcstring\tSTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "4094\tinternal\tinternal\tregrole\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "4095\tregrole\tregrole\tbytea\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "4098\tcstring\tcstring\tregrole\tSTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "4110\tcstring\tcstring\tmacaddr8\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "4111\tmacaddr8\tmacaddr8\tcstring\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "4193\tcstring\tcstring\tregcollation\tSTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "4194\tregcollation\tregcollation\tcstring\tSTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "4196\tinternal\tinternal\tregcollation\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "4197\tregcollation\tregcollation\tbytea\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "4226\tcstring, oid, integer\tcstring, oid, integer\tanycompatiblemultirange\tSTABLE "
    "PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "4227\tanycompatiblemultirange\tanycompatiblemultirange\tcstring\tSTABLE PARALLEL SAFE "
    "STRICT" },
  { "kvsql_function",
    "4229\tcstring, oid, integer\tcstring, oid, integer\tanymultirange\tSTABLE PARALLEL SAFE "
    "STRICT" },
  { "kvsql_function",
    "4230\tanymultirange\tanymultirange\tcstring\tSTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "4231\tcstring, oid, integer\tcstring, oid, integer\tanymultirange\tSTABLE PARALLEL SAFE "
    "STRICT" },
  { "kvsql_function",
    "4232\tanymultirange\tanymultirange\tcstring\tSTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "4233\tinternal, oid, integer\tinternal, oid, integer\tanymultirange\tSTABLE PARALLEL "
    "SAFE STRICT" },
  { "kvsql_function",
    "4234\tanymultirange\tanymultirange\tbytea\tSTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "4242\tinternal\tinternal\tboolean\tSTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "4596\tcstring\tcstring\tpg_brin_bloom_summary\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "4597\tpg_brin_bloom_summary\tpg_brin_bloom_summary\tcstring\tIMMUTABLE PARALLEL SAFE "
    "STRICT" },
  { "kvsql_function",
    "4598\tinternal\tinternal\tpg_brin_bloom_summary\tSTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "4599\tpg_brin_bloom_summary\tpg_brin_bloom_summary\tbytea\tSTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "4638\tcstring\tcstring\tpg_brin_minmax_multi_summary\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "4639\tpg_brin_minmax_multi_summary\tpg_brin_minmax_multi_summary\tcstring\tIMMUTABLE "
    "PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "4640\tinternal\tinternal\tpg_brin_minmax_multi_summary\tSTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "4641\tpg_brin_minmax_multi_summary\tpg_brin_minmax_multi_summary\tbytea\tSTABLE "
    "PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "5018\tcstring\tcstring\tpg_mcv_list\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "5019\tpg_mcv_list\tpg_mcv_list\tcstring\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "5020\tinternal\tinternal\tpg_mcv_list\tSTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "5021\tpg_mcv_list\tpg_mcv_list\tbytea\tSTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "5042\tnumeric\tnumeric\tinteger\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "5043\tnumeric\tnumeric\tnumeric\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "5044\tinteger, integer\tinteger, integer\tinteger\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "5045\tbigint, bigint\tbigint, bigint\tbigint\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "5046\tinteger, integer\tinteger, integer\tinteger\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "5047\tbigint, bigint\tbigint, bigint\tbigint\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "5048\tnumeric, numeric\tnumeric, numeric\tnumeric\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "5049\tnumeric, numeric\tnumeric, numeric\tnumeric\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "5055\tcstring\tcstring\tpg_snapshot\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "5056\tpg_snapshot\tpg_snapshot\tcstring\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "5057\tinternal\tinternal\tpg_snapshot\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "5058\tpg_snapshot\tpg_snapshot\tbytea\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "5070\tcstring\tcstring\txid8\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "5081\txid8\txid8\tcstring\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "5082\tinternal\tinternal\txid8\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "5083\txid8\txid8\tbytea\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "5086\tcstring\tcstring\tanycompatible\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "5087\tanycompatible\tanycompatible\tcstring\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "5088\tcstring\tcstring\tanycompatiblearray\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "5089\tanycompatiblearray\tanycompatiblearray\tcstring\tSTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "5090\tinternal\tinternal\tanycompatiblearray\tSTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "5091\tanycompatiblearray\tanycompatiblearray\tbytea\tSTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "5092\tcstring\tcstring\tanycompatiblenonarray\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "5093\tanycompatiblenonarray\tanycompatiblenonarray\tcstring\tIMMUTABLE PARALLEL SAFE "
    "STRICT" },
  { "kvsql_function",
    "5094\tcstring, oid, integer\tcstring, oid, integer\tanycompatiblerange\tSTABLE PARALLEL "
    "SAFE STRICT" },
  { "kvsql_function",
    "5095\tanycompatiblerange\tanycompatiblerange\tcstring\tSTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "6121\tregclass\tregclass\tboolean\tSTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "6160\ttext, text\ttext, text\tSETOF text\tIMMUTABLE PARALLEL SAFE" },
  { "kvsql_function",
    "6161\ttext, text, text\ttext, text, text\tSETOF text\tIMMUTABLE PARALLEL SAFE" },
  { "kvsql_function",
    "6163\tbytea\tbytea\tbigint\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "6165\tinteger\tinteger\tinteger" },
  { "kvsql_function",
    "6166\tbigint\tbigint\tbigint" },
  { "kvsql_function",
    "6172\tanyarray, integer\tanyarray, integer\tanyarray\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "6174\toid\toid\ttext\tSTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "6177\tinterval, timestamp without time zone, timestamp without time zone\tinterval, "
    "timestamp without time zone, timestamp without time zone\ttimestamp without time "
    "zone\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "6178\tinterval, timestamp with time zone, timestamp with time zone\tinterval, timestamp "
    "with time zone, timestamp with time zone\ttimestamp with time zone\tIMMUTABLE PARALLEL "
    "SAFE STRICT" },
  { "kvsql_function",
    "6195\tbytea, bytea\tbytea, bytea\tbytea\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "6196\tbytea, bytea\tbytea, bytea\tbytea\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "6199\ttext, date\ttext, date\tnumeric\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "6200\ttext, time without time zone\ttext, time without time zone\tnumeric\tIMMUTABLE "
    "PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "6202\ttext, timestamp without time zone\ttext, timestamp without time "
    "zone\tnumeric\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "6203\ttext, timestamp with time zone\ttext, timestamp with time zone\tnumeric\tSTABLE "
    "PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "6204\ttext, interval\ttext, interval\tnumeric\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "6251\ttext, text, text, integer, integer, text\ttext, text, text, integer, integer, "
    "text\ttext\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "6252\ttext, text, text, integer, integer\ttext, text, text, integer, "
    "integer\ttext\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "6253\ttext, text, text, integer\ttext, text, text, integer\ttext\tIMMUTABLE PARALLEL "
    "SAFE STRICT" },
  { "kvsql_function",
    "6254\ttext, text\ttext, text\tinteger\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "6255\ttext, text, integer\ttext, text, integer\tinteger\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "6256\ttext, text, integer, text\ttext, text, integer, text\tinteger\tIMMUTABLE PARALLEL "
    "SAFE STRICT" },
  { "kvsql_function",
    "6257\ttext, text\ttext, text\tinteger\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "6259\ttext, text, integer, integer\ttext, text, integer, integer\tinteger\tIMMUTABLE "
    "PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "6260\ttext, text, integer, integer, integer\ttext, text, integer, integer, "
    "integer\tinteger\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "6261\ttext, text, integer, integer, integer, text\ttext, text, integer, integer, "
    "integer, text\tinteger\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "6262\ttext, text, integer, integer, integer, text, integer\ttext, text, integer, "
    "integer, integer, text, integer\tinteger\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "6263\ttext, text\ttext, text\tboolean\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "6264\ttext, text, text\ttext, text, text\tboolean\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "6265\ttext, text\ttext, text\ttext\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "6266\ttext, text, integer\ttext, text, integer\ttext\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "6267\ttext, text, integer, integer\ttext, text, integer, integer\ttext\tIMMUTABLE "
    "PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "6268\ttext, text, integer, integer, text\ttext, text, integer, integer, "
    "text\ttext\tIMMUTABLE PARALLEL SAFE STRICT" },
  { "kvsql_function",
    "6269\ttext, text, integer, integer, text, integer\ttext, text, integer, integer, text, "
    "integer\ttext\tIMMUTABLE PARALLEL SAFE STRICT" },
  { 0 },
};
/* clang-format on */
