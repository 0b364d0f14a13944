-- A node is a package. c is when it was created, u when it was last changed, p its properties in one value.
DEFINE RELATION node { id STRING KEY, c TIMESTAMP NOT NULL, p MAP<STRING, STRING>, u TIMESTAMP };
DEFINE PRIMARY SCHEMA nodes FOR node {
  TABLE 'graph', ROW hash(4){id}:'-0-':id,
  FAMILY 'g', QUALIFIER attr_name[id], VALUE attr_value[id] };

-- A relationship leads from one package to another. Names of packages contain the separator. "a-Depends-b" can still be
-- split, because names are in lower case and types begin with a capital letter. The regular expressions declare this, and the definition
-- check proves it: no two relationships have the same key.
DEFINE RELATION link { start STRING KEY, type STRING KEY, end STRING KEY, c TIMESTAMP NOT NULL, p MAP<STRING, STRING>, u TIMESTAMP };
DEFINE PRIMARY SCHEMA links FOR link {
  TABLE 'graph',
  ROW hash(4){start}:'-1-':regexp('[a-z0-9][a-z0-9+.-]*'){start}:'-'
      :regexp('(Pre-)?Depends|Recommends|Suggests|Enhances|Breaks|Conflicts|Replaces|Provides'){type}:'-':end,
  FAMILY 'g', QUALIFIER attr_name[start, type, end], VALUE attr_value[start, type, end] };

-- The neighbours of a node, the newest first: one index for each direction. desc{c} is MAX - c, as in Long.MAX_VALUE - created.
DEFINE SCHEMA incoming FOR link {
  TABLE 'graph',
  ROW hash(4){end}:'-2-':regexp('[a-z0-9][a-z0-9+.-]*'){end}:'-INCOMING-'
      :regexp('(Pre-)?Depends|Recommends|Suggests|Enhances|Breaks|Conflicts|Replaces|Provides'){type}:'-':desc{c}:'-':start,
  FAMILY 'g', VALUE json{p} };
DEFINE SCHEMA outgoing FOR link {
  TABLE 'graph',
  ROW hash(4){start}:'-2-':regexp('[a-z0-9][a-z0-9+.-]*'){start}:'-OUTGOING-'
      :regexp('(Pre-)?Depends|Recommends|Suggests|Enhances|Breaks|Conflicts|Replaces|Provides'){type}:'-':desc{c}:'-':end,
  FAMILY 'g', VALUE json{p} };

-- The table as raw bytes, for the comparison of cells.
DEFINE RELATION cell { row BYTES KEY, qualifier BYTES KEY, value BYTES };
DEFINE PRIMARY SCHEMA cells FOR cell { TABLE 'graph', ROW row, FAMILY 'g', QUALIFIER qualifier, VALUE value } WITH (role = read);
