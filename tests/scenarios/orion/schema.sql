-- A post to review. state: 0 waiting, 1 in work, 2 done. at: milliseconds since 1970.
DEFINE RELATION post {
  category STRING KEY, state INT KEY, at BIGINT KEY, id BIGINT KEY,
  verdict STRING NOT NULL DEFAULT '', body STRING };

-- The row key of the original, <category>_<state>_<post time>_<post id>. Waiting posts are adjacent, the oldest first:
-- regexp declares that a time has thirteen digits, so that times are sorted.
DEFINE PRIMARY SCHEMA post_queue FOR post {
  TABLE 'post', ROW suffix('_'){category}:regexp('[012]'){text(1){state}}:'_':regexp('[0-9]{13}'){text(13){at}}:'_':text{id},
  FAMILY 'v', QUALIFIER '', VALUE suffix('|'){verdict}:body };
