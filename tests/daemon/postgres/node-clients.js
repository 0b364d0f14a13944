// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * node-clients.js: what programs do with node-pg and knex. Each step prints one line: its name, and what it gives or its SQLSTATE.
 *
 * Usage: node node-clients.js PORT USER DATABASE
 */
'use strict';

const { Readable } = require('stream');
const { pipeline } = require('stream/promises');
const { Client, Pool } = require('pg');
const Cursor = require('pg-cursor');
const { from, to } = require('pg-copy-streams');

const [port, user, database] = process.argv.slice(2);
const where = { host: '127.0.0.1', port: Number(port), user, database };
const instant = new Date('2024-07-01T10:00:00.123Z');

async function step(name, work) {
  let result;
  try {
    result = await work();
  } catch (error) {
    result = { error: error.code || error.message };
  }
  if (result && result.command && result.rows)
    result = [result.command, result.rowCount, result.rows];
  console.log(`${name}\t${JSON.stringify(result === undefined ? null : result)}`);
}

async function useNodePg() {
  const client = new Client(where);
  const query = (...words) => client.query(...words);
  const rows = async (...words) => (await client.query(...words)).rows;

  await client.connect();
  await step('create', () => query(`CREATE TABLE account (id int PRIMARY KEY, name varchar(20) NOT NULL, sum numeric(10,2), born date,
    seen timestamptz, clock timestamp, ok boolean, doc jsonb, d double precision, big bigint, b bytea)`));
  await step('insert', () => rows('INSERT INTO account VALUES ($1,$2,$3,$4,$5,$6,$7,$8,$9,$10,$11) RETURNING *',
    [1, 'ann', '12.50', '2024-02-29', instant, instant, true, { a: [1, { b: null }] }, 1.5, '9007199254740993', Buffer.from([0, 255])]));
  for (const times of ['first', 'again'])
    await step(`named ${times}`, async () => (await query({ name: 'named', text: 'INSERT INTO account (id, name) VALUES ($1, $2), ($3, $4)',
      values: times === 'first' ? [2, 'bob', 3, 'cem'] : [4, 'dan', 5, 'eve'] })).rowCount);
  await step('any', () => rows('SELECT id FROM account WHERE id = ANY ($1) ORDER BY id', [[1, 3]]));
  await step('any of a type', () => rows('SELECT id FROM account WHERE id = ANY ($1::int[]) ORDER BY id', [[1, 3]]));
  await step('times', () => rows('SELECT id FROM account WHERE seen = $1 AND clock = $2 AND born = $3', [instant, instant, '2024-02-29']));
  await step('times in lists', () => rows('SELECT id FROM account WHERE seen IN ($1) AND clock BETWEEN $1 AND $2', [instant, instant]));
  await step('largest', () => rows('SELECT max(seen) AS seen, min(clock) AS clock, coalesce(max(seen), now()) AS other FROM account'));
  await step('casts', () => rows('SELECT $1::timestamptz AS a, $2::timestamp AS b, $3::date AS c, $4::numeric AS d', [instant, instant, '2024-02-29', 1.5]));
  await step('array rows', () => rows({ text: 'SELECT id, name FROM account ORDER BY id LIMIT $1', values: [2], rowMode: 'array' }));
  await step('several', async () => (await query('SELECT 1 AS a; SELECT 2 AS b')).map((result) => result.rows));
  await step('types', async () => (await query('SELECT * FROM account LIMIT 0')).fields.map((field) => [field.name, field.dataTypeID]));
  await step('no such column', () => query('SELECT nosuch FROM account'));
  await step('duplicate', () => query("INSERT INTO account (id, name) VALUES (1, 'x')"));
  await step('not null', () => query('INSERT INTO account (id) VALUES (9)'));
  await step('too long', () => query('INSERT INTO account (id, name) VALUES (9, $1)', ['x'.repeat(21)]));
  await step('documents', () => rows("SELECT doc -> 'a' -> 1 AS x, doc ->> 'a' AS y FROM account WHERE doc @> $1", [{ a: [1] }]));
  await step('upsert', () => rows('INSERT INTO account (id, name, sum) VALUES ($1, $2, $3) ON CONFLICT (id) DO UPDATE SET sum = EXCLUDED.sum + 1 '
    + 'RETURNING id, sum', [2, 'bob', 5]));
  await step('update', () => rows('UPDATE account SET seen = $1, clock = $2, d = d * $3 WHERE id = $4 RETURNING seen, clock, d', [new Date(0), new Date(0), 2, 1]));
  await step('cursor', async () => {
    const cursor = client.query(new Cursor('SELECT id FROM account ORDER BY id'));
    const read = [await cursor.read(2), await cursor.read(100)];
    await cursor.close();
    return read;
  });
  await step('block', async () => {
    await query('BEGIN');
    await rows('SELECT count(*) FROM account');
    await query('COMMIT');
    return rows('SELECT count(*)::int AS n FROM account');
  });
  await step('failed block', async () => {
    await query('BEGIN');
    await query('SELECT nosuch').catch(() => null);
    const second = await query('SELECT 1').catch((error) => error.code);
    await query('ROLLBACK');
    return second;
  });
  await step('copy in', async () => {
    const stream = client.query(from('COPY account (id, name) FROM STDIN WITH (FORMAT csv)'));
    await pipeline(Readable.from(['100,a\n', '101,"b ""q"""\n']), stream);
    return stream.rowCount;
  });
  await step('copy out', async () => {
    let text = '';
    for await (const part of client.query(to('COPY (SELECT id, name FROM account WHERE id >= 100 ORDER BY id) TO STDOUT')))
      text += part;
    return text;
  });
  await step('time-out', async () => {
    const hasty = new Client({ ...where, statement_timeout: 200 });
    await hasty.connect();
    try {
      return await hasty.query('SELECT count(*) FROM generate_series(1, 3000) a, generate_series(1, 3000) b, generate_series(1, 3000) c');
    } finally {
      await hasty.end();
    }
  });
  await step('delete', () => query('DELETE FROM account WHERE id > $1', [4]));
  await step('drop', () => query('DROP TABLE account'));
  await client.end();

  const pool = new Pool({ ...where, max: 5, idleTimeoutMillis: 100 });
  await step('pool', async () => (await Promise.all([...Array(20).keys()].map((i) => pool.query('SELECT $1::int + 1 AS n', [i]))))
    .reduce((sum, result) => sum + result.rows[0].n, 0));
  await pool.end();
}

async function useKnex() {
  const knex = require('knex')({ client: 'pg', connection: where });

  await step('knex: has table', () => knex.schema.hasTable('users'));
  await step('knex: create users', () => knex.schema.createTable('users', (table) => {
    table.increments('id');
    table.string('name', 50).notNullable();
    table.integer('age').defaultTo(18);
    table.timestamp('seen');
    table.jsonb('data');
  }).then(() => knex.schema.hasTable('users')));
  await step('knex: create orders', () => knex.schema.createTable('orders', (table) => {
    table.bigIncrements('id');
    table.integer('user_id');
    table.decimal('total', 10, 2);
    table.uuid('ref');
  }).then(() => knex.schema.hasColumn('orders', 'ref')));
  await step('knex: insert users', () => knex('users').insert([{ name: 'ann', age: 30, data: { a: 1 }, seen: instant }, { name: 'bob' }]).returning(['id', 'age']));
  await step('knex: insert orders', () => knex('orders').insert([{ user_id: 1, total: 12.5, ref: 'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11' },
    { user_id: 1, total: 7 }], 'id'));
  await step('knex: join', () => knex('users as u').leftJoin('orders as o', 'u.id', 'o.user_id').select('u.name').count('o.id as n').sum('o.total as t')
    .groupBy('u.name').orderBy('u.name'));
  await step('knex: where', () => knex('users').where('age', '>', 20).orWhere((either) => either.where('name', 'like', 'b%').andWhereNot('id', 77))
    .orderBy([{ column: 'id', order: 'desc' }]).limit(5).offset(0));
  await step('knex: times', () => knex('users').where('seen', '<=', instant).pluck('id'));
  await step('knex: null', () => knex('users').whereNull('data').orWhereNotNull('seen').orderBy('id').select('id', 'seen'));
  await step('knex: add', () => knex('users').where({ name: 'bob' }).update({ age: knex.raw('?? + 1', ['age']) }, ['id', 'age']));
  await step('knex: increment', () => knex('users').where({ name: 'bob' }).increment('age', 5));
  await step('knex: merge', () => knex('users').insert({ id: 1, name: 'ann', age: 31 }).onConflict('id').merge(['age']).returning('age'));
  await step('knex: ignore', () => knex('users').insert({ id: 1, name: 'x' }).onConflict('id').ignore().then((result) => result.rowCount));
  await step('knex: columns', async () => Object.entries(await knex('users').columnInfo()).map(([name, info]) => [name, info.type, info.maxLength, info.nullable]));
  await step('knex: block', () => knex.transaction(async (block) => {
    await block('users').where('id', 1).first();
    return block('users').count('*');
  }));
  await step('knex: alter', () => knex.schema.alterTable('users', (table) => {
    table.string('mail');
    table.renameColumn('age', 'years');
  }).then(() => knex.schema.hasColumn('users', 'years')));
  await step('knex: with', () => knex.with('x', knex('users').select('id')).select('*').from('x').orderBy('id'));
  await step('knex: in a query', () => knex('users').whereIn('id', knex('orders').select('user_id')).whereRaw('data @> ?', [{ a: 1 }]).pluck('name'));
  await step('knex: union', () => knex('users').select('name').where('id', 1).unionAll(knex('users').select('name').where('id', 2)).orderBy('name'));
  await step('knex: window', () => knex('orders').select('id').rowNumber('n', (over) => over.orderBy('total')).orderBy('id'));
  await step('knex: having', () => knex('orders').select('user_id').groupBy('user_id').havingRaw('count(*) > ?', [1]));
  await step('knex: distinct', () => knex('orders').countDistinct('user_id as n'));
  await step('knex: stream', async () => {
    const ids = [];
    for await (const row of knex('orders').select('id').orderBy('id').stream())
      ids.push(row.id);
    return ids;
  });
  await step('knex: delete', () => knex('orders').where('total', '<', 10).del());
  await step('knex: drop orders', () => knex.schema.dropTable('orders').then(() => knex.schema.hasTable('orders')));
  await step('knex: drop users', () => knex.schema.dropTableIfExists('users').then(() => knex.schema.hasTable('users')));
  await knex.destroy();
}

useNodePg().then(useKnex).catch((error) => {
  console.error(error);
  process.exit(1);
});
