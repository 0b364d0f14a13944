/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * statement-constructs.c: see the header.
 */
#include "config.h"

#include "tests/daemon/service/statement-constructs.h"

#include "core/base/error.h"

#include <string.h>

#define LONGEST_NUMBER 7

const gchar *const statement_construct_definitions
    = "DEFINE RELATION r { k BIGINT KEY, s STRING, v INT, d DECIMAL, f DOUBLE, b BYTES, "
      "t TIMESTAMP, m MAP<STRING, INT>, l LIST<INT> };"
      "DEFINE PRIMARY SCHEMA p FOR r { TABLE 'p', ROW ordered{k}, FAMILY 'f', "
      "QUALIFIER attr_name[], VALUE attr_value[] };"
      "DEFINE SCHEMA by_s FOR r { TABLE 's', ROW suffix(x'00'){s}:ordered{k}, FAMILY 'f', "
      "VALUE v };"
      "DEFINE SCHEMA by_hash FOR r { TABLE 'h', ROW hash(2){k}:ordered{k}, FAMILY 'f', VALUE v };"
      "DEFINE RELATION q { a STRING KEY, n INT };"
      "DEFINE PRIMARY SCHEMA q1 FOR q { TABLE 'q', ROW a, FAMILY 'f', VALUE n };"
      "INSERT INTO r (k, s, v, d, m, l) VALUES (1, 'one', 1, 1.5, '{\"a\": 1}', '[1, 2]'), "
      "(2, 'two', 2, 2.5, '{}', '[]'), (-3, 'three', 3, 3.5, '{\"b\": 2}', '[7]');"
      "INSERT INTO q VALUES ('x', 1), ('y', 2)";

#define WHERE "SELECT k FROM r WHERE "

/* 121 relations: the time for a condition must not grow with their square. */
#define EIGHT(one, ten, a, b)                                                                      \
  one (ten "0", a, b) one (ten "1", a, b) one (ten "2", a, b) one (ten "3", a, b)                  \
      one (ten "4", a, b) one (ten "5", a, b) one (ten "6", a, b) one (ten "7", a, b)
#define FORTY(one, ten, a, b)                                                                      \
  EIGHT (one, ten "1", a, b)                                                                       \
  EIGHT (one, ten "2", a, b)                                                                       \
  EIGHT (one, ten "3", a, b)                                                                       \
  EIGHT (one, ten "4", a, b)                                                                       \
  EIGHT (one, ten "5", a, b)
#define JOINED(number, join, on) join " JOIN q AS q" number " " on number ".n "
#define MANY(join, on)                                                                             \
  "SELECT 1 FROM q " FORTY (JOINED, "1", join, on) FORTY (JOINED, "2", join, on)                   \
      FORTY (JOINED, "3", join, on) "WHERE "
#define EXISTING(number, exists, on)                                                               \
  exists " (SELECT 1 FROM q AS q" number " WHERE q" number ".n " on ") AND "
#define MANY_EXIST(exists, on)                                                                     \
  WHERE FORTY (EXISTING, "1", exists, on) FORTY (EXISTING, "2", exists, on)                        \
      FORTY (EXISTING, "3", exists, on)
#define EXISTS "EXISTS (SELECT 1 FROM q WHERE n = v AND "

const StatementConstruct statement_constructs[] = {
  /* conditions */
  { "and", WHERE, "k <> #", " AND ", "" },
  { "and-in-parentheses", WHERE, "(k <> #)", " AND ", "" },
  { "and-nested", WHERE, "(k <> # AND ", ")", "k = 1", .is_mirrored = TRUE },
  { "or", WHERE, "k = #", " OR ", "" },
  { "or-of-text", WHERE, "s = 'a#'", " OR ", "" },
  { "or-of-attributes", WHERE, "k = # OR v = # OR s = '#'", " OR ", "" },
  { "or-of-pairs", WHERE, "(k = # AND v = #)", " OR ", "" },
  { "and-of-pairs", WHERE, "(k = # OR v = #)", " AND ", "" },
  { "and-of-in", WHERE, "(k IN (1, #) OR v IN (2, #))", " AND ", "" },
  { "and-or", WHERE, "(k <> # AND (v = # OR s < '#'))", " OR ", "" },
  { "not", WHERE, "NOT ", "", "k = 1" },
  { "in", WHERE "k IN (", "#", ",", ")" },
  { "in-text", WHERE "s IN (", "'x#'", ",", ")" },
  { "in-mixed", WHERE "k IN (v, ", "#", ",", ")" },
  { "in-expressions", WHERE "k IN (", "v + #", ",", ")" },
  { "in-sum", WHERE "k + v IN (", "#", ",", ")" },
  { "in-many", WHERE, "k IN (#, 1, 2)", " AND ", "" },
  { "not-in", WHERE "k NOT IN (", "#", ",", ")" },
  { "not-in-many", WHERE, "k NOT IN (#, -#)", " AND ", "" },
  { "between", WHERE, "k BETWEEN # AND #5", " OR ", "" },
  { "not-between", WHERE, "k NOT BETWEEN # AND #5", " AND ", "" },
  { "between-attributes", WHERE, "v BETWEEN k - # AND k + #", " AND ", "" },
  { "between-nested", WHERE, "(", " BETWEEN FALSE AND TRUE)", "(k = 1)", .is_mirrored = TRUE },
  { "like", WHERE, "s LIKE 'a#%'", " OR ", "" },
  { "like-inside", WHERE, "s LIKE '%a#%'", " OR ", "" },
  { "not-like", WHERE, "s NOT LIKE 'a#%'", " AND ", "" },
  { "like-percents", WHERE "s LIKE '", "%a", "", "'" },
  { "like-underscores", WHERE "s LIKE '", "_", "", "'" },
  { "rlike", WHERE, "s RLIKE '^a#'", " OR ", "" },
  { "rlike-long", WHERE "s RLIKE '", "(a|b)*", "", "'" },
  { "is-null", WHERE, "v IS NULL", " OR ", "" },
  { "ilike", WHERE, "s ILIKE 'a#%'", " OR ", "" },
  { "not-ilike", WHERE, "s NOT ILIKE '%a#%'", " AND ", "" },
  { "ilike-percents", WHERE "s ILIKE '", "%a", "", "'" },
  { "regexp", WHERE, "s ~ '^a#'", " OR ", "" },
  { "regexp-without-case", WHERE, "s ~* 'a#$'", " OR ", "" },
  { "not-regexp", WHERE, "s !~ '^a#'", " AND ", "" },
  { "regexp-long", WHERE "s ~ '", "(a|b)*", "", "'" },
  { "distinct-from", WHERE, "v IS DISTINCT FROM #", " AND ", "" },
  { "not-distinct-from", WHERE, "v IS NOT DISTINCT FROM #", " OR ", "" },
  { "distinct-from-nested", WHERE, "(", " IS DISTINCT FROM TRUE)", "k = 1", .is_mirrored = TRUE },
  { "any", WHERE "k = ANY (ARRAY[", "#", ",", "])" },
  { "any-less", WHERE "k < ANY (ARRAY[", "#", ",", "])" },
  { "any-text", WHERE "s = ANY (ARRAY[", "'x#'", ",", "])" },
  { "any-of-literal", WHERE "k = ANY ('{", "#", ",", "}')" },
  { "any-many", WHERE, "k = ANY (ARRAY[#, 1])", " OR ", "" },
  { "all", WHERE "k <> ALL (ARRAY[", "#", ",", "])" },
  { "all-many", WHERE, "k <> ALL (ARRAY[#, -#])", " AND ", "" },
  { "row-equal", WHERE, "(k, v) = (#, 2)", " OR ", "" },
  { "row-not-equal", WHERE, "(k, v) <> (#, 2)", " AND ", "" },
  { "row-less", WHERE, "(k, v) < (#, 2)", " OR ", "" },
  { "row-in", WHERE "(k, v) IN (", "(#, 2)", ",", ")" },
  { "row-not-in", WHERE "(k, v) NOT IN (", "(#, 2)", ",", ")" },
  { "row-wide", WHERE "(", "k, ", ", 1", "k) = (1", .is_mirrored = TRUE, .tail = ")" },
  { "row-wide-less", WHERE "(", "k, ", ", 1", "k) < (1", .is_mirrored = TRUE, .tail = ")" },
  { "mixed", WHERE, "(k = # OR s LIKE 'a%' AND v BETWEEN # AND 7 OR d IN (#, 2))", " AND ", "" },
  { "attributes", WHERE, "k <> v", " AND ", "" },
  { "decimals", WHERE, "d <> #.5", " AND ", "" },
  { "doubles", WHERE, "f <> #e0", " AND ", "" },
  { "timestamps", WHERE, "t <> TIMESTAMP '2024-02-29 00:00:00'", " AND ", "" },
  { "bytes", WHERE, "b <> x'00ff'", " AND ", "" },
  { "map-keys", WHERE, "m['k#'] = 1", " OR ", "" },
  { "subqueries", WHERE, "v IN (SELECT n FROM q WHERE n = #)", " OR ", "" },
  { "subqueries-nested", "SELECT a FROM q WHERE ", "n IN (SELECT n FROM q WHERE ", ")", "n = 1",
    .is_mirrored = TRUE },
  { "exists", WHERE, "EXISTS (SELECT 1 FROM q WHERE n = v AND n < #)", " AND ", "" },
  { "exists-without-correlation", WHERE, "EXISTS (SELECT 1 FROM q WHERE n = #)", " OR ", "" },
  { "exists-nested", WHERE, EXISTS, ")", "n = 1", .is_mirrored = TRUE },
  { "exists-refused", WHERE, EXISTS "n < #)", " OR ", "" },
  { "exists-negated", WHERE, "NOT ", "", EXISTS "n < 2)" },
  { "exists-condition", WHERE EXISTS, "n <> #", " AND ", ")" },
  { "exists-or", WHERE EXISTS "(", "n = # OR k = #", " OR ", "))" },
  { "exists-in", WHERE EXISTS "n IN (", "#", ",", "))" },
  { "exists-outputs", WHERE "EXISTS (SELECT ", "n + #", ",", " FROM q WHERE n = v)" },
  { "exists-condition-outside", WHERE EXISTS "n < 9) AND ", "v <> #", " AND ", "" },
  { "not-exists-condition-outside", WHERE "NOT " EXISTS "n < 9) AND ", "v <> #", " AND ", "" },
  { "not-exists-pairs", WHERE "NOT EXISTS (SELECT 1 FROM q WHERE ", "n <> k + #", " AND ", ")" },
  { "not-in-correlated", WHERE, "v NOT IN (SELECT n FROM q WHERE n = k AND n < #)", " AND ", "" },
  { "not-in-condition", WHERE "v NOT IN (SELECT n FROM q WHERE ", "(n = # OR k <> #)", " AND ",
    ")" },
  { "many-exist", MANY_EXIST ("EXISTS", "= v"), "v <> #", " AND ", "" },
  { "many-exist-or", MANY_EXIST ("EXISTS", "< v"), "(v > # AND v <> #1)", " OR ", "" },
  { "many-not-exist", MANY_EXIST ("NOT EXISTS", "= v"), "(v > # OR s <> '#')", " AND ", "" },
  { "subquery-items", "SELECT ", "(SELECT n FROM q WHERE n = k + # LIMIT 1)", ", ", " FROM r" },
  { "functions-in-from", "SELECT 1 FROM q, ", "generate_series (1, 1) AS g#", ", ", "" },
  { "function-arguments", "SELECT count(*) FROM unnest (ARRAY[", "#", ",", "]) AS u" },
  { "functions-of-lists", "SELECT 1 FROM unnest (", "ARRAY[#]", ",", ") AS u" },
  { "lateral-queries", "SELECT 1 FROM q, ", "LATERAL (SELECT q.n + # AS c) AS x#", ", ", "" },
  { "lateral-condition", "SELECT 1 FROM q, LATERAL (SELECT k FROM r WHERE ", "k <> q.n + #",
    " AND ", ") AS x" },
  { "lateral-of-lateral", "SELECT 1 FROM q, ", "LATERAL (SELECT q.n FROM r AS r#, ", ") AS x",
    "LATERAL (SELECT q.n AS m) AS y", .is_mirrored = TRUE },
  { "update-from", "UPDATE q SET n = x.b FROM (VALUES ", "('z#', #)", ",",
    ") AS x (a, b) WHERE x.a = q.a" },
  { "delete-using", "DELETE FROM q USING r WHERE FALSE AND ", "(n <> k + # OR k > #)", " AND ",
    "" },
  { "subqueries-or", WHERE, "v + # IN (SELECT n FROM q WHERE n = k)", " OR ", "" },
  { "subquery-in", WHERE "v IN (SELECT n FROM q WHERE n IN (", "#", ",", "))" },
  /* expressions */
  { "parentheses", "SELECT ", "(", ")", "1", .is_mirrored = TRUE },
  { "sum", "SELECT k", " + #", "", " FROM r" },
  { "sum-of-constants", "SELECT 0", " + 1", "", "" },
  { "sums-in-terms", WHERE, "k + v = #", " OR ", "" },
  { "sums-solved", WHERE, "k + # = 7", " OR ", "" },
  { "concatenation", "SELECT s", " || 'a'", "", " FROM r" },
  { "signs", "SELECT ", "- ", "", "1" },
  { "plus-signs", "SELECT ", "+", "", "1" },
  { "calls", "SELECT ", "lower(", ")", "s", .is_mirrored = TRUE, .tail = " FROM r" },
  { "arguments", "SELECT concat(", "s", ",", ") FROM r" },
  { "coalesce", "SELECT coalesce(", "v", ",", ") FROM r" },
  { "greatest", "SELECT greatest(", "#", ",", ")" },
  { "casts", "SELECT k", "::BIGINT", "", " FROM r" },
  { "case", "SELECT CASE k ", "WHEN # THEN 1 ", "", "END FROM r" },
  { "case-nested", "SELECT ", "CASE WHEN k = 1 THEN 1 ELSE ", " END", "v", .is_mirrored = TRUE,
    .tail = " FROM r" },
  { "case-of-sum", "SELECT CASE k + v * 2 - 1 ", "WHEN # THEN 'a' ", "", "END FROM r" },
  { "subscripts", "SELECT m", "['a']", "", " FROM r", .error = KVSQL_ERROR_TYPE },
  { "list-of-calls", WHERE, "abs(k - #) > 3", " AND ", "" },
  { "json-steps", "SELECT '{\"a\": 1}'::jsonb", " -> 'a'", "", "" },
  { "json-members", "SELECT ", "'{\"a\": 1}'::jsonb ->> 'a#'", ",", "" },
  { "json-at-path", "SELECT '{\"a\": 1}'::jsonb #> '{", "a", ",", "}'" },
  { "json-at-paths", "SELECT ", "'{\"a\": 1}'::jsonb ##>> '{a,#}'", ",", "" },
  { "json-without", "SELECT '{\"a\": 1}'::jsonb", " - 'a#'", "", "" },
  { "json-contains", "SELECT ", "'{\"a\": 1}'::jsonb @> '{\"a\": #}'", " OR ", "" },
  { "json-concatenation", "SELECT '{\"a\": 1}'::jsonb", " || '{\"a#\": 1}'", "", "" },
  { "intervals", "SELECT t", " + INTERVAL '# seconds'", "", " FROM r" },
  { "intervals-compared", WHERE, "t - t <> INTERVAL '# days'", " AND ", "" },
  { "interval-text", "SELECT INTERVAL '", "1 day ", "", "'", .error = KVSQL_ERROR_VALUE },
  { "interval-digits", "SELECT INTERVAL '", "9", "", " days'" },
  /* lists */
  { "items", "SELECT ", "k", ",", " FROM r" },
  { "items-of-constants", "SELECT ", "#", ",", "" },
  { "items-of-sums", "SELECT ", "k + #", ",", " FROM r" },
  { "items-with-aliases", "SELECT ", "k AS a#", ",", " FROM r" },
  { "items-stars", "SELECT ", "*", ",", " FROM r" },
  { "aggregates", "SELECT ", "sum(v)", ",", " FROM r" },
  { "aggregates-of-sums", "SELECT ", "sum(v + #)", ",", " FROM r" },
  { "windows", "SELECT ", "rank() OVER (ORDER BY k + #)", ", ", " FROM r" },
  { "windows-named", "SELECT 1 FROM r WINDOW ", "w# AS (ORDER BY k)", ", ", "" },
  { "window-partition", "SELECT rank() OVER (PARTITION BY ", "k + #", ", ", ") FROM r" },
  { "distinct-on", "SELECT DISTINCT ON (", "k + #", ", ", ") k FROM r" },
  { "group-by", "SELECT count(*) FROM r GROUP BY ", "k + #", ",", "" },
  { "group-by-same", "SELECT k FROM r GROUP BY ", "k", ",", "" },
  { "group-items", "SELECT ", "k + #", ",", " FROM r GROUP BY k" },
  { "having", "SELECT k FROM r GROUP BY k HAVING ", "count(*) <> #", " AND ", "" },
  { "grouping-sets", "SELECT count(*) FROM r GROUP BY GROUPING SETS (", "(k + #)", ", ", ")" },
  { "grouping-sets-same", "SELECT k, s FROM r GROUP BY GROUPING SETS (", "(k, s), (v)", ", ", ")" },
  { "grouping-sets-nested", "SELECT k FROM r GROUP BY ", "GROUPING SETS (", ")", "k",
    .is_mirrored = TRUE },
  { "grouping-set-wide", "SELECT count(*) FROM r GROUP BY GROUPING SETS ((", "k + #", ", ", "))" },
  { "rollup", "SELECT count(*) FROM r GROUP BY ROLLUP (", "k + #", ", ", ")" },
  { "rollups", "SELECT k FROM r GROUP BY ", "ROLLUP (k, v)", ", ", "" },
  { "cube", "SELECT count(*) FROM r GROUP BY CUBE (", "k + #", ", ", ")" },
  { "cubes", "SELECT k FROM r GROUP BY ", "CUBE (k, v)", ", ", "" },
  { "grouping-calls", "SELECT ", "grouping(k)", ", ", " FROM r GROUP BY ROLLUP (k)" },
  { "filters", "SELECT ", "count(*) FILTER (WHERE k <> #)", ", ", " FROM r" },
  { "filter-and", "SELECT count(*) FILTER (WHERE ", "k <> #", " AND ", ") FROM r" },
  { "string-aggs", "SELECT ", "string_agg(s, '#' ORDER BY k)", ", ", " FROM r" },
  { "string-agg-order", "SELECT string_agg(s, ',' ORDER BY ", "k + #", ", ", ") FROM r" },
  { "string-agg-separator", "SELECT string_agg(s, '", "a", "", "') FROM r" },
  { "order-by", "SELECT k FROM r ORDER BY ", "k", ",", "" },
  { "order-by-sums", "SELECT k FROM r ORDER BY ", "k + #", ",", "" },
  { "order-by-attributes", "SELECT k FROM r ORDER BY ", "s, v, d, f, t", ",", "" },
  { "from", "SELECT 1 FROM ", "q AS q#", ",", "" },
  { "joins", "SELECT 1 FROM q ", "JOIN q AS q# ON q#.n = q.n ", "", "" },
  { "cross-joins", "SELECT 1 FROM q ", "CROSS JOIN q AS q# ", "", "" },
  { "join-condition", "SELECT 1 FROM r, q WHERE ", "r.v = q.n", " AND ", "" },
  { "join-or", "SELECT 1 FROM r, q WHERE ", "(r.k = # AND q.n = #)", " OR ", "" },
  { "many-joined-equal", MANY ("", "ON q.n <= q"), "q112.n = q354.n", " AND ", "" },
  { "many-joined-less", MANY ("", "ON q.n = q"), "q112.n <= q354.n", " AND ", "" },
  { "many-left-joined", MANY ("LEFT", "ON q.n = q"), "(q354.n IS NULL OR q354.n <> #)", " AND ",
    "" },
  { "many-left-joined-implied", MANY ("LEFT", "ON q.n = q"), "q.n <> #", " AND ", "" },
  { "many-joined-implied", MANY ("", "ON q.n = q"), "(q.n > # AND q.n <> #1)", " OR ", "" },
  { "hints", "SELECT 1 FROM r ", "USING SCHEMA p ", "", "", .error = KVSQL_ERROR_SYNTAX },
  { "store-table", "SELECT count(*) FROM TABLE '", "t", "", "'",
    .error = KVSQL_ERROR_UNKNOWN_NAME },
  { "store-tables", "SELECT 1 FROM ", "TABLE 'p' AS t#", ", ", "" },
  { "store-tables-in-union", "", "SELECT row FROM TABLE 'p'", " UNION ALL ", "" },
  /* set operations */
  { "unions", "", "SELECT k FROM r WHERE k = #", " UNION ALL ", "" },
  { "unions-distinct", "", "SELECT s, v + # AS n FROM r", " UNION ", " ORDER BY n LIMIT 3" },
  { "unions-of-unions", "", "SELECT # UNION ALL SELECT n FROM q", " UNION ", "" },
  { "unions-in", "SELECT a FROM q WHERE n IN (", "SELECT #", " UNION ", ")" },
  { "excepts", "", "SELECT k FROM r WHERE v > #", " EXCEPT ", "" },
  { "intersects", "", "SELECT s FROM r", " INTERSECT ALL ", "" },
  { "operands-nested", "SELECT 1 UNION ", "(SELECT k FROM r EXCEPT ", ")", "SELECT 2",
    .is_mirrored = TRUE },
  { "queries-in-parentheses", "", "(", ")", "SELECT k FROM r", .is_mirrored = TRUE },
  { "queries-in-from", "SELECT k FROM ", "(SELECT k FROM ", " WHERE k > 0) AS x", "r",
    .is_mirrored = TRUE },
  { "from-in-parentheses", "SELECT * FROM ", "(", ")", "(SELECT k FROM r) AS x",
    .is_mirrored = TRUE },
  { "conditions-on-query", "SELECT k FROM (SELECT k, v FROM r) AS x WHERE ", "k <> v + #", " AND ",
    "" },
  { "conditions-on-groups", "SELECT k FROM (SELECT k, count(*) AS n FROM r GROUP BY k) AS x WHERE ",
    "k <> #", " AND ", "" },
  { "conditions-on-union", "SELECT k FROM (SELECT k FROM r UNION SELECT n FROM q) AS x WHERE ",
    "k <> #", " AND ", "" },
  { "conditions-on-joined-query",
    "SELECT x.k FROM q JOIN (SELECT k FROM r LIMIT 9) AS x ON x.k = q.n WHERE ", "k <> #", " AND ",
    "" },
  { "queries-joined", "SELECT 1 FROM ", "(SELECT # AS a) AS x#", ", ", "" },
  { "columns-renamed", "SELECT 1 FROM (SELECT 1 AS a) AS x (", "a#", ", ", ")",
    .error = KVSQL_ERROR_INVALID },
  { "values-rows", "VALUES ", "(#, 'a')", ", ", " ORDER BY 1 LIMIT 1" },
  { "values-rows-joined", "SELECT k FROM r JOIN (VALUES ", "(#)", ", ", ") AS x (a) ON r.k = x.a" },
  { "values-computed", "VALUES ", "(random() + #)", ", ", "" },
  { "values-columns", "VALUES (", "#", ", ", ")" },
  { "with-queries", "WITH ", "x# AS (SELECT # AS a)", ", ", " SELECT 1" },
  { "with-uses", "WITH x AS (SELECT 1 AS a) ", "SELECT a FROM x", " UNION ALL ", "" },
  { "with-nested", "", "(WITH x AS (SELECT 1 AS a) SELECT a FROM x EXCEPT ", ")", "SELECT 2",
    .is_mirrored = TRUE },
  { "recursive-queries", "WITH RECURSIVE ", "x# AS (SELECT 1 AS a UNION SELECT a FROM x#)", ", ",
    " SELECT 1" },
  { "recursive-condition",
    "WITH RECURSIVE x AS (SELECT 1 AS a UNION ALL SELECT a + 1 FROM x WHERE a < 3 AND ", "a <> -#",
    " AND ", ") SELECT count(*) FROM x" },
  { "items-of-union", "SELECT ", "k AS c#, ", ", 1", "k FROM r UNION SELECT 1",
    .is_mirrored = TRUE },
  /* literals and blanks */
  { "text", "SELECT '", "a", "", "'" },
  { "text-of-quotes", "SELECT '", "''", "", "'" },
  { "text-of-utf8", "SELECT 'ä", "ä€", "", "'" },
  { "text-compared", WHERE "s = '", "x", "", "'" },
  { "text-less", WHERE "s < '", "x", "", "'" },
  { "bytes-literal", "SELECT x'", "00", "", "'" },
  { "digits", "SELECT ", "9", "", "" },
  { "digits-of-fraction", "SELECT 0.", "9", "", "" },
  { "digits-compared", WHERE "d < ", "9", "", "" },
  { "zeros", "SELECT ", "0", "", "" },
  { "exponent", "SELECT 1e", "0", "", "1" },
  { "name", "SELECT ", "a", "", " FROM r", .error = KVSQL_ERROR_UNKNOWN_NAME },
  { "quoted-name", "SELECT `", "a", "", "` FROM r", .error = KVSQL_ERROR_UNKNOWN_NAME },
  { "double-quoted-name", "SELECT \"", "a", "", "\" FROM r", .error = KVSQL_ERROR_UNKNOWN_NAME },
  { "double-quoted-names", "SELECT ", "\"k\"", ",", " FROM \"r\"" },
  { "double-quoted-alias", "SELECT 1 AS \"", "a", "", "\"" },
  { "double-quoted-aliases", "SELECT ", "k AS \"a #\"", ",", " FROM r" },
  { "double-quoted-quotes", "SELECT 1 AS \"", "\"\"", "", "\"" },
  { "name-of-relation", "SELECT k FROM ", "r", "", "", .error = KVSQL_ERROR_UNKNOWN_NAME },
  { "name-of-function", "SELECT ", "f", "", "(1)", .error = KVSQL_ERROR_UNKNOWN_NAME },
  { "name-of-type", "SELECT CAST (1 AS ", "T", "", ")", .error = KVSQL_ERROR_UNKNOWN_NAME },
  { "blanks", "SELECT 1", " ", "", "" },
  { "comments", "SELECT 1", "/* a */", "", "" },
  { "comments-of-stars", "SELECT 1 /*", "*", "", "*/" },
  { "comment-lines", "SELECT 1 -- a\n", "-- b\n", "", "" },
  { "comment-open", "SELECT 1 /*", "* ", "", "", .error = KVSQL_ERROR_SYNTAX },
  { "semicolons", "SELECT 1", ";", "", "" },
  { "statements", "", "SELECT #", ";", "", .error = KVSQL_ERROR_SYNTAX },
  { "symbols", "SELECT ", "<", "", "", .error = KVSQL_ERROR_SYNTAX },
  { "junk", "", "!", "", "", .error = KVSQL_ERROR_SYNTAX },
  { "words", "", "a ", "", "", .error = KVSQL_ERROR_SYNTAX },
  { "open-quotes", "SELECT ", "'' ", "", "'", .error = KVSQL_ERROR_SYNTAX },
  { "map-literal", "SELECT CAST ('{", "\"a#\": 1", ",", "}' AS MAP<STRING, INT>)" },
  { "list-literal", "SELECT CAST ('[", "#", ",", "]' AS LIST<INT>)" },
  { "list-nested", "SELECT CAST ('", "[", "]", "", .is_mirrored = TRUE, .tail = "' AS LIST<INT>)",
    .error = KVSQL_ERROR_VALUE },
  { "map-put", "SELECT ", "map_put(", ", 'a', 1)", "m", .is_mirrored = TRUE, .tail = " FROM r" },
  { "json-blanks", "SELECT CAST ('[1", " ", "", "]' AS LIST<INT>)" },
  { "json-members-of-literal", "SELECT '{", "\"a#\": 1", ",", "}'::jsonb" },
  { "json-nested", "SELECT '", "[", "]", "", .is_mirrored = TRUE, .tail = "'::jsonb" },
  { "repeat", "SELECT ", "length(repeat('ab#', 1000))", ",", "" },
  { "parameters", WHERE, "k <> ?", " AND ", "" },
  { "parameters-in", WHERE "k IN (", "?", ",", ")" },
  { "named-parameters", WHERE, "k <> :a#", " AND ", "" },
  { "one-named-parameter", WHERE "k IN (", ":a", ",", ")" },
  /* writing */
  { "rows", "INSERT INTO q VALUES ", "('a#', #)", ",", "", "DELETE FROM q WHERE a LIKE 'a%'" },
  { "rows-same", "INSERT INTO q VALUES ", "('a', #)", ",", "", "DELETE FROM q WHERE a LIKE 'a%'" },
  { "rows-wrong", "INSERT INTO q VALUES ", "('a#', 'x')", ",", "", .error = KVSQL_ERROR_VALUE },
  { "rows-of-sums", "INSERT INTO q VALUES ", "('a' || #, # + 1)", ",", "",
    "DELETE FROM q WHERE a LIKE 'a%'" },
  { "row-values", "INSERT INTO q VALUES (", "#", ",", ")", .error = KVSQL_ERROR_INVALID },
  { "row-attributes", "INSERT INTO q (", "a", ",", ") VALUES (1)", .error = KVSQL_ERROR_SYNTAX },
  { "row-text", "INSERT INTO q VALUES ('z', 1), ('", "a", "", "', 1)",
    "DELETE FROM q WHERE a = 'z' OR a LIKE 'a%'" },
  { "row-conflict", "INSERT INTO q VALUES ('x', 1) ON CONFLICT DO UPDATE SET n = 1 WHERE ",
    "q.n <> #", " AND ", "" },
  { "row-conflict-rows", "INSERT INTO q VALUES ", "('a#', #)", ",", " ON CONFLICT DO NOTHING",
    "DELETE FROM q WHERE a LIKE 'a%'" },
  { "returning", "INSERT INTO q VALUES ('x', 1) RETURNING ", "n + #", ",", "" },
  { "assignments", "UPDATE q SET ", "n = #", ",", " WHERE a = 'x'", .error = KVSQL_ERROR_INVALID },
  { "assignments-of-entries", "UPDATE r SET ", "m['a#'] = #", ",", " WHERE k = 1" },
  { "assignment-sum", "UPDATE q SET n = n", " + #", "", " WHERE a = 'x'" },
  { "update-where", "UPDATE q SET n = 1 WHERE ", "a = 'a#'", " OR ", "" },
  { "update-in", "UPDATE q SET n = 1 WHERE a IN (", "'a#'", ",", ")" },
  { "update-and", "UPDATE q SET n = 1 WHERE ", "n <> #", " AND ", "" },
  { "delete-where", "DELETE FROM q WHERE ", "a = 'a#'", " OR ", "" },
  { "delete-in", "DELETE FROM q WHERE a IN (", "'a#'", ",", ")" },
  { "delete-and", "DELETE FROM q WHERE n = 77 AND ", "a <> 'a#'", " AND ", "" },
  { "truncate", "TRUNCATE ", "q", ", ", "",
    "INSERT INTO q VALUES ('x', 1), ('y', 2) ON CONFLICT DO NOTHING" },
  { "truncate-unknown", "TRUNCATE TABLE ", "z#", ", ", "", .error = KVSQL_ERROR_UNKNOWN_NAME },
  { "update-exists", "UPDATE q SET n = n WHERE EXISTS (SELECT 1 FROM r WHERE v = n AND ", "k <> #",
    " AND ", ")" },
  { "delete-exists", "DELETE FROM q WHERE n = 77 AND EXISTS (SELECT 1 FROM r WHERE v = n) AND ",
    "a <> 'a#'", " AND ", "" },
  /* definitions */
  { "attributes-of-relation", "DEFINE RELATION z { a INT KEY", ", a# INT", "", " }",
    "DROP RELATION IF EXISTS z" },
  { "constraints", "DEFINE RELATION z { a INT KEY ", "NOT NULL ", "", " }",
    "DROP RELATION IF EXISTS z", .error = KVSQL_ERROR_SYNTAX },
  { "columns", "CREATE TABLE z (a INT PRIMARY KEY", ", a# INT", "", ")",
    "DROP RELATION IF EXISTS z" },
  { "columns-with-defaults", "CREATE TABLE z (a INT PRIMARY KEY", ", a# TEXT NOT NULL DEFAULT 'a#'",
    "", ")", "DROP RELATION IF EXISTS z" },
  { "columns-of-key", "CREATE TABLE z (a INT, PRIMARY KEY (", "a", ", ", "))",
    "DROP RELATION IF EXISTS z", .error = KVSQL_ERROR_DEFINITION },
  { "columns-of-query", "CREATE TABLE z AS SELECT ", "k + # AS c#", ", ", " FROM r",
    "DROP RELATION IF EXISTS z" },
  { "columns-of-index", "CREATE INDEX z ON r (", "v", ", ", ")", "DROP INDEX IF EXISTS z",
    .error = KVSQL_ERROR_DEFINITION },
  { "columns-of-index-unknown", "CREATE INDEX z ON r (", "a#", ", ", ")", "DROP INDEX IF EXISTS z",
    .error = KVSQL_ERROR_UNKNOWN_NAME },
  { "columns-included", "CREATE INDEX z ON r (v) INCLUDE (", "s", ", ", ")",
    "DROP INDEX IF EXISTS z", .error = KVSQL_ERROR_DEFINITION },
  { "default", "DEFINE RELATION z { a INT KEY, b INT DEFAULT 1", " + 1", "", " }",
    "DROP RELATION IF EXISTS z" },
  { "checks", "CREATE TABLE z (a INT PRIMARY KEY, b INT, ", "CHECK (b <> #)", ", ", ")",
    "DROP RELATION IF EXISTS z" },
  { "checks-of-column", "CREATE TABLE z (a INT PRIMARY KEY, b INT ", "CHECK (b <> #) ", "", ")",
    "DROP RELATION IF EXISTS z" },
  { "checks-named", "DEFINE RELATION z { a INT KEY, ", "CONSTRAINT c# CHECK (a <> #)", ", ", " }",
    "DROP RELATION IF EXISTS z" },
  { "check-and", "CREATE TABLE z (a INT PRIMARY KEY, b INT CHECK (", "b <> #", " AND ", "))",
    "DROP RELATION IF EXISTS z" },
  { "unique-ignored", "CREATE TABLE z (a INT PRIMARY KEY, b INT, ", "UNIQUE (b)", ", ",
    ") WITH (constraints = 'ignore')", "DROP RELATION IF EXISTS z" },
  { "view-items", "CREATE OR REPLACE VIEW w AS SELECT ", "k + # AS c#", ", ", " FROM r",
    "DROP VIEW IF EXISTS w" },
  { "view-condition", "CREATE OR REPLACE VIEW w AS SELECT k FROM r WHERE ", "k <> #", " AND ", "",
    "DROP VIEW IF EXISTS w" },
  { "grant-attributes", "GRANT SELECT (", "n", ", ", ") ON q TO PUBLIC",
    "REVOKE SELECT (n) ON q FROM PUBLIC" },
  { "grant-roles", "GRANT SELECT ON q TO ", "z#", ", ", "", .error = KVSQL_ERROR_UNKNOWN_NAME },
  { "cells", "DEFINE SCHEMA z FOR q { TABLE 'z', ROW a, CELLS { ", "'f':'c#' = n", ", ", " } }",
    "DROP SCHEMA IF EXISTS z", .error = KVSQL_ERROR_DEFINITION },
  { "cell-constants", "DEFINE SCHEMA z FOR q { TABLE 'z', ROW a, CELLS { 'f':", "'c'", ":",
    " = n } }", "DROP SCHEMA IF EXISTS z" },
  { "json-paths", "DEFINE SCHEMA z FOR q { TABLE 'z', ROW a, FAMILY 'f', VALUE ", "json('$.x#'){n}",
    ":", " }", "DROP SCHEMA IF EXISTS z" },
  { "row-of-constants", "DEFINE SCHEMA z FOR q { TABLE 'z', ROW ", "'c#'", ":",
    ":a, FAMILY 'f', VALUE n }", "DROP SCHEMA IF EXISTS z" },
  { "row-constant", "DEFINE SCHEMA z FOR q { TABLE 'z', ROW '", "c", "",
    "':a, FAMILY 'f', VALUE n }", "DROP SCHEMA IF EXISTS z" },
  { "row-of-attributes", "DEFINE SCHEMA z FOR q { TABLE 'z', ROW ", "size{a}", ":",
    ", FAMILY 'f', VALUE n }", "DROP SCHEMA IF EXISTS z" },
  { "row-of-suffixes", "DEFINE SCHEMA z FOR q { TABLE 'z', ROW ", "suffix('-'){a}", ":",
    ", FAMILY 'f', VALUE n }", "DROP SCHEMA IF EXISTS z" },
  { "row-of-parts", "DEFINE SCHEMA z FOR q { TABLE 'z', ROW ", "hash(2){a}", ":",
    ":a, FAMILY 'f', VALUE n }", "DROP SCHEMA IF EXISTS z" },
  { "separator", "DEFINE SCHEMA z FOR q { TABLE 'z', ROW suffix('", "ab", "",
    "'){a}, FAMILY 'f', VALUE n }", "DROP SCHEMA IF EXISTS z" },
  { "value-of-suffixes", "DEFINE SCHEMA z FOR q { TABLE 'z', ROW a, FAMILY 'f', VALUE ",
    "suffix('-'){text{n}}", ":", " }", "DROP SCHEMA IF EXISTS z" },
  { "elements-nested", "DEFINE SCHEMA z FOR q { TABLE 'z', ROW a, FAMILY 'f', VALUE ", "hex{", "}",
    "text{n}", "DROP SCHEMA IF EXISTS z", .is_mirrored = TRUE, .tail = " }" },
  { "regexp-text", "DEFINE SCHEMA z FOR q { TABLE 'z', ROW a, FAMILY 'f', VALUE regexp('", "a", "",
    "'){text{n}} }", "DROP SCHEMA IF EXISTS z" },
  { "regexp-classes", "DEFINE SCHEMA z FOR q { TABLE 'z', ROW a, FAMILY 'f', VALUE regexp('",
    "[0-9]{1,9}", "", "'){text{n}} }", "DROP SCHEMA IF EXISTS z" },
  { "regexp-alternatives", "DEFINE SCHEMA z FOR q { TABLE 'z', ROW a, FAMILY 'f', VALUE regexp('",
    "(1#|2)*", "|", "'){text{n}} }", "DROP SCHEMA IF EXISTS z" },
  { "options", "DEFINE SCHEMA z FOR q { TABLE 'z', ROW a, FAMILY 'f', VALUE n } WITH (",
    "role = read", ",", ")", "DROP SCHEMA IF EXISTS z", .error = KVSQL_ERROR_DEFINITION },
  { "alter-add", "ALTER RELATION q ", "ADD z# INT", ", ", "", .error = KVSQL_ERROR_SYNTAX },
  { "alter-drop", "ALTER RELATION q ", "DROP z#", ", ", "", .error = KVSQL_ERROR_SYNTAX },
  { "alter-check", "ALTER TABLE q ADD CONSTRAINT c CHECK (", "n <> -#", " AND ", ")",
    "ALTER TABLE q DROP CONSTRAINT IF EXISTS c" },
  { "alter-default", "ALTER TABLE q ALTER n SET DEFAULT 1", " + #", "", "",
    "ALTER TABLE q ALTER n DROP DEFAULT" },
  { "alter-rename", "ALTER RELATION q RENAME ", "n TO n#", ", ", "", .error = KVSQL_ERROR_SYNTAX },
  { "drop", "DROP RELATION ", "z", "", "", .error = KVSQL_ERROR_UNKNOWN_NAME },
  { "drop-list", "DROP TABLE IF EXISTS ", "z#", ", ", "" },
  { "drop-list-unknown", "DROP VIEW ", "z#", ", ", "", .error = KVSQL_ERROR_UNKNOWN_NAME },
  { "describe", "DESCRIBE ", "z", "", "", .error = KVSQL_ERROR_UNKNOWN_NAME },
  { "describe-store-table", "DESCRIBE TABLE '", "t", "", "'", .error = KVSQL_ERROR_UNKNOWN_NAME },
  { "show", "SHOW HISTORY FOR ", "z", "", "" },
  { "show-create", "SHOW CREATE ", "z", "", "", .error = KVSQL_ERROR_UNKNOWN_NAME },
  { "show-create-store-table", "SHOW CREATE TABLE '", "t", "", "'",
    .error = KVSQL_ERROR_UNKNOWN_NAME },
  { "show-tables-like", "SHOW TABLES LIKE '", "%t", "", "'" },
  { "explain", "", "EXPLAIN ", "", "SELECT 1", .error = KVSQL_ERROR_SYNTAX },
  { "kill", "KILL ", "9", "", "", .error = KVSQL_ERROR_UNKNOWN_NAME },
};

const guint n_statement_constructs = G_N_ELEMENTS (statement_constructs);

static void
append_term (GString *out, const gchar *term, guint number)
{
  for (; *term != '\0'; term++)
    if (*term == '#' && term[1] != '#')
      g_string_append_printf (out, "%u", number);
    else
      g_string_append_c (out, *(term += *term == '#'));
}

gchar *
statement_construct_repeat (const StatementConstruct *self, guint n)
{
  GString *out = g_string_new (self->begin);

  for (guint i = 0; i < n; i++)
    {
      if (i > 0 && !self->is_mirrored)
        g_string_append (out, self->joint);
      append_term (out, self->term, i + 1);
    }
  g_string_append (out, self->end);
  for (guint i = 0; i < n && self->is_mirrored; i++)
    g_string_append (out, self->joint);
  if (self->tail != NULL)
    g_string_append (out, self->tail);
  return g_string_free (out, FALSE);
}

guint
statement_construct_count_fitting (const StatementConstruct *self, gsize size)
{
  gsize fixed
      = strlen (self->begin) + strlen (self->end) + (self->tail == NULL ? 0 : strlen (self->tail));
  gsize each = strlen (self->term) + strlen (self->joint);

  for (const gchar *at = strchr (self->term, '#'); at != NULL; at = strchr (at + 1, '#'))
    each += LONGEST_NUMBER - 1;
  return (guint)((size - fixed) / each);
}
