-- The same data four times: the count of a word in a source. Each relation has one layout. With plain writes, a source can be
-- deleted as of a time.

-- 1. The number of the source in four bytes, then the word: the rows of a source are adjacent.
DEFINE RELATION by_number { source INT KEY, word STRING KEY, n BIGINT } WITH (writes = plain);
DEFINE PRIMARY SCHEMA numbers FOR by_number { TABLE 'wc_number', ROW source:word, FAMILY 'f', VALUE n };

-- 2. Name of the source, a space, the word. A name with a space in it would be rejected.
DEFINE RELATION by_name { source STRING KEY, word STRING KEY, n BIGINT } WITH (writes = plain);
DEFINE PRIMARY SCHEMA names FOR by_name { TABLE 'wc_name', ROW suffix(' '){source}:word, FAMILY 'f', VALUE n };

-- 3. A row for each word, a column for each source.
DEFINE RELATION by_word { source STRING KEY, word STRING KEY, n BIGINT } WITH (writes = plain);
DEFINE PRIMARY SCHEMA words FOR by_word { TABLE 'wc_word', ROW word, FAMILY 'f', QUALIFIER source, VALUE n };

-- 4. A row for each source, a column for each word: rows can have millions of columns.
DEFINE RELATION by_source { source STRING KEY, word STRING KEY, n BIGINT } WITH (writes = plain);
DEFINE PRIMARY SCHEMA sources FOR by_source { TABLE 'wc_source', ROW source, FAMILY 'f', QUALIFIER word, VALUE n };
