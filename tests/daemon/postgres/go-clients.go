// SPDX-License-Identifier: LGPL-2.1-or-later

// go-clients.go: what programs do with pgx and database/sql. Each step prints one line: its name, and what it gives or its SQLSTATE.
//
// Usage: go-clients URI
package main

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgtype"
	"github.com/jackc/pgx/v5/pgxpool"
	_ "github.com/jackc/pgx/v5/stdlib"
)

var ctx = context.Background()
var instant = time.Date(2024, 7, 1, 12, 0, 0, 123000000, time.FixedZone("", 7200))

func step(name string, work func() (any, error)) {
	result, err := work()
	var failure *pgconn.PgError
	if errors.As(err, &failure) {
		result = map[string]string{"error": failure.Code}
	} else if err != nil {
		result = map[string]string{"error": err.Error()}
	}
	text, err := json.Marshal(result)
	if err != nil {
		text = []byte(err.Error())
	}
	fmt.Printf("%s\t%s\n", name, text)
}

func rowsOf(conn *pgx.Conn, sql string, args ...any) (any, error) {
	rows, err := conn.Query(ctx, sql, args...)
	if err != nil {
		return nil, err
	}
	found, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) ([]any, error) { return row.Values() })
	for _, values := range found {
		for i, value := range values {
			if moment, ok := value.(time.Time); ok {
				values[i] = moment.UTC().Format(time.RFC3339Nano)
			}
		}
	}
	return found, err
}

func useConn(uri string) {
	conn, err := pgx.Connect(ctx, uri)
	if err != nil {
		panic(err)
	}
	defer conn.Close(ctx)
	rows := func(sql string, args ...any) func() (any, error) {
		return func() (any, error) { return rowsOf(conn, sql, args...) }
	}
	exec := func(sql string, args ...any) func() (any, error) {
		return func() (any, error) {
			tag, err := conn.Exec(ctx, sql, args...)
			return tag.String(), err
		}
	}
	step("create", exec(`CREATE TABLE account (id int PRIMARY KEY, name varchar(20) NOT NULL, sum numeric(10,2), born date,
		seen timestamptz, clock timestamp, ok boolean, doc jsonb, d double precision, f real, big bigint, small smallint, b bytea, u uuid, at time)`))
	step("insert", exec("INSERT INTO account VALUES ($1,$2,$3,$4,$5,$6,$7,$8,$9,$10,$11,$12,$13,$14,$15)",
		1, "ann", "12.50", time.Date(2024, 2, 29, 0, 0, 0, 0, time.UTC), instant, instant, true, map[string]any{"a": []any{1, nil}}, 1.5,
		float32(0.25), int64(9007199254740993), int16(-7), []byte{0, 255}, "a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11", "12:34:56.5"))
	step("insert nulls", exec("INSERT INTO account (id, name, sum, seen, doc, u) VALUES ($1,$2,$3,$4,$5,$6)", 2, "bob", nil, nil, nil, nil))
	step("select", rows("SELECT * FROM account ORDER BY id"))
	step("text", rows("SELECT id, name, seen, clock, sum::text FROM account ORDER BY id", pgx.QueryExecModeSimpleProtocol))
	for _, mode := range []pgx.QueryExecMode{pgx.QueryExecModeCacheDescribe, pgx.QueryExecModeDescribeExec, pgx.QueryExecModeExec, pgx.QueryExecModeSimpleProtocol} {
		step("mode "+mode.String(), rows("SELECT id, name, seen FROM account WHERE id = $1 AND name = $2 AND d > $3", mode, 1, "ann", 1.25))
	}
	step("times", rows("SELECT id FROM account WHERE seen = $1 AND born = $2", instant, time.Date(2024, 2, 29, 0, 0, 0, 0, time.UTC)))
	step("any", rows("SELECT id FROM account WHERE id = ANY ($1) ORDER BY id", []int32{1, 2, 3}))
	step("any text", rows("SELECT id FROM account WHERE name = ANY ($1) ORDER BY id", []string{"ann", "x"}))
	step("casts", rows("SELECT $1::int + 1, $2::text || 'x', $3::timestamptz, $4::date, $5::bool, $6::bytea", 41, "y", instant, instant, true, []byte("z")))
	step("nulls", rows("SELECT $1::int, $2::text IS NULL, coalesce($3::bigint, 7)", nil, nil, nil))
	step("aggregates", rows("SELECT count(*), count(sum), max(seen), min(big), bool_and(ok), string_agg(name, ',' ORDER BY id) FROM account"))
	step("documents", rows("SELECT doc -> 'a' -> 0, doc ->> 'a' FROM account WHERE doc @> $1", map[string]any{"a": []any{1}}))
	step("numeric", func() (any, error) {
		var number pgtype.Numeric
		err := conn.QueryRow(ctx, "SELECT sum FROM account WHERE id = 1").Scan(&number)
		value, _ := number.Float64Value()
		return value.Float64, err
	})
	step("interval", func() (any, error) {
		var interval pgtype.Interval
		err := conn.QueryRow(ctx, "SELECT $1::interval + INTERVAL '1 day'", pgtype.Interval{Microseconds: 1500000, Days: 2, Months: 1, Valid: true}).Scan(&interval)
		return interval, err
	})
	step("struct", func() (any, error) {
		type account struct {
			ID   int32
			Name string
		}
		found, err := conn.Query(ctx, "SELECT id, name FROM account ORDER BY id")
		if err != nil {
			return nil, err
		}
		return pgx.CollectRows(found, pgx.RowToStructByName[account])
	})
	step("named", rows("SELECT id FROM account WHERE name = @name", pgx.NamedArgs{"name": "bob"}))
	step("batch", func() (any, error) {
		batch := &pgx.Batch{}
		for i := 10; i < 15; i++ {
			batch.Queue("INSERT INTO account (id, name) VALUES ($1, $2)", i, fmt.Sprint("n", i))
		}
		batch.Queue("SELECT count(*) FROM account")
		results := conn.SendBatch(ctx, batch)
		defer results.Close()
		var n int64
		for i := 10; i < 15; i++ {
			if tag, err := results.Exec(); err != nil || tag.RowsAffected() != 1 {
				return tag.String(), err
			}
		}
		err := results.QueryRow().Scan(&n)
		return n, err
	})
	step("copy", func() (any, error) {
		return conn.CopyFrom(ctx, pgx.Identifier{"account"}, []string{"id", "name", "seen", "d", "big", "b"}, pgx.CopyFromRows([][]any{
			{20, "x", instant, 0.5, int64(1), []byte{1}}, {21, "y", nil, nil, nil, nil}}))
	})
	step("copied", rows("SELECT id, name, seen, d, big, b FROM account WHERE id >= 20 ORDER BY id"))
	step("returning", rows("UPDATE account SET d = d + $1, seen = $2 WHERE id = $3 RETURNING id, d, seen", 1, instant.Add(time.Hour), 1))
	step("upsert", rows("INSERT INTO account (id, name) VALUES ($1, $2) ON CONFLICT (id) DO UPDATE SET name = EXCLUDED.name RETURNING name", 2, "bea"))
	step("no such column", exec("SELECT nosuch FROM account"))
	step("duplicate", exec("INSERT INTO account (id, name) VALUES (1, 'x')"))
	step("not null", exec("INSERT INTO account (id) VALUES ($1)", 99))
	step("too long", exec("INSERT INTO account (id, name) VALUES (99, $1)", strings.Repeat("x", 21)))
	step("out of range", exec("INSERT INTO account (id, name, small) VALUES (99, 'x', 40000)"))
	step("block", func() (any, error) {
		err := pgx.BeginFunc(ctx, conn, func(tx pgx.Tx) error {
			var n int
			if err := tx.QueryRow(ctx, "SELECT count(*) FROM account").Scan(&n); err != nil {
				return err
			}
			_, err := tx.Exec(ctx, "DELETE FROM account WHERE id = $1", 21)
			return err
		})
		return nil, err
	})
	step("failed block", func() (any, error) {
		tx, err := conn.Begin(ctx)
		if err != nil {
			return nil, err
		}
		defer func() { _ = tx.Rollback(ctx) }()
		_, _ = tx.Exec(ctx, "SELECT nosuch")
		_, err = tx.Exec(ctx, "SELECT 1")
		return nil, err
	})
	step("cancel", func() (any, error) {
		short, stop := context.WithTimeout(ctx, 200*time.Millisecond)
		defer stop()
		other, err := pgx.Connect(ctx, uri)
		if err != nil {
			return nil, err
		}
		_, err = other.Exec(short, "SELECT count(*) FROM generate_series(1, 3000) a, generate_series(1, 3000) b, generate_series(1, 3000) c")
		return errors.Is(err, context.DeadlineExceeded), nil
	})
	step("statement changes", func() (any, error) {
		if _, err := conn.Exec(ctx, "ALTER TABLE account ADD COLUMN more text"); err != nil {
			return nil, err
		}
		return rowsOf(conn, "SELECT id, more FROM account WHERE id = $1", 1)
	})
}

func usePool(uri string) {
	pool, err := pgxpool.New(ctx, uri)
	if err != nil {
		panic(err)
	}
	defer pool.Close()
	step("pool", func() (any, error) {
		sums := make(chan int, 20)
		for i := 0; i < 20; i++ {
			go func(i int) {
				var n int
				if pool.QueryRow(ctx, "SELECT $1::int + 1", i).Scan(&n) != nil {
					n = -1000
				}
				sums <- n
			}(i)
		}
		total := 0
		for i := 0; i < 20; i++ {
			total += <-sums
		}
		return total, nil
	})
}

func useSQL(uri string) {
	db, err := sql.Open("pgx", uri)
	if err != nil {
		panic(err)
	}
	defer db.Close()
	step("sql: prepared", func() (any, error) {
		statement, err := db.Prepare("SELECT name FROM account WHERE id = $1")
		if err != nil {
			return nil, err
		}
		defer statement.Close()
		names := []string{}
		for _, id := range []int{1, 2, 10} {
			var name string
			if err := statement.QueryRow(id).Scan(&name); err != nil {
				return nil, err
			}
			names = append(names, name)
		}
		return names, nil
	})
	step("sql: null", func() (any, error) {
		var seen sql.NullTime
		var sum sql.NullFloat64
		err := db.QueryRow("SELECT seen, sum FROM account WHERE id = 2").Scan(&seen, &sum)
		return []bool{seen.Valid, sum.Valid}, err
	})
	step("sql: types", func() (any, error) {
		rows, err := db.Query("SELECT * FROM account LIMIT 0")
		if err != nil {
			return nil, err
		}
		defer rows.Close()
		types, err := rows.ColumnTypes()
		names := []string{}
		for _, column := range types {
			names = append(names, column.Name()+" "+column.DatabaseTypeName())
		}
		return names, err
	})
	step("sql: no rows", func() (any, error) {
		var n int
		err := db.QueryRow("SELECT id FROM account WHERE id = 12345").Scan(&n)
		return errors.Is(err, sql.ErrNoRows), nil
	})
	step("sql: block", func() (any, error) {
		tx, err := db.BeginTx(ctx, &sql.TxOptions{ReadOnly: true})
		if err != nil {
			return nil, err
		}
		defer tx.Rollback()
		_, err = tx.Exec("DELETE FROM account")
		return nil, err
	})
	step("sql: drop", func() (any, error) {
		_, err := db.Exec("DROP TABLE account")
		return nil, err
	})
}

func main() {
	useConn(os.Args[1])
	usePool(os.Args[1])
	useSQL(os.Args[1])
}
