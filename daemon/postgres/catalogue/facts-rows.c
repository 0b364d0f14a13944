/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * facts-rows.c: rows of the catalogue that are the same in every database. Written by generate.py.
 */
#include "config.h"

#include "daemon/postgres/catalogue/facts.h"

/* clang-format off */
const KvsqldPgRowFacts kvsqld_pg_row_facts[] = {
  { "pg_am",
    "2\theap\theap_tableam_handler\tt" },
  { "pg_am",
    "403\tbtree\tbthandler\ti" },
  { "pg_collation",
    "100\tdefault\t11\t10\td\tt\t-1" },
  { "pg_collation",
    "950\tC\t11\t10\tc\tt\t-1\tC\tC" },
  { "pg_collation",
    "951\tPOSIX\t11\t10\tc\tt\t-1\tPOSIX\tPOSIX" },
  { "pg_language",
    "12\tinternal\t10\tf\tf\t0\t0\t2246" },
  { "pg_language",
    "14\tsql\t10\tf\tt\t0\t0\t2248" },
  { "pg_range",
    "3904\t23\t4451\t0\t1978\tint4range_canonical\tint4range_subdiff" },
  { "pg_range",
    "3906\t1700\t4532\t0\t3125\t-\tnumrange_subdiff" },
  { "pg_range",
    "3908\t1114\t4533\t0\t3128\t-\ttsrange_subdiff" },
  { "pg_range",
    "3910\t1184\t4534\t0\t3127\t-\ttstzrange_subdiff" },
  { "pg_range",
    "3912\t1082\t4535\t0\t3122\tdaterange_canonical\tdaterange_subdiff" },
  { "pg_range",
    "3926\t20\t4536\t0\t3124\tint8range_canonical\tint8range_subdiff" },
  { "pg_tablespace",
    "1663\tpg_default\t10" },
  { "pg_tablespace",
    "1664\tpg_global\t10" },
  { "pg_type",
    "16\tbool\t11\t10\t1\tt\tb\tB\tt\tt\t,\t0\t-\t0\t1000\tboolin\tboolout\tboolrecv\tboolsen"
    "d\t-\t-\t-\tc\tp\tf\t0\t-1\t0\t0" },
  { "pg_type",
    "17\tbytea\t11\t10\t-1\tf\tb\tU\tf\tt\t,\t0\t-\t0\t1001\tbyteain\tbyteaout\tbytearecv\tby"
    "teasend\t-\t-\t-\ti\tx\tf\t0\t-1\t0\t0" },
  { "pg_type",
    "18\tchar\t11\t10\t1\tt\tb\tZ\tf\tt\t,\t0\t-\t0\t1002\tcharin\tcharout\tcharrecv\tcharsen"
    "d\t-\t-\t-\tc\tp\tf\t0\t-1\t0\t0" },
  { "pg_type",
    "19\tname\t11\t10\t64\tf\tb\tS\tf\tt\t,\t0\traw_array_subscript_handler\t18\t1003\tnamein"
    "\tnameout\tnamerecv\tnamesend\t-\t-\t-\tc\tp\tf\t0\t-1\t0\t950" },
  { "pg_type",
    "20\tint8\t11\t10\t8\tt\tb\tN\tf\tt\t,\t0\t-\t0\t1016\tint8in\tint8out\tint8recv\tint8sen"
    "d\t-\t-\t-\td\tp\tf\t0\t-1\t0\t0" },
  { "pg_type",
    "21\tint2\t11\t10\t2\tt\tb\tN\tf\tt\t,\t0\t-\t0\t1005\tint2in\tint2out\tint2recv\tint2sen"
    "d\t-\t-\t-\ts\tp\tf\t0\t-1\t0\t0" },
  { "pg_type",
    "22\tint2vector\t11\t10\t-1\tf\tb\tA\tf\tt\t,\t0\tarray_subscript_handler\t21\t1006\tint2"
    "vectorin\tint2vectorout\tint2vectorrecv\tint2vectorsend\t-\t-\t-\ti\tp\tf\t0\t-1\t0\t0" },
  { "pg_type",
    "23\tint4\t11\t10\t4\tt\tb\tN\tf\tt\t,\t0\t-\t0\t1007\tint4in\tint4out\tint4recv\tint4sen"
    "d\t-\t-\t-\ti\tp\tf\t0\t-1\t0\t0" },
  { "pg_type",
    "24\tregproc\t11\t10\t4\tt\tb\tN\tf\tt\t,\t0\t-\t0\t1008\tregprocin\tregprocout\tregprocr"
    "ecv\tregprocsend\t-\t-\t-\ti\tp\tf\t0\t-1\t0\t0" },
  { "pg_type",
    "25\ttext\t11\t10\t-1\tf\tb\tS\tt\tt\t,\t0\t-\t0\t1009\ttextin\ttextout\ttextrecv\ttextse"
    "nd\t-\t-\t-\ti\tx\tf\t0\t-1\t0\t100" },
  { "pg_type",
    "26\toid\t11\t10\t4\tt\tb\tN\tt\tt\t,\t0\t-\t0\t1028\toidin\toidout\toidrecv\toidsend\t-"
    "\t-\t-\ti\tp\tf\t0\t-1\t0\t0" },
  { "pg_type",
    "27\ttid\t11\t10\t6\tf\tb\tU\tf\tt\t,\t0\t-\t0\t1010\ttidin\ttidout\ttidrecv\ttidsend\t-"
    "\t-\t-\ts\tp\tf\t0\t-1\t0\t0" },
  { "pg_type",
    "28\txid\t11\t10\t4\tt\tb\tU\tf\tt\t,\t0\t-\t0\t1011\txidin\txidout\txidrecv\txidsend\t-"
    "\t-\t-\ti\tp\tf\t0\t-1\t0\t0" },
  { "pg_type",
    "29\tcid\t11\t10\t4\tt\tb\tU\tf\tt\t,\t0\t-\t0\t1012\tcidin\tcidout\tcidrecv\tcidsend\t-"
    "\t-\t-\ti\tp\tf\t0\t-1\t0\t0" },
  { "pg_type",
    "30\toidvector\t11\t10\t-1\tf\tb\tA\tf\tt\t,\t0\tarray_subscript_handler\t26\t1013\toidve"
    "ctorin\toidvectorout\toidvectorrecv\toidvectorsend\t-\t-\t-\ti\tp\tf\t0\t-1\t0\t0" },
  { "pg_type",
    "32\tpg_ddl_command\t11\t10\t8\tt\tp\tP\tf\tt\t,\t0\t-\t0\t0\tpg_ddl_command_in\tpg_ddl_c"
    "ommand_out\tpg_ddl_command_recv\tpg_ddl_command_send\t-\t-\t-\td\tp\tf\t0\t-1\t0\t0" },
  { "pg_type",
    "114\tjson\t11\t10\t-1\tf\tb\tU\tf\tt\t,\t0\t-\t0\t199\tjson_in\tjson_out\tjson_recv\tjso"
    "n_send\t-\t-\t-\ti\tx\tf\t0\t-1\t0\t0" },
  { "pg_type",
    "142\txml\t11\t10\t-1\tf\tb\tU\tf\tt\t,\t0\t-\t0\t143\txml_in\txml_out\txml_recv\txml_sen"
    "d\t-\t-\t-\ti\tx\tf\t0\t-1\t0\t0" },
  { "pg_type",
    "143\t_xml\t11\t10\t-1\tf\tb\tA\tf\tt\t,\t0\tarray_subscript_handler\t142\t0\tarray_in\ta"
    "rray_out\tarray_recv\tarray_send\t-\t-\tarray_typanalyze\ti\tx\tf\t0\t-1\t0\t0" },
  { "pg_type",
    "194\tpg_node_tree\t11\t10\t-1\tf\tb\tZ\tf\tt\t,\t0\t-\t0\t0\tpg_node_tree_in\tpg_node_tr"
    "ee_out\tpg_node_tree_recv\tpg_node_tree_send\t-\t-\t-\ti\tx\tf\t0\t-1\t0\t100" },
  { "pg_type",
    "199\t_json\t11\t10\t-1\tf\tb\tA\tf\tt\t,\t0\tarray_subscript_handler\t114\t0\tarray_in\t"
    "array_out\tarray_recv\tarray_send\t-\t-\tarray_typanalyze\ti\tx\tf\t0\t-1\t0\t0" },
  { "pg_type",
    "269\ttable_am_handler\t11\t10\t4\tt\tp\tP\tf\tt\t,\t0\t-\t0\t0\ttable_am_handler_in\ttab"
    "le_am_handler_out\t-\t-\t-\t-\t-\ti\tp\tf\t0\t-1\t0\t0" },
  { "pg_type",
    "271\t_xid8\t11\t10\t-1\tf\tb\tA\tf\tt\t,\t0\tarray_subscript_handler\t5069\t0\tarray_in"
    "\tarray_out\tarray_recv\tarray_send\t-\t-\tarray_typanalyze\td\tx\tf\t0\t-1\t0\t0" },
  { "pg_type",
    "325\tindex_am_handler\t11\t10\t4\tt\tp\tP\tf\tt\t,\t0\t-\t0\t0\tindex_am_handler_in\tind"
    "ex_am_handler_out\t-\t-\t-\t-\t-\ti\tp\tf\t0\t-1\t0\t0" },
  { "pg_type",
    "600\tpoint\t11\t10\t16\tf\tb\tG\tf\tt\t,\t0\traw_array_subscript_handler\t701\t1017\tpoi"
    "nt_in\tpoint_out\tpoint_recv\tpoint_send\t-\t-\t-\td\tp\tf\t0\t-1\t0\t0" },
  { "pg_type",
    "601\tlseg\t11\t10\t32\tf\tb\tG\tf\tt\t,\t0\traw_array_subscript_handler\t600\t1018\tlseg"
    "_in\tlseg_out\tlseg_recv\tlseg_send\t-\t-\t-\td\tp\tf\t0\t-1\t0\t0" },
  { "pg_type",
    "602\tpath\t11\t10\t-1\tf\tb\tG\tf\tt\t,\t0\t-\t0\t1019\tpath_in\tpath_out\tpath_recv\tpa"
    "th_send\t-\t-\t-\td\tx\tf\t0\t-1\t0\t0" },
  { "pg_type",
    "603\tbox\t11\t10\t32\tf\tb\tG\tf\tt\t;\t0\traw_array_subscript_handler\t600\t1020\tbox_i"
    "n\tbox_out\tbox_recv\tbox_send\t-\t-\t-\td\tp\tf\t0\t-1\t0\t0" },
  { "pg_type",
    "604\tpolygon\t11\t10\t-1\tf\tb\tG\tf\tt\t,\t0\t-\t0\t1027\tpoly_in\tpoly_out\tpoly_recv"
    "\tpoly_send\t-\t-\t-\td\tx\tf\t0\t-1\t0\t0" },
  { "pg_type",
    "628\tline\t11\t10\t24\tf\tb\tG\tf\tt\t,\t0\traw_array_subscript_handler\t701\t629\tline_"
    "in\tline_out\tline_recv\tline_send\t-\t-\t-\td\tp\tf\t0\t-1\t0\t0" },
  { "pg_type",
    "629\t_line\t11\t10\t-1\tf\tb\tA\tf\tt\t,\t0\tarray_subscript_handler\t628\t0\tarray_in\t"
    "array_out\tarray_recv\tarray_send\t-\t-\tarray_typanalyze\td\tx\tf\t0\t-1\t0\t0" },
  { "pg_type",
    "650\tcidr\t11\t10\t-1\tf\tb\tI\tf\tt\t,\t0\t-\t0\t651\tcidr_in\tcidr_out\tcidr_recv\tcid"
    "r_send\t-\t-\t-\ti\tm\tf\t0\t-1\t0\t0" },
  { "pg_type",
    "651\t_cidr\t11\t10\t-1\tf\tb\tA\tf\tt\t,\t0\tarray_subscript_handler\t650\t0\tarray_in\t"
    "array_out\tarray_recv\tarray_send\t-\t-\tarray_typanalyze\ti\tx\tf\t0\t-1\t0\t0" },
  { "pg_type",
    "700\tfloat4\t11\t10\t4\tt\tb\tN\tf\tt\t,\t0\t-\t0\t1021\tfloat4in\tfloat4out\tfloat4recv"
    "\tfloat4send\t-\t-\t-\ti\tp\tf\t0\t-1\t0\t0" },
  { "pg_type",
    "701\tfloat8\t11\t10\t8\tt\tb\tN\tt\tt\t,\t0\t-\t0\t1022\tfloat8in\tfloat8out\tfloat8recv"
    "\tfloat8send\t-\t-\t-\td\tp\tf\t0\t-1\t0\t0" },
  { "pg_type",
    "705\tunknown\t11\t10\t-2\tf\tp\tX\tf\tt\t,\t0\t-\t0\t0\tunknownin\tunknownout\tunknownre"
    "cv\tunknownsend\t-\t-\t-\tc\tp\tf\t0\t-1\t0\t0" },
  { "pg_type",
    "718\tcircle\t11\t10\t24\tf\tb\tG\tf\tt\t,\t0\t-\t0\t719\tcircle_in\tcircle_out\tcircle_r"
    "ecv\tcircle_send\t-\t-\t-\td\tp\tf\t0\t-1\t0\t0" },
  { "pg_type",
    "719\t_circle\t11\t10\t-1\tf\tb\tA\tf\tt\t,\t0\tarray_subscript_handler\t718\t0\tarray_in"
    "\tarray_out\tarray_recv\tarray_send\t-\t-\tarray_typanalyze\td\tx\tf\t0\t-1\t0\t0" },
  { "pg_type",
    "774\tmacaddr8\t11\t10\t8\tf\tb\tU\tf\tt\t,\t0\t-\t0\t775\tmacaddr8_in\tmacaddr8_out\tmac"
    "addr8_recv\tmacaddr8_send\t-\t-\t-\ti\tp\tf\t0\t-1\t0\t0" },
  { "pg_type",
    "775\t_macaddr8\t11\t10\t-1\tf\tb\tA\tf\tt\t,\t0\tarray_subscript_handler\t774\t0\tarray_"
    "in\tarray_out\tarray_recv\tarray_send\t-\t-\tarray_typanalyze\ti\tx\tf\t0\t-1\t0\t0" },
  { "pg_type",
    "790\tmoney\t11\t10\t8\tt\tb\tN\tf\tt\t,\t0\t-\t0\t791\tcash_in\tcash_out\tcash_recv\tcas"
    "h_send\t-\t-\t-\td\tp\tf\t0\t-1\t0\t0" },
  { "pg_type",
    "791\t_money\t11\t10\t-1\tf\tb\tA\tf\tt\t,\t0\tarray_subscript_handler\t790\t0\tarray_in"
    "\tarray_out\tarray_recv\tarray_send\t-\t-\tarray_typanalyze\td\tx\tf\t0\t-1\t0\t0" },
  { "pg_type",
    "829\tmacaddr\t11\t10\t6\tf\tb\tU\tf\tt\t,\t0\t-\t0\t1040\tmacaddr_in\tmacaddr_out\tmacad"
    "dr_recv\tmacaddr_send\t-\t-\t-\ti\tp\tf\t0\t-1\t0\t0" },
  { "pg_type",
    "869\tinet\t11\t10\t-1\tf\tb\tI\tt\tt\t,\t0\t-\t0\t1041\tinet_in\tinet_out\tinet_recv\tin"
    "et_send\t-\t-\t-\ti\tm\tf\t0\t-1\t0\t0" },
  { "pg_type",
    "1000\t_bool\t11\t10\t-1\tf\tb\tA\tf\tt\t,\t0\tarray_subscript_handler\t16\t0\tarray_in\t"
    "array_out\tarray_recv\tarray_send\t-\t-\tarray_typanalyze\ti\tx\tf\t0\t-1\t0\t0" },
  { "pg_type",
    "1001\t_bytea\t11\t10\t-1\tf\tb\tA\tf\tt\t,\t0\tarray_subscript_handler\t17\t0\tarray_in"
    "\tarray_out\tarray_recv\tarray_send\t-\t-\tarray_typanalyze\ti\tx\tf\t0\t-1\t0\t0" },
  { "pg_type",
    "1002\t_char\t11\t10\t-1\tf\tb\tA\tf\tt\t,\t0\tarray_subscript_handler\t18\t0\tarray_in\t"
    "array_out\tarray_recv\tarray_send\t-\t-\tarray_typanalyze\ti\tx\tf\t0\t-1\t0\t0" },
  { "pg_type",
    "1003\t_name\t11\t10\t-1\tf\tb\tA\tf\tt\t,\t0\tarray_subscript_handler\t19\t0\tarray_in\t"
    "array_out\tarray_recv\tarray_send\t-\t-\tarray_typanalyze\ti\tx\tf\t0\t-1\t0\t950" },
  { "pg_type",
    "1005\t_int2\t11\t10\t-1\tf\tb\tA\tf\tt\t,\t0\tarray_subscript_handler\t21\t0\tarray_in\t"
    "array_out\tarray_recv\tarray_send\t-\t-\tarray_typanalyze\ti\tx\tf\t0\t-1\t0\t0" },
  { "pg_type",
    "1006\t_int2vector\t11\t10\t-1\tf\tb\tA\tf\tt\t,\t0\tarray_subscript_handler\t22\t0\tarra"
    "y_in\tarray_out\tarray_recv\tarray_send\t-\t-\tarray_typanalyze\ti\tx\tf\t0\t-1\t0\t0" },
  { "pg_type",
    "1007\t_int4\t11\t10\t-1\tf\tb\tA\tf\tt\t,\t0\tarray_subscript_handler\t23\t0\tarray_in\t"
    "array_out\tarray_recv\tarray_send\t-\t-\tarray_typanalyze\ti\tx\tf\t0\t-1\t0\t0" },
  { "pg_type",
    "1008\t_regproc\t11\t10\t-1\tf\tb\tA\tf\tt\t,\t0\tarray_subscript_handler\t24\t0\tarray_i"
    "n\tarray_out\tarray_recv\tarray_send\t-\t-\tarray_typanalyze\ti\tx\tf\t0\t-1\t0\t0" },
  { "pg_type",
    "1009\t_text\t11\t10\t-1\tf\tb\tA\tf\tt\t,\t0\tarray_subscript_handler\t25\t0\tarray_in\t"
    "array_out\tarray_recv\tarray_send\t-\t-\tarray_typanalyze\ti\tx\tf\t0\t-1\t0\t100" },
  { "pg_type",
    "1010\t_tid\t11\t10\t-1\tf\tb\tA\tf\tt\t,\t0\tarray_subscript_handler\t27\t0\tarray_in\ta"
    "rray_out\tarray_recv\tarray_send\t-\t-\tarray_typanalyze\ti\tx\tf\t0\t-1\t0\t0" },
  { "pg_type",
    "1011\t_xid\t11\t10\t-1\tf\tb\tA\tf\tt\t,\t0\tarray_subscript_handler\t28\t0\tarray_in\ta"
    "rray_out\tarray_recv\tarray_send\t-\t-\tarray_typanalyze\ti\tx\tf\t0\t-1\t0\t0" },
  { "pg_type",
    "1012\t_cid\t11\t10\t-1\tf\tb\tA\tf\tt\t,\t0\tarray_subscript_handler\t29\t0\tarray_in\ta"
    "rray_out\tarray_recv\tarray_send\t-\t-\tarray_typanalyze\ti\tx\tf\t0\t-1\t0\t0" },
  { "pg_type",
    "1013\t_oidvector\t11\t10\t-1\tf\tb\tA\tf\tt\t,\t0\tarray_subscript_handler\t30\t0\tarray"
    "_in\tarray_out\tarray_recv\tarray_send\t-\t-\tarray_typanalyze\ti\tx\tf\t0\t-1\t0\t0" },
  { "pg_type",
    "1014\t_bpchar\t11\t10\t-1\tf\tb\tA\tf\tt\t,\t0\tarray_subscript_handler\t1042\t0\tarray_"
    "in\tarray_out\tarray_recv\tarray_send\tbpchartypmodin\tbpchartypmodout\tarray_typanalyze"
    "\ti\tx\tf\t0\t-1\t0\t100" },
  { "pg_type",
    "1015\t_varchar\t11\t10\t-1\tf\tb\tA\tf\tt\t,\t0\tarray_subscript_handler\t1043\t0\tarray"
    "_in\tarray_out\tarray_recv\tarray_send\tvarchartypmodin\tvarchartypmodout\tarray_typanal"
    "yze\ti\tx\tf\t0\t-1\t0\t100" },
  { "pg_type",
    "1016\t_int8\t11\t10\t-1\tf\tb\tA\tf\tt\t,\t0\tarray_subscript_handler\t20\t0\tarray_in\t"
    "array_out\tarray_recv\tarray_send\t-\t-\tarray_typanalyze\td\tx\tf\t0\t-1\t0\t0" },
  { "pg_type",
    "1017\t_point\t11\t10\t-1\tf\tb\tA\tf\tt\t,\t0\tarray_subscript_handler\t600\t0\tarray_in"
    "\tarray_out\tarray_recv\tarray_send\t-\t-\tarray_typanalyze\td\tx\tf\t0\t-1\t0\t0" },
  { "pg_type",
    "1018\t_lseg\t11\t10\t-1\tf\tb\tA\tf\tt\t,\t0\tarray_subscript_handler\t601\t0\tarray_in"
    "\tarray_out\tarray_recv\tarray_send\t-\t-\tarray_typanalyze\td\tx\tf\t0\t-1\t0\t0" },
  { "pg_type",
    "1019\t_path\t11\t10\t-1\tf\tb\tA\tf\tt\t,\t0\tarray_subscript_handler\t602\t0\tarray_in"
    "\tarray_out\tarray_recv\tarray_send\t-\t-\tarray_typanalyze\td\tx\tf\t0\t-1\t0\t0" },
  { "pg_type",
    "1020\t_box\t11\t10\t-1\tf\tb\tA\tf\tt\t;\t0\tarray_subscript_handler\t603\t0\tarray_in\t"
    "array_out\tarray_recv\tarray_send\t-\t-\tarray_typanalyze\td\tx\tf\t0\t-1\t0\t0" },
  { "pg_type",
    "1021\t_float4\t11\t10\t-1\tf\tb\tA\tf\tt\t,\t0\tarray_subscript_handler\t700\t0\tarray_i"
    "n\tarray_out\tarray_recv\tarray_send\t-\t-\tarray_typanalyze\ti\tx\tf\t0\t-1\t0\t0" },
  { "pg_type",
    "1022\t_float8\t11\t10\t-1\tf\tb\tA\tf\tt\t,\t0\tarray_subscript_handler\t701\t0\tarray_i"
    "n\tarray_out\tarray_recv\tarray_send\t-\t-\tarray_typanalyze\td\tx\tf\t0\t-1\t0\t0" },
  { "pg_type",
    "1027\t_polygon\t11\t10\t-1\tf\tb\tA\tf\tt\t,\t0\tarray_subscript_handler\t604\t0\tarray_"
    "in\tarray_out\tarray_recv\tarray_send\t-\t-\tarray_typanalyze\td\tx\tf\t0\t-1\t0\t0" },
  { "pg_type",
    "1028\t_oid\t11\t10\t-1\tf\tb\tA\tf\tt\t,\t0\tarray_subscript_handler\t26\t0\tarray_in\ta"
    "rray_out\tarray_recv\tarray_send\t-\t-\tarray_typanalyze\ti\tx\tf\t0\t-1\t0\t0" },
  { "pg_type",
    "1033\taclitem\t11\t10\t12\tf\tb\tU\tf\tt\t,\t0\t-\t0\t1034\taclitemin\taclitemout\t-\t-"
    "\t-\t-\t-\ti\tp\tf\t0\t-1\t0\t0" },
  { "pg_type",
    "1034\t_aclitem\t11\t10\t-1\tf\tb\tA\tf\tt\t,\t0\tarray_subscript_handler\t1033\t0\tarray"
    "_in\tarray_out\tarray_recv\tarray_send\t-\t-\tarray_typanalyze\ti\tx\tf\t0\t-1\t0\t0" },
  { "pg_type",
    "1040\t_macaddr\t11\t10\t-1\tf\tb\tA\tf\tt\t,\t0\tarray_subscript_handler\t829\t0\tarray_"
    "in\tarray_out\tarray_recv\tarray_send\t-\t-\tarray_typanalyze\ti\tx\tf\t0\t-1\t0\t0" },
  { "pg_type",
    "1041\t_inet\t11\t10\t-1\tf\tb\tA\tf\tt\t,\t0\tarray_subscript_handler\t869\t0\tarray_in"
    "\tarray_out\tarray_recv\tarray_send\t-\t-\tarray_typanalyze\ti\tx\tf\t0\t-1\t0\t0" },
  { "pg_type",
    "1042\tbpchar\t11\t10\t-1\tf\tb\tS\tf\tt\t,\t0\t-\t0\t1014\tbpcharin\tbpcharout\tbpcharre"
    "cv\tbpcharsend\tbpchartypmodin\tbpchartypmodout\t-\ti\tx\tf\t0\t-1\t0\t100" },
  { "pg_type",
    "1043\tvarchar\t11\t10\t-1\tf\tb\tS\tf\tt\t,\t0\t-\t0\t1015\tvarcharin\tvarcharout\tvarch"
    "arrecv\tvarcharsend\tvarchartypmodin\tvarchartypmodout\t-\ti\tx\tf\t0\t-1\t0\t100" },
  { "pg_type",
    "1082\tdate\t11\t10\t4\tt\tb\tD\tf\tt\t,\t0\t-\t0\t1182\tdate_in\tdate_out\tdate_recv\tda"
    "te_send\t-\t-\t-\ti\tp\tf\t0\t-1\t0\t0" },
  { "pg_type",
    "1083\ttime\t11\t10\t8\tt\tb\tD\tf\tt\t,\t0\t-\t0\t1183\ttime_in\ttime_out\ttime_recv\tti"
    "me_send\ttimetypmodin\ttimetypmodout\t-\td\tp\tf\t0\t-1\t0\t0" },
  { "pg_type",
    "1114\ttimestamp\t11\t10\t8\tt\tb\tD\tf\tt\t,\t0\t-\t0\t1115\ttimestamp_in\ttimestamp_out"
    "\ttimestamp_recv\ttimestamp_send\ttimestamptypmodin\ttimestamptypmodout\t-\td\tp\tf\t0\t"
    "-1\t0\t0" },
  { "pg_type",
    "1115\t_timestamp\t11\t10\t-1\tf\tb\tA\tf\tt\t,\t0\tarray_subscript_handler\t1114\t0\tarr"
    "ay_in\tarray_out\tarray_recv\tarray_send\ttimestamptypmodin\ttimestamptypmodout\tarray_t"
    "ypanalyze\td\tx\tf\t0\t-1\t0\t0" },
  { "pg_type",
    "1182\t_date\t11\t10\t-1\tf\tb\tA\tf\tt\t,\t0\tarray_subscript_handler\t1082\t0\tarray_in"
    "\tarray_out\tarray_recv\tarray_send\t-\t-\tarray_typanalyze\ti\tx\tf\t0\t-1\t0\t0" },
  { "pg_type",
    "1183\t_time\t11\t10\t-1\tf\tb\tA\tf\tt\t,\t0\tarray_subscript_handler\t1083\t0\tarray_in"
    "\tarray_out\tarray_recv\tarray_send\ttimetypmodin\ttimetypmodout\tarray_typanalyze\td\tx"
    "\tf\t0\t-1\t0\t0" },
  { "pg_type",
    "1184\ttimestamptz\t11\t10\t8\tt\tb\tD\tt\tt\t,\t0\t-\t0\t1185\ttimestamptz_in\ttimestamp"
    "tz_out\ttimestamptz_recv\ttimestamptz_send\ttimestamptztypmodin\ttimestamptztypmodout\t-"
    "\td\tp\tf\t0\t-1\t0\t0" },
  { "pg_type",
    "1185\t_timestamptz\t11\t10\t-1\tf\tb\tA\tf\tt\t,\t0\tarray_subscript_handler\t1184\t0\ta"
    "rray_in\tarray_out\tarray_recv\tarray_send\ttimestamptztypmodin\ttimestamptztypmodout\ta"
    "rray_typanalyze\td\tx\tf\t0\t-1\t0\t0" },
  { "pg_type",
    "1186\tinterval\t11\t10\t16\tf\tb\tT\tt\tt\t,\t0\t-\t0\t1187\tinterval_in\tinterval_out\t"
    "interval_recv\tinterval_send\tintervaltypmodin\tintervaltypmodout\t-\td\tp\tf\t0\t-1\t0"
    "\t0" },
  { "pg_type",
    "1187\t_interval\t11\t10\t-1\tf\tb\tA\tf\tt\t,\t0\tarray_subscript_handler\t1186\t0\tarra"
    "y_in\tarray_out\tarray_recv\tarray_send\tintervaltypmodin\tintervaltypmodout\tarray_typa"
    "nalyze\td\tx\tf\t0\t-1\t0\t0" },
  { "pg_type",
    "1231\t_numeric\t11\t10\t-1\tf\tb\tA\tf\tt\t,\t0\tarray_subscript_handler\t1700\t0\tarray"
    "_in\tarray_out\tarray_recv\tarray_send\tnumerictypmodin\tnumerictypmodout\tarray_typanal"
    "yze\ti\tx\tf\t0\t-1\t0\t0" },
  { "pg_type",
    "1263\t_cstring\t11\t10\t-1\tf\tb\tA\tf\tt\t,\t0\tarray_subscript_handler\t2275\t0\tarray"
    "_in\tarray_out\tarray_recv\tarray_send\t-\t-\tarray_typanalyze\ti\tx\tf\t0\t-1\t0\t0" },
  { "pg_type",
    "1266\ttimetz\t11\t10\t12\tf\tb\tD\tf\tt\t,\t0\t-\t0\t1270\ttimetz_in\ttimetz_out\ttimetz"
    "_recv\ttimetz_send\ttimetztypmodin\ttimetztypmodout\t-\td\tp\tf\t0\t-1\t0\t0" },
  { "pg_type",
    "1270\t_timetz\t11\t10\t-1\tf\tb\tA\tf\tt\t,\t0\tarray_subscript_handler\t1266\t0\tarray_"
    "in\tarray_out\tarray_recv\tarray_send\ttimetztypmodin\ttimetztypmodout\tarray_typanalyze"
    "\td\tx\tf\t0\t-1\t0\t0" },
  { "pg_type",
    "1560\tbit\t11\t10\t-1\tf\tb\tV\tf\tt\t,\t0\t-\t0\t1561\tbit_in\tbit_out\tbit_recv\tbit_s"
    "end\tbittypmodin\tbittypmodout\t-\ti\tx\tf\t0\t-1\t0\t0" },
  { "pg_type",
    "1561\t_bit\t11\t10\t-1\tf\tb\tA\tf\tt\t,\t0\tarray_subscript_handler\t1560\t0\tarray_in"
    "\tarray_out\tarray_recv\tarray_send\tbittypmodin\tbittypmodout\tarray_typanalyze\ti\tx\t"
    "f\t0\t-1\t0\t0" },
  { "pg_type",
    "1562\tvarbit\t11\t10\t-1\tf\tb\tV\tt\tt\t,\t0\t-\t0\t1563\tvarbit_in\tvarbit_out\tvarbit"
    "_recv\tvarbit_send\tvarbittypmodin\tvarbittypmodout\t-\ti\tx\tf\t0\t-1\t0\t0" },
  { "pg_type",
    "1563\t_varbit\t11\t10\t-1\tf\tb\tA\tf\tt\t,\t0\tarray_subscript_handler\t1562\t0\tarray_"
    "in\tarray_out\tarray_recv\tarray_send\tvarbittypmodin\tvarbittypmodout\tarray_typanalyze"
    "\ti\tx\tf\t0\t-1\t0\t0" },
  { "pg_type",
    "1700\tnumeric\t11\t10\t-1\tf\tb\tN\tf\tt\t,\t0\t-\t0\t1231\tnumeric_in\tnumeric_out\tnum"
    "eric_recv\tnumeric_send\tnumerictypmodin\tnumerictypmodout\t-\ti\tm\tf\t0\t-1\t0\t0" },
  { "pg_type",
    "1790\trefcursor\t11\t10\t-1\tf\tb\tU\tf\tt\t,\t0\t-\t0\t2201\ttextin\ttextout\ttextrecv"
    "\ttextsend\t-\t-\t-\ti\tx\tf\t0\t-1\t0\t0" },
  { "pg_type",
    "2201\t_refcursor\t11\t10\t-1\tf\tb\tA\tf\tt\t,\t0\tarray_subscript_handler\t1790\t0\tarr"
    "ay_in\tarray_out\tarray_recv\tarray_send\t-\t-\tarray_typanalyze\ti\tx\tf\t0\t-1\t0\t0" },
  { "pg_type",
    "2202\tregprocedure\t11\t10\t4\tt\tb\tN\tf\tt\t,\t0\t-\t0\t2207\tregprocedurein\tregproce"
    "dureout\tregprocedurerecv\tregproceduresend\t-\t-\t-\ti\tp\tf\t0\t-1\t0\t0" },
  { "pg_type",
    "2203\tregoper\t11\t10\t4\tt\tb\tN\tf\tt\t,\t0\t-\t0\t2208\tregoperin\tregoperout\tregope"
    "rrecv\tregopersend\t-\t-\t-\ti\tp\tf\t0\t-1\t0\t0" },
  { "pg_type",
    "2204\tregoperator\t11\t10\t4\tt\tb\tN\tf\tt\t,\t0\t-\t0\t2209\tregoperatorin\tregoperato"
    "rout\tregoperatorrecv\tregoperatorsend\t-\t-\t-\ti\tp\tf\t0\t-1\t0\t0" },
  { "pg_type",
    "2205\tregclass\t11\t10\t4\tt\tb\tN\tf\tt\t,\t0\t-\t0\t2210\tregclassin\tregclassout\treg"
    "classrecv\tregclasssend\t-\t-\t-\ti\tp\tf\t0\t-1\t0\t0" },
  { "pg_type",
    "2206\tregtype\t11\t10\t4\tt\tb\tN\tf\tt\t,\t0\t-\t0\t2211\tregtypein\tregtypeout\tregtyp"
    "erecv\tregtypesend\t-\t-\t-\ti\tp\tf\t0\t-1\t0\t0" },
  { "pg_type",
    "2207\t_regprocedure\t11\t10\t-1\tf\tb\tA\tf\tt\t,\t0\tarray_subscript_handler\t2202\t0\t"
    "array_in\tarray_out\tarray_recv\tarray_send\t-\t-\tarray_typanalyze\ti\tx\tf\t0\t-1\t0\t"
    "0" },
  { "pg_type",
    "2208\t_regoper\t11\t10\t-1\tf\tb\tA\tf\tt\t,\t0\tarray_subscript_handler\t2203\t0\tarray"
    "_in\tarray_out\tarray_recv\tarray_send\t-\t-\tarray_typanalyze\ti\tx\tf\t0\t-1\t0\t0" },
  { "pg_type",
    "2209\t_regoperator\t11\t10\t-1\tf\tb\tA\tf\tt\t,\t0\tarray_subscript_handler\t2204\t0\ta"
    "rray_in\tarray_out\tarray_recv\tarray_send\t-\t-\tarray_typanalyze\ti\tx\tf\t0\t-1\t0\t0" },
  { "pg_type",
    "2210\t_regclass\t11\t10\t-1\tf\tb\tA\tf\tt\t,\t0\tarray_subscript_handler\t2205\t0\tarra"
    "y_in\tarray_out\tarray_recv\tarray_send\t-\t-\tarray_typanalyze\ti\tx\tf\t0\t-1\t0\t0" },
  { "pg_type",
    "2211\t_regtype\t11\t10\t-1\tf\tb\tA\tf\tt\t,\t0\tarray_subscript_handler\t2206\t0\tarray"
    "_in\tarray_out\tarray_recv\tarray_send\t-\t-\tarray_typanalyze\ti\tx\tf\t0\t-1\t0\t0" },
  { "pg_type",
    "2249\trecord\t11\t10\t-1\tf\tp\tP\tf\tt\t,\t0\t-\t0\t2287\trecord_in\trecord_out\trecord"
    "_recv\trecord_send\t-\t-\t-\td\tx\tf\t0\t-1\t0\t0" },
  { "pg_type",
    "2275\tcstring\t11\t10\t-2\tf\tp\tP\tf\tt\t,\t0\t-\t0\t1263\tcstring_in\tcstring_out\tcst"
    "ring_recv\tcstring_send\t-\t-\t-\tc\tp\tf\t0\t-1\t0\t0" },
  { "pg_type",
    "2276\tany\t11\t10\t4\tt\tp\tP\tf\tt\t,\t0\t-\t0\t0\tany_in\tany_out\t-\t-\t-\t-\t-\ti\tp"
    "\tf\t0\t-1\t0\t0" },
  { "pg_type",
    "2277\tanyarray\t11\t10\t-1\tf\tp\tP\tf\tt\t,\t0\t-\t0\t0\tanyarray_in\tanyarray_out\tany"
    "array_recv\tanyarray_send\t-\t-\t-\td\tx\tf\t0\t-1\t0\t0" },
  { "pg_type",
    "2278\tvoid\t11\t10\t4\tt\tp\tP\tf\tt\t,\t0\t-\t0\t0\tvoid_in\tvoid_out\tvoid_recv\tvoid_"
    "send\t-\t-\t-\ti\tp\tf\t0\t-1\t0\t0" },
  { "pg_type",
    "2279\ttrigger\t11\t10\t4\tt\tp\tP\tf\tt\t,\t0\t-\t0\t0\ttrigger_in\ttrigger_out\t-\t-\t-"
    "\t-\t-\ti\tp\tf\t0\t-1\t0\t0" },
  { "pg_type",
    "2280\tlanguage_handler\t11\t10\t4\tt\tp\tP\tf\tt\t,\t0\t-\t0\t0\tlanguage_handler_in\tla"
    "nguage_handler_out\t-\t-\t-\t-\t-\ti\tp\tf\t0\t-1\t0\t0" },
  { "pg_type",
    "2281\tinternal\t11\t10\t8\tt\tp\tP\tf\tt\t,\t0\t-\t0\t0\tinternal_in\tinternal_out\t-\t-"
    "\t-\t-\t-\td\tp\tf\t0\t-1\t0\t0" },
  { "pg_type",
    "2283\tanyelement\t11\t10\t4\tt\tp\tP\tf\tt\t,\t0\t-\t0\t0\tanyelement_in\tanyelement_out"
    "\t-\t-\t-\t-\t-\ti\tp\tf\t0\t-1\t0\t0" },
  { "pg_type",
    "2287\t_record\t11\t10\t-1\tf\tp\tP\tf\tt\t,\t0\tarray_subscript_handler\t2249\t0\tarray_"
    "in\tarray_out\tarray_recv\tarray_send\t-\t-\tarray_typanalyze\td\tx\tf\t0\t-1\t0\t0" },
  { "pg_type",
    "2776\tanynonarray\t11\t10\t4\tt\tp\tP\tf\tt\t,\t0\t-\t0\t0\tanynonarray_in\tanynonarray_"
    "out\t-\t-\t-\t-\t-\ti\tp\tf\t0\t-1\t0\t0" },
  { "pg_type",
    "2949\t_txid_snapshot\t11\t10\t-1\tf\tb\tA\tf\tt\t,\t0\tarray_subscript_handler\t2970\t0"
    "\tarray_in\tarray_out\tarray_recv\tarray_send\t-\t-\tarray_typanalyze\td\tx\tf\t0\t-1\t0"
    "\t0" },
  { "pg_type",
    "2950\tuuid\t11\t10\t16\tf\tb\tU\tf\tt\t,\t0\t-\t0\t2951\tuuid_in\tuuid_out\tuuid_recv\tu"
    "uid_send\t-\t-\t-\tc\tp\tf\t0\t-1\t0\t0" },
  { "pg_type",
    "2951\t_uuid\t11\t10\t-1\tf\tb\tA\tf\tt\t,\t0\tarray_subscript_handler\t2950\t0\tarray_in"
    "\tarray_out\tarray_recv\tarray_send\t-\t-\tarray_typanalyze\ti\tx\tf\t0\t-1\t0\t0" },
  { "pg_type",
    "2970\ttxid_snapshot\t11\t10\t-1\tf\tb\tU\tf\tt\t,\t0\t-\t0\t2949\ttxid_snapshot_in\ttxid"
    "_snapshot_out\ttxid_snapshot_recv\ttxid_snapshot_send\t-\t-\t-\td\tx\tf\t0\t-1\t0\t0" },
  { "pg_type",
    "3115\tfdw_handler\t11\t10\t4\tt\tp\tP\tf\tt\t,\t0\t-\t0\t0\tfdw_handler_in\tfdw_handler_"
    "out\t-\t-\t-\t-\t-\ti\tp\tf\t0\t-1\t0\t0" },
  { "pg_type",
    "3220\tpg_lsn\t11\t10\t8\tt\tb\tU\tf\tt\t,\t0\t-\t0\t3221\tpg_lsn_in\tpg_lsn_out\tpg_lsn_"
    "recv\tpg_lsn_send\t-\t-\t-\td\tp\tf\t0\t-1\t0\t0" },
  { "pg_type",
    "3221\t_pg_lsn\t11\t10\t-1\tf\tb\tA\tf\tt\t,\t0\tarray_subscript_handler\t3220\t0\tarray_"
    "in\tarray_out\tarray_recv\tarray_send\t-\t-\tarray_typanalyze\td\tx\tf\t0\t-1\t0\t0" },
  { "pg_type",
    "3310\ttsm_handler\t11\t10\t4\tt\tp\tP\tf\tt\t,\t0\t-\t0\t0\ttsm_handler_in\ttsm_handler_"
    "out\t-\t-\t-\t-\t-\ti\tp\tf\t0\t-1\t0\t0" },
  { "pg_type",
    "3361\tpg_ndistinct\t11\t10\t-1\tf\tb\tZ\tf\tt\t,\t0\t-\t0\t0\tpg_ndistinct_in\tpg_ndisti"
    "nct_out\tpg_ndistinct_recv\tpg_ndistinct_send\t-\t-\t-\ti\tx\tf\t0\t-1\t0\t100" },
  { "pg_type",
    "3402\tpg_dependencies\t11\t10\t-1\tf\tb\tZ\tf\tt\t,\t0\t-\t0\t0\tpg_dependencies_in\tpg_"
    "dependencies_out\tpg_dependencies_recv\tpg_dependencies_send\t-\t-\t-\ti\tx\tf\t0\t-1\t0"
    "\t100" },
  { "pg_type",
    "3500\tanyenum\t11\t10\t4\tt\tp\tP\tf\tt\t,\t0\t-\t0\t0\tanyenum_in\tanyenum_out\t-\t-\t-"
    "\t-\t-\ti\tp\tf\t0\t-1\t0\t0" },
  { "pg_type",
    "3614\ttsvector\t11\t10\t-1\tf\tb\tU\tf\tt\t,\t0\t-\t0\t3643\ttsvectorin\ttsvectorout\tts"
    "vectorrecv\ttsvectorsend\t-\t-\tts_typanalyze\ti\tx\tf\t0\t-1\t0\t0" },
  { "pg_type",
    "3615\ttsquery\t11\t10\t-1\tf\tb\tU\tf\tt\t,\t0\t-\t0\t3645\ttsqueryin\ttsqueryout\ttsque"
    "ryrecv\ttsquerysend\t-\t-\t-\ti\tp\tf\t0\t-1\t0\t0" },
  { "pg_type",
    "3642\tgtsvector\t11\t10\t-1\tf\tb\tU\tf\tt\t,\t0\t-\t0\t3644\tgtsvectorin\tgtsvectorout"
    "\t-\t-\t-\t-\t-\ti\tp\tf\t0\t-1\t0\t0" },
  { "pg_type",
    "3643\t_tsvector\t11\t10\t-1\tf\tb\tA\tf\tt\t,\t0\tarray_subscript_handler\t3614\t0\tarra"
    "y_in\tarray_out\tarray_recv\tarray_send\t-\t-\tarray_typanalyze\ti\tx\tf\t0\t-1\t0\t0" },
  { "pg_type",
    "3644\t_gtsvector\t11\t10\t-1\tf\tb\tA\tf\tt\t,\t0\tarray_subscript_handler\t3642\t0\tarr"
    "ay_in\tarray_out\tarray_recv\tarray_send\t-\t-\tarray_typanalyze\ti\tx\tf\t0\t-1\t0\t0" },
  { "pg_type",
    "3645\t_tsquery\t11\t10\t-1\tf\tb\tA\tf\tt\t,\t0\tarray_subscript_handler\t3615\t0\tarray"
    "_in\tarray_out\tarray_recv\tarray_send\t-\t-\tarray_typanalyze\ti\tx\tf\t0\t-1\t0\t0" },
  { "pg_type",
    "3734\tregconfig\t11\t10\t4\tt\tb\tN\tf\tt\t,\t0\t-\t0\t3735\tregconfigin\tregconfigout\t"
    "regconfigrecv\tregconfigsend\t-\t-\t-\ti\tp\tf\t0\t-1\t0\t0" },
  { "pg_type",
    "3735\t_regconfig\t11\t10\t-1\tf\tb\tA\tf\tt\t,\t0\tarray_subscript_handler\t3734\t0\tarr"
    "ay_in\tarray_out\tarray_recv\tarray_send\t-\t-\tarray_typanalyze\ti\tx\tf\t0\t-1\t0\t0" },
  { "pg_type",
    "3769\tregdictionary\t11\t10\t4\tt\tb\tN\tf\tt\t,\t0\t-\t0\t3770\tregdictionaryin\tregdic"
    "tionaryout\tregdictionaryrecv\tregdictionarysend\t-\t-\t-\ti\tp\tf\t0\t-1\t0\t0" },
  { "pg_type",
    "3770\t_regdictionary\t11\t10\t-1\tf\tb\tA\tf\tt\t,\t0\tarray_subscript_handler\t3769\t0"
    "\tarray_in\tarray_out\tarray_recv\tarray_send\t-\t-\tarray_typanalyze\ti\tx\tf\t0\t-1\t0"
    "\t0" },
  { "pg_type",
    "3802\tjsonb\t11\t10\t-1\tf\tb\tU\tf\tt\t,\t0\tjsonb_subscript_handler\t0\t3807\tjsonb_in"
    "\tjsonb_out\tjsonb_recv\tjsonb_send\t-\t-\t-\ti\tx\tf\t0\t-1\t0\t0" },
  { "pg_type",
    "3807\t_jsonb\t11\t10\t-1\tf\tb\tA\tf\tt\t,\t0\tarray_subscript_handler\t3802\t0\tarray_i"
    "n\tarray_out\tarray_recv\tarray_send\t-\t-\tarray_typanalyze\ti\tx\tf\t0\t-1\t0\t0" },
  { "pg_type",
    "3831\tanyrange\t11\t10\t-1\tf\tp\tP\tf\tt\t,\t0\t-\t0\t0\tanyrange_in\tanyrange_out\t-\t"
    "-\t-\t-\t-\td\tx\tf\t0\t-1\t0\t0" },
  { "pg_type",
    "3838\tevent_trigger\t11\t10\t4\tt\tp\tP\tf\tt\t,\t0\t-\t0\t0\tevent_trigger_in\tevent_tr"
    "igger_out\t-\t-\t-\t-\t-\ti\tp\tf\t0\t-1\t0\t0" },
  { "pg_type",
    "3904\tint4range\t11\t10\t-1\tf\tr\tR\tf\tt\t,\t0\t-\t0\t3905\trange_in\trange_out\trange"
    "_recv\trange_send\t-\t-\trange_typanalyze\ti\tx\tf\t0\t-1\t0\t0" },
  { "pg_type",
    "3905\t_int4range\t11\t10\t-1\tf\tb\tA\tf\tt\t,\t0\tarray_subscript_handler\t3904\t0\tarr"
    "ay_in\tarray_out\tarray_recv\tarray_send\t-\t-\tarray_typanalyze\ti\tx\tf\t0\t-1\t0\t0" },
  { "pg_type",
    "3906\tnumrange\t11\t10\t-1\tf\tr\tR\tf\tt\t,\t0\t-\t0\t3907\trange_in\trange_out\trange_"
    "recv\trange_send\t-\t-\trange_typanalyze\ti\tx\tf\t0\t-1\t0\t0" },
  { "pg_type",
    "3907\t_numrange\t11\t10\t-1\tf\tb\tA\tf\tt\t,\t0\tarray_subscript_handler\t3906\t0\tarra"
    "y_in\tarray_out\tarray_recv\tarray_send\t-\t-\tarray_typanalyze\ti\tx\tf\t0\t-1\t0\t0" },
  { "pg_type",
    "3908\ttsrange\t11\t10\t-1\tf\tr\tR\tf\tt\t,\t0\t-\t0\t3909\trange_in\trange_out\trange_r"
    "ecv\trange_send\t-\t-\trange_typanalyze\td\tx\tf\t0\t-1\t0\t0" },
  { "pg_type",
    "3909\t_tsrange\t11\t10\t-1\tf\tb\tA\tf\tt\t,\t0\tarray_subscript_handler\t3908\t0\tarray"
    "_in\tarray_out\tarray_recv\tarray_send\t-\t-\tarray_typanalyze\td\tx\tf\t0\t-1\t0\t0" },
  { "pg_type",
    "3910\ttstzrange\t11\t10\t-1\tf\tr\tR\tf\tt\t,\t0\t-\t0\t3911\trange_in\trange_out\trange"
    "_recv\trange_send\t-\t-\trange_typanalyze\td\tx\tf\t0\t-1\t0\t0" },
  { "pg_type",
    "3911\t_tstzrange\t11\t10\t-1\tf\tb\tA\tf\tt\t,\t0\tarray_subscript_handler\t3910\t0\tarr"
    "ay_in\tarray_out\tarray_recv\tarray_send\t-\t-\tarray_typanalyze\td\tx\tf\t0\t-1\t0\t0" },
  { "pg_type",
    "3912\tdaterange\t11\t10\t-1\tf\tr\tR\tf\tt\t,\t0\t-\t0\t3913\trange_in\trange_out\trange"
    "_recv\trange_send\t-\t-\trange_typanalyze\ti\tx\tf\t0\t-1\t0\t0" },
  { "pg_type",
    "3913\t_daterange\t11\t10\t-1\tf\tb\tA\tf\tt\t,\t0\tarray_subscript_handler\t3912\t0\tarr"
    "ay_in\tarray_out\tarray_recv\tarray_send\t-\t-\tarray_typanalyze\ti\tx\tf\t0\t-1\t0\t0" },
  { "pg_type",
    "3926\tint8range\t11\t10\t-1\tf\tr\tR\tf\tt\t,\t0\t-\t0\t3927\trange_in\trange_out\trange"
    "_recv\trange_send\t-\t-\trange_typanalyze\td\tx\tf\t0\t-1\t0\t0" },
  { "pg_type",
    "3927\t_int8range\t11\t10\t-1\tf\tb\tA\tf\tt\t,\t0\tarray_subscript_handler\t3926\t0\tarr"
    "ay_in\tarray_out\tarray_recv\tarray_send\t-\t-\tarray_typanalyze\td\tx\tf\t0\t-1\t0\t0" },
  { "pg_type",
    "4072\tjsonpath\t11\t10\t-1\tf\tb\tU\tf\tt\t,\t0\t-\t0\t4073\tjsonpath_in\tjsonpath_out\t"
    "jsonpath_recv\tjsonpath_send\t-\t-\t-\ti\tx\tf\t0\t-1\t0\t0" },
  { "pg_type",
    "4073\t_jsonpath\t11\t10\t-1\tf\tb\tA\tf\tt\t,\t0\tarray_subscript_handler\t4072\t0\tarra"
    "y_in\tarray_out\tarray_recv\tarray_send\t-\t-\tarray_typanalyze\ti\tx\tf\t0\t-1\t0\t0" },
  { "pg_type",
    "4089\tregnamespace\t11\t10\t4\tt\tb\tN\tf\tt\t,\t0\t-\t0\t4090\tregnamespacein\tregnames"
    "paceout\tregnamespacerecv\tregnamespacesend\t-\t-\t-\ti\tp\tf\t0\t-1\t0\t0" },
  { "pg_type",
    "4090\t_regnamespace\t11\t10\t-1\tf\tb\tA\tf\tt\t,\t0\tarray_subscript_handler\t4089\t0\t"
    "array_in\tarray_out\tarray_recv\tarray_send\t-\t-\tarray_typanalyze\ti\tx\tf\t0\t-1\t0\t"
    "0" },
  { "pg_type",
    "4096\tregrole\t11\t10\t4\tt\tb\tN\tf\tt\t,\t0\t-\t0\t4097\tregrolein\tregroleout\tregrol"
    "erecv\tregrolesend\t-\t-\t-\ti\tp\tf\t0\t-1\t0\t0" },
  { "pg_type",
    "4097\t_regrole\t11\t10\t-1\tf\tb\tA\tf\tt\t,\t0\tarray_subscript_handler\t4096\t0\tarray"
    "_in\tarray_out\tarray_recv\tarray_send\t-\t-\tarray_typanalyze\ti\tx\tf\t0\t-1\t0\t0" },
  { "pg_type",
    "4191\tregcollation\t11\t10\t4\tt\tb\tN\tf\tt\t,\t0\t-\t0\t4192\tregcollationin\tregcolla"
    "tionout\tregcollationrecv\tregcollationsend\t-\t-\t-\ti\tp\tf\t0\t-1\t0\t0" },
  { "pg_type",
    "4192\t_regcollation\t11\t10\t-1\tf\tb\tA\tf\tt\t,\t0\tarray_subscript_handler\t4191\t0\t"
    "array_in\tarray_out\tarray_recv\tarray_send\t-\t-\tarray_typanalyze\ti\tx\tf\t0\t-1\t0\t"
    "0" },
  { "pg_type",
    "4451\tint4multirange\t11\t10\t-1\tf\tm\tR\tf\tt\t,\t0\t-\t0\t6150\tmultirange_in\tmultir"
    "ange_out\tmultirange_recv\tmultirange_send\t-\t-\tmultirange_typanalyze\ti\tx\tf\t0\t-1"
    "\t0\t0" },
  { "pg_type",
    "4532\tnummultirange\t11\t10\t-1\tf\tm\tR\tf\tt\t,\t0\t-\t0\t6151\tmultirange_in\tmultira"
    "nge_out\tmultirange_recv\tmultirange_send\t-\t-\tmultirange_typanalyze\ti\tx\tf\t0\t-1\t"
    "0\t0" },
  { "pg_type",
    "4533\ttsmultirange\t11\t10\t-1\tf\tm\tR\tf\tt\t,\t0\t-\t0\t6152\tmultirange_in\tmultiran"
    "ge_out\tmultirange_recv\tmultirange_send\t-\t-\tmultirange_typanalyze\td\tx\tf\t0\t-1\t0"
    "\t0" },
  { "pg_type",
    "4534\ttstzmultirange\t11\t10\t-1\tf\tm\tR\tf\tt\t,\t0\t-\t0\t6153\tmultirange_in\tmultir"
    "ange_out\tmultirange_recv\tmultirange_send\t-\t-\tmultirange_typanalyze\td\tx\tf\t0\t-1"
    "\t0\t0" },
  { "pg_type",
    "4535\tdatemultirange\t11\t10\t-1\tf\tm\tR\tf\tt\t,\t0\t-\t0\t6155\tmultirange_in\tmultir"
    "ange_out\tmultirange_recv\tmultirange_send\t-\t-\tmultirange_typanalyze\ti\tx\tf\t0\t-1"
    "\t0\t0" },
  { "pg_type",
    "4536\tint8multirange\t11\t10\t-1\tf\tm\tR\tf\tt\t,\t0\t-\t0\t6157\tmultirange_in\tmultir"
    "ange_out\tmultirange_recv\tmultirange_send\t-\t-\tmultirange_typanalyze\td\tx\tf\t0\t-1"
    "\t0\t0" },
  { "pg_type",
    "4537\tanymultirange\t11\t10\t-1\tf\tp\tP\tf\tt\t,\t0\t-\t0\t0\tanymultirange_in\tanymult"
    "irange_out\t-\t-\t-\t-\t-\td\tx\tf\t0\t-1\t0\t0" },
  { "pg_type",
    "4538\tanycompatiblemultirange\t11\t10\t-1\tf\tp\tP\tf\tt\t,\t0\t-\t0\t0\tanycompatiblemu"
    "ltirange_in\tanycompatiblemultirange_out\t-\t-\t-\t-\t-\td\tx\tf\t0\t-1\t0\t0" },
  { "pg_type",
    "4600\tpg_brin_bloom_summary\t11\t10\t-1\tf\tb\tZ\tf\tt\t,\t0\t-\t0\t0\tbrin_bloom_summar"
    "y_in\tbrin_bloom_summary_out\tbrin_bloom_summary_recv\tbrin_bloom_summary_send\t-\t-\t-"
    "\ti\tx\tf\t0\t-1\t0\t100" },
  { "pg_type",
    "4601\tpg_brin_minmax_multi_summary\t11\t10\t-1\tf\tb\tZ\tf\tt\t,\t0\t-\t0\t0\tbrin_minma"
    "x_multi_summary_in\tbrin_minmax_multi_summary_out\tbrin_minmax_multi_summary_recv\tbrin_"
    "minmax_multi_summary_send\t-\t-\t-\ti\tx\tf\t0\t-1\t0\t100" },
  { "pg_type",
    "5017\tpg_mcv_list\t11\t10\t-1\tf\tb\tZ\tf\tt\t,\t0\t-\t0\t0\tpg_mcv_list_in\tpg_mcv_list"
    "_out\tpg_mcv_list_recv\tpg_mcv_list_send\t-\t-\t-\ti\tx\tf\t0\t-1\t0\t100" },
  { "pg_type",
    "5038\tpg_snapshot\t11\t10\t-1\tf\tb\tU\tf\tt\t,\t0\t-\t0\t5039\tpg_snapshot_in\tpg_snaps"
    "hot_out\tpg_snapshot_recv\tpg_snapshot_send\t-\t-\t-\td\tx\tf\t0\t-1\t0\t0" },
  { "pg_type",
    "5039\t_pg_snapshot\t11\t10\t-1\tf\tb\tA\tf\tt\t,\t0\tarray_subscript_handler\t5038\t0\ta"
    "rray_in\tarray_out\tarray_recv\tarray_send\t-\t-\tarray_typanalyze\td\tx\tf\t0\t-1\t0\t0" },
  { "pg_type",
    "5069\txid8\t11\t10\t8\tt\tb\tU\tf\tt\t,\t0\t-\t0\t271\txid8in\txid8out\txid8recv\txid8se"
    "nd\t-\t-\t-\td\tp\tf\t0\t-1\t0\t0" },
  { "pg_type",
    "5077\tanycompatible\t11\t10\t4\tt\tp\tP\tf\tt\t,\t0\t-\t0\t0\tanycompatible_in\tanycompa"
    "tible_out\t-\t-\t-\t-\t-\ti\tp\tf\t0\t-1\t0\t0" },
  { "pg_type",
    "5078\tanycompatiblearray\t11\t10\t-1\tf\tp\tP\tf\tt\t,\t0\t-\t0\t0\tanycompatiblearray_i"
    "n\tanycompatiblearray_out\tanycompatiblearray_recv\tanycompatiblearray_send\t-\t-\t-\td"
    "\tx\tf\t0\t-1\t0\t0" },
  { "pg_type",
    "5079\tanycompatiblenonarray\t11\t10\t4\tt\tp\tP\tf\tt\t,\t0\t-\t0\t0\tanycompatiblenonar"
    "ray_in\tanycompatiblenonarray_out\t-\t-\t-\t-\t-\ti\tp\tf\t0\t-1\t0\t0" },
  { "pg_type",
    "5080\tanycompatiblerange\t11\t10\t-1\tf\tp\tP\tf\tt\t,\t0\t-\t0\t0\tanycompatiblerange_i"
    "n\tanycompatiblerange_out\t-\t-\t-\t-\t-\td\tx\tf\t0\t-1\t0\t0" },
  { "pg_type",
    "6150\t_int4multirange\t11\t10\t-1\tf\tb\tA\tf\tt\t,\t0\tarray_subscript_handler\t4451\t0"
    "\tarray_in\tarray_out\tarray_recv\tarray_send\t-\t-\tarray_typanalyze\ti\tx\tf\t0\t-1\t0"
    "\t0" },
  { "pg_type",
    "6151\t_nummultirange\t11\t10\t-1\tf\tb\tA\tf\tt\t,\t0\tarray_subscript_handler\t4532\t0"
    "\tarray_in\tarray_out\tarray_recv\tarray_send\t-\t-\tarray_typanalyze\ti\tx\tf\t0\t-1\t0"
    "\t0" },
  { "pg_type",
    "6152\t_tsmultirange\t11\t10\t-1\tf\tb\tA\tf\tt\t,\t0\tarray_subscript_handler\t4533\t0\t"
    "array_in\tarray_out\tarray_recv\tarray_send\t-\t-\tarray_typanalyze\td\tx\tf\t0\t-1\t0\t"
    "0" },
  { "pg_type",
    "6153\t_tstzmultirange\t11\t10\t-1\tf\tb\tA\tf\tt\t,\t0\tarray_subscript_handler\t4534\t0"
    "\tarray_in\tarray_out\tarray_recv\tarray_send\t-\t-\tarray_typanalyze\td\tx\tf\t0\t-1\t0"
    "\t0" },
  { "pg_type",
    "6155\t_datemultirange\t11\t10\t-1\tf\tb\tA\tf\tt\t,\t0\tarray_subscript_handler\t4535\t0"
    "\tarray_in\tarray_out\tarray_recv\tarray_send\t-\t-\tarray_typanalyze\ti\tx\tf\t0\t-1\t0"
    "\t0" },
  { "pg_type",
    "6157\t_int8multirange\t11\t10\t-1\tf\tb\tA\tf\tt\t,\t0\tarray_subscript_handler\t4536\t0"
    "\tarray_in\tarray_out\tarray_recv\tarray_send\t-\t-\tarray_typanalyze\td\tx\tf\t0\t-1\t0"
    "\t0" },
  { 0 },
};
/* clang-format on */
