// SPDX-License-Identifier: LGPL-2.1-or-later
//
// client.go: a Go program of nothing but what `thrift --gen go kvsql.thrift` writes and the stock library of Thrift.
//
// client HOST PORT framed|unframed binary|compact: prints TAP.
package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"

	"github.com/apache/thrift/lib/go/thrift"
	"kvsql.test/client/kvsqlrpc"
)

const (
	nRows    = 25
	pageRows = 10
)

type client struct {
	sql      *kvsqlrpc.SqlClient
	relation string
}

var (
	nTests, nFailures int
	background        = context.Background()
)

func report(name string, err error) {
	nTests++
	if err != nil {
		nFailures++
		fmt.Printf("# %v\nnot ", err)
	}
	fmt.Printf("ok %d /go/%s\n", nTests, name)
}

func pointer[T any](value T) *T {
	return &value
}

func differs(found, expected any) error {
	if fmt.Sprint(found) == fmt.Sprint(expected) {
		return nil
	}
	return fmt.Errorf("got %v, expected %v", found, expected)
}

func (c *client) query(text string, parameters ...*kvsqlrpc.Value) (*kvsqlrpc.Page, error) {
	return c.sql.Query(background, text, parameters, kvsqlrpc.NewQueryOptions())
}

func (c *client) hello() error {
	info, err := c.sql.Hello(background, 1, "client.go")
	if err != nil {
		return err
	}
	return differs(info.ApiVersion, 1)
}

func (c *client) define() error {
	_, err := c.query("DEFINE RELATION " + c.relation + " { k STRING KEY, n BIGINT, f DOUBLE, b BOOLEAN, x BYTES }")
	if err != nil {
		return err
	}
	_, err = c.query("DEFINE PRIMARY SCHEMA " + c.relation + "_p FOR " + c.relation + " { TABLE '" + c.relation +
		"', ROW k, FAMILY 'f', QUALIFIER attr_name['k'], VALUE attr_value['k'] }")
	return err
}

func blob(number int) []byte {
	return []byte{byte(number), 0, 255}
}

func key(number int) string {
	return fmt.Sprintf("k%02d", number)
}

func (c *client) insert() error {
	page, err := c.query("INSERT INTO "+c.relation+" VALUES (?, ?, ?, ?, ?)", &kvsqlrpc.Value{S: pointer(key(0))},
		&kvsqlrpc.Value{I: pointer(int64(0))}, &kvsqlrpc.Value{D: pointer(0.0)}, &kvsqlrpc.Value{B: pointer(true)},
		&kvsqlrpc.Value{X: blob(0)})
	if err != nil {
		return err
	}
	if err := differs(page.GetAffected(), 1); err != nil {
		return err
	}
	columns := make([]*kvsqlrpc.Column, 5)
	for i := range columns {
		columns[i] = kvsqlrpc.NewColumn()
	}
	for i := 1; i < nRows; i++ {
		columns[0].S = append(columns[0].S, key(i))
		columns[1].I = append(columns[1].I, int64(i)*10_000_000_000)
		columns[2].D = append(columns[2].D, float64(i)/4)
		columns[3].B = append(columns[3].B, i%2 == 0)
		columns[4].X = append(columns[4].X, blob(i))
	}
	affected, err := c.sql.InsertRows(background, c.relation, []string{"k", "n", "f", "b", "x"}, nRows-1, columns,
		kvsqlrpc.NewQueryOptions())
	if err != nil {
		return err
	}
	if err := differs(affected, nRows-1); err != nil {
		return err
	}
	_, err = c.query("INSERT INTO "+c.relation+" (k, n, f) VALUES ('null', ?, 1.5)", &kvsqlrpc.Value{IsNull: pointer(true)})
	return err
}

func (c *client) selectOne() error {
	page, err := c.query("SELECT k, n, f, b, x FROM "+c.relation+" WHERE k = ?", &kvsqlrpc.Value{S: pointer(key(7))})
	if err != nil {
		return err
	}
	if page.Nrows != 1 || len(page.Columns) != 5 || len(page.Info) != 5 {
		return fmt.Errorf("got %v", page)
	}
	found := []any{page.Columns[0].S, page.Columns[1].I, page.Columns[2].D, page.Columns[3].B}
	if err := differs(found, "[[k07] [70000000000] [1.75] [false]]"); err != nil {
		return err
	}
	if !bytes.Equal(page.Columns[4].X[0], blob(7)) {
		return fmt.Errorf("got %v", page.Columns[4].X)
	}
	page, err = c.query("SELECT n FROM " + c.relation + " WHERE k = 'null'")
	if err != nil {
		return err
	}
	return differs(page.Columns[0].Nulls[0]&1, 1)
}

func (c *client) pages() error {
	options := &kvsqlrpc.QueryOptions{MaxRows: pointer(int32(pageRows))}
	page, err := c.sql.Query(background, "SELECT k FROM "+c.relation+" WHERE k LIKE 'k%' ORDER BY k", nil, options)
	if err != nil {
		return err
	}
	keys, nPages := page.Columns[0].S, 1
	for page.IsSetCursor() {
		if page, err = c.sql.Fetch(background, page.Cursor, options); err != nil {
			return err
		}
		keys = append(keys, page.Columns[0].S...)
		nPages++
	}
	return differs([]any{nPages, len(keys), keys[0], keys[len(keys)-1]}, "[3 25 k00 k24]")
}

func (c *client) prepared() error {
	statement, err := c.sql.Prepare(background, "SELECT n FROM "+c.relation+" WHERE k = ?")
	if err != nil {
		return err
	}
	for i := 0; i < nRows; i++ {
		page, err := c.sql.Execute(background, statement.ID, []*kvsqlrpc.Value{{S: pointer(key(i))}},
			kvsqlrpc.NewQueryOptions())
		if err != nil {
			return err
		}
		if err := differs(page.Columns[0].I, []int64{int64(i) * 10_000_000_000}); err != nil {
			return err
		}
	}
	return c.sql.CloseStatement(background, statement.ID)
}

func (c *client) errors() error {
	_, err := c.query("SELECT missing FROM " + c.relation)
	var failure *kvsqlrpc.SqlError
	if !errors.As(err, &failure) {
		return fmt.Errorf("got %v", err)
	}
	found := []any{failure.Code, failure.GetPosition(), len(failure.GetSqlstate()), failure.GetRetryable()}
	if err := differs(found, []any{int32(kvsqlrpc.ErrorCode_UNKNOWN_NAME), 7, 5, false}); err != nil {
		return err
	}
	page, err := c.query("SELECT k FROM " + c.relation + " WHERE k = 'k01'")
	if err != nil {
		return err
	}
	return differs(page.Nrows, 1)
}

func main() {
	configuration := &thrift.TConfiguration{}
	var transport thrift.TTransport = thrift.NewTSocketConf(os.Args[1]+":"+os.Args[2], configuration)
	if os.Args[3] == "framed" {
		transport = thrift.NewTFramedTransportConf(transport, configuration)
	} else {
		transport = thrift.NewTBufferedTransport(transport, 4096)
	}
	var factory thrift.TProtocolFactory = thrift.NewTBinaryProtocolFactoryConf(configuration)
	if os.Args[4] == "compact" {
		factory = thrift.NewTCompactProtocolFactoryConf(configuration)
	}
	if err := transport.Open(); err != nil {
		fmt.Println("Bail out!", err)
		os.Exit(1)
	}
	defer transport.Close()
	c := &client{kvsqlrpc.NewSqlClientFactory(transport, factory), "go_" + os.Args[3] + "_" + os.Args[4]}
	report("hello", c.hello())
	report("define", c.define())
	report("insert", c.insert())
	report("select", c.selectOne())
	report("pages", c.pages())
	report("prepared", c.prepared())
	report("errors", c.errors())
	fmt.Printf("1..%d\n", nTests)
	if nFailures > 0 {
		os.Exit(1)
	}
}
