// SPDX-License-Identifier: LGPL-2.1-or-later

//! rust-clients.rs: what programs do with tokio-postgres. Each step prints one line: its name, and what it gives or its SQLSTATE.
//!
//! Usage: clients CONNECTION

use std::error::Error as StdError;
use std::future::Future;

use bytes::Bytes;
use chrono::{DateTime, NaiveDate, NaiveDateTime, NaiveTime, TimeZone, Utc};
use futures_util::{future, pin_mut, SinkExt, StreamExt, TryStreamExt};
use serde_json::{json, Value};
use tokio_postgres::binary_copy::BinaryCopyInWriter;
use tokio_postgres::types::{ToSql, Type};
use tokio_postgres::{Client, Error, NoTls, Row, SimpleQueryMessage};
use uuid::Uuid;

fn of<'a, T: tokio_postgres::types::FromSql<'a>>(row: &'a Row, i: usize, show: impl Fn(T) -> Value) -> Value {
    match row.try_get::<usize, Option<T>>(i) {
        Ok(value) => value.map_or(Value::Null, show),
        Err(error) => json!(error.to_string()),
    }
}

fn value_of(row: &Row, i: usize) -> Value {
    match row.columns()[i].type_().clone() {
        Type::BOOL => of(row, i, |v: bool| json!(v)),
        Type::INT2 => of(row, i, |v: i16| json!(v)),
        Type::INT4 => of(row, i, |v: i32| json!(v)),
        Type::INT8 => of(row, i, |v: i64| json!(v)),
        Type::FLOAT4 => of(row, i, |v: f32| json!(v)),
        Type::FLOAT8 => of(row, i, |v: f64| json!(v)),
        Type::BYTEA => of(row, i, |v: Vec<u8>| json!(v)),
        Type::DATE => of(row, i, |v: NaiveDate| json!(v.to_string())),
        Type::TIME => of(row, i, |v: NaiveTime| json!(v.to_string())),
        Type::TIMESTAMP => of(row, i, |v: NaiveDateTime| json!(v.to_string())),
        Type::TIMESTAMPTZ => of(row, i, |v: DateTime<Utc>| json!(v.to_rfc3339())),
        Type::UUID => of(row, i, |v: Uuid| json!(v.to_string())),
        Type::JSON | Type::JSONB => of(row, i, |v: Value| v),
        Type::INT4_ARRAY => of(row, i, |v: Vec<i32>| json!(v)),
        Type::TEXT_ARRAY => of(row, i, |v: Vec<String>| json!(v)),
        other => match row.try_get::<usize, Option<String>>(i) {
            Ok(text) => json!(text),
            Err(_) => json!(format!("a {}", other.name())),
        },
    }
}

fn rows_of(rows: Vec<Row>) -> Value {
    Value::Array(rows.iter().map(|row| Value::Array((0..row.len()).map(|i| value_of(row, i)).collect())).collect())
}

async fn step<F: Future<Output = Result<Value, Box<dyn StdError>>>>(name: &str, work: F) {
    let result = match work.await {
        Ok(value) => value,
        Err(error) => match error.downcast_ref::<Error>().and_then(|e| e.code()) {
            Some(code) => json!({ "error": code.code() }),
            None => json!({ "error": error.to_string() }),
        },
    };
    println!("{}\t{}", name, result);
}

type Parameter<'a> = &'a (dyn ToSql + Sync);

async fn query(client: &Client, sql: &str, values: &[Parameter<'_>]) -> Result<Value, Box<dyn StdError>> {
    Ok(rows_of(client.query(sql, values).await?))
}

async fn execute(client: &Client, sql: &str, values: &[Parameter<'_>]) -> Result<Value, Box<dyn StdError>> {
    Ok(json!(client.execute(sql, values).await?))
}

async fn use_values(client: &Client) {
    let born = NaiveDate::from_ymd_opt(2024, 2, 29).unwrap();
    let clock = NaiveDate::from_ymd_opt(2024, 7, 1).unwrap().and_hms_milli_opt(12, 0, 0, 123).unwrap();
    let instant = Utc.from_utc_datetime(&clock);
    let id = Uuid::parse_str("a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11").unwrap();
    let nothing: Option<i32> = None;

    step("create", execute(client, "CREATE TABLE account (id int PRIMARY KEY, name varchar(20) NOT NULL, born date, seen timestamptz, clock timestamp, \
        ok boolean, doc jsonb, d double precision, f real, big bigint, small smallint, b bytea, u uuid, at time)", &[])).await;
    step("insert", execute(client, "INSERT INTO account VALUES ($1,$2,$3,$4,$5,$6,$7,$8,$9,$10,$11,$12,$13,$14)",
        &[&1i32, &"ann", &born, &instant, &clock, &true, &json!({"a": [1, null]}), &1.5f64, &0.25f32, &9007199254740993i64, &-7i16,
          &&b"\0\xff"[..], &id, &NaiveTime::from_hms_milli_opt(12, 34, 56, 500).unwrap()])).await;
    step("insert nulls", execute(client, "INSERT INTO account (id, name, small, big) VALUES ($1, $2, $3, $4)",
        &[&2i32, &"bob", &None::<i16>, &None::<i64>])).await;
    step("select", query(client, "SELECT * FROM account ORDER BY id", &[])).await;
    step("where", query(client, "SELECT id, name FROM account WHERE name = $1 AND d > $2 AND seen = $3 AND born = $4", &[&"ann", &1.25f64, &instant, &born])).await;
    step("any", query(client, "SELECT id FROM account WHERE id = ANY ($1) ORDER BY id", &[&vec![1i32, 2, 3]])).await;
    step("any text", query(client, "SELECT id FROM account WHERE name = ANY ($1)", &[&vec!["ann", "x"]])).await;
    step("arrays", query(client, "SELECT array_agg(id ORDER BY id) AS i, array_agg(name ORDER BY id)::text[] AS t FROM account", &[])).await;
    step("casts", query(client, "SELECT $1::int + 1 AS a, $2::text || 'x' AS b, $3::timestamptz AS c, $4::date AS d, $5::bool AS e, $6::bytea AS f",
        &[&41i32, &"y", &instant, &born, &true, &&b"z"[..]])).await;
    step("nulls", query(client, "SELECT $1::int AS a, coalesce($2::bigint, 7) AS b", &[&nothing, &None::<i64>])).await;
    step("wrong type", query(client, "SELECT id FROM account WHERE id = $1", &[&"x"])).await;
    step("documents", query(client, "SELECT doc -> 'a' AS a, doc ->> 'a' AS b FROM account WHERE doc @> $1", &[&json!({"a": [1]})])).await;
    step("aggregates", query(client, "SELECT count(*) AS n, max(seen) AS s, min(big) AS b, bool_and(ok) AS o, avg(d) AS a FROM account", &[])).await;
    step("returning", query(client, "UPDATE account SET d = d + $1 WHERE id = $2 RETURNING id, d", &[&1f64, &1i32])).await;
    step("upsert", query(client, "INSERT INTO account (id, name) VALUES ($1, $2) ON CONFLICT (id) DO UPDATE SET name = EXCLUDED.name RETURNING name",
        &[&2i32, &"bea"])).await;
}

async fn use_statements(client: &Client) {
    step("prepared", async {
        let statement = client.prepare("SELECT id, name FROM account WHERE id = $1").await?;
        let mut found = vec![];
        for id in [1i32, 2, 3] {
            found.push(rows_of(client.query(&statement, &[&id]).await?));
        }
        let types: Vec<_> = statement.params().iter().map(|each| each.name().to_owned()).collect();
        let columns: Vec<_> = statement.columns().iter().map(|each| (each.name().to_owned(), each.type_().name().to_owned())).collect();
        Ok(json!([found, types, columns]))
    })
    .await;
    step("prepared with types", async {
        let statement = client.prepare_typed("SELECT $1 AS a, $2 AS b", &[Type::INT8, Type::TEXT]).await?;
        Ok(rows_of(client.query(&statement, &[&5i64, &"x"]).await?))
    })
    .await;
    step("pipeline", async {
        let (a, b, c) = future::join3(
            client.query("SELECT count(*) AS n FROM account", &[]),
            client.query("SELECT nosuch FROM account", &[]),
            client.query("SELECT max(id) AS n FROM account", &[]),
        )
        .await;
        Ok(json!([rows_of(a?), b.err().and_then(|e| e.code().map(|code| code.code().to_owned())), rows_of(c?)]))
    })
    .await;
    step("stream", async {
        let rows = client.query_raw("SELECT i FROM generate_series(1, $1) AS s (i)", [1000i32]).await?;
        pin_mut!(rows);
        let mut sum = 0i64;
        while let Some(row) = rows.try_next().await? {
            sum += i64::from(row.get::<_, i32>(0));
        }
        Ok(json!(sum))
    })
    .await;
    step("simple", async {
        let messages = client.simple_query("SELECT id, name FROM account ORDER BY id; DELETE FROM account WHERE id = 99").await?;
        let shown: Vec<_> = messages
            .iter()
            .filter_map(|message| match message {
                SimpleQueryMessage::Row(row) => Some(json!([row.get(0), row.get(1)])),
                SimpleQueryMessage::CommandComplete(n) => Some(json!(n)),
                _ => None,
            })
            .collect();
        Ok(json!(shown))
    })
    .await;
    step("batch", async {
        client.batch_execute("INSERT INTO account (id, name) VALUES (10, 'x'); INSERT INTO account (id, name) VALUES (11, 'y')").await?;
        Ok(rows_of(client.query("SELECT count(*) AS n FROM account", &[]).await?))
    })
    .await;
    step("one", async { Ok(json!(client.query_one("SELECT name FROM account WHERE id = 10", &[]).await?.get::<_, String>(0))) }).await;
    step("none", async { Ok(json!(client.query_opt("SELECT name FROM account WHERE id = 999", &[]).await?.is_none())) }).await;
    for (name, sql) in [("no such column", "SELECT nosuch FROM account"), ("no such table", "SELECT 1 FROM nosuch"), ("syntax", "SELECT FROM WHERE"),
                        ("duplicate", "INSERT INTO account (id, name) VALUES (1, 'x')"), ("not null", "INSERT INTO account (id) VALUES (90)"),
                        ("too long", "INSERT INTO account (id, name) VALUES (90, repeat('x', 21))"), ("division by zero", "SELECT 1 / 0")] {
        step(name, query(client, sql, &[])).await;
    }
}

async fn use_copy(client: &Client) {
    step("copy in", async {
        let sink = client.copy_in("COPY account (id, name) FROM STDIN").await?;
        pin_mut!(sink);
        sink.send(Bytes::from_static(b"20\ttwenty\n21\ttwenty")).await?;
        sink.send(Bytes::from_static(b"-one\n")).await?;
        Ok(json!(sink.finish().await?))
    })
    .await;
    step("copy in, binary", async {
        let sink = client.copy_in("COPY account (id, name, big) FROM STDIN BINARY").await?;
        let writer = BinaryCopyInWriter::new(sink, &[Type::INT4, Type::VARCHAR, Type::INT8]);
        pin_mut!(writer);
        writer.as_mut().write(&[&22i32, &"x", &1i64]).await?;
        writer.as_mut().write(&[&23i32, &"y", &None::<i64>]).await?;
        Ok(json!(writer.finish().await?))
    })
    .await;
    step("copy out", async {
        let stream = client.copy_out("COPY (SELECT id, name, big FROM account WHERE id >= 20 ORDER BY id) TO STDOUT").await?;
        let data = stream.try_fold(Vec::new(), |mut all, part| async move { all.extend_from_slice(&part); Ok(all) }).await?;
        Ok(json!(String::from_utf8(data)?))
    })
    .await;
    step("copy in, bad", async {
        let sink = client.copy_in("COPY account (id, name) FROM STDIN").await?;
        pin_mut!(sink);
        sink.send(Bytes::from_static(b"many\tx\n")).await?;
        Ok(json!(sink.finish().await?))
    })
    .await;
}

async fn use_transactions(client: &mut Client) {
    step("transaction", async {
        let block = client.transaction().await?;
        let n = block.execute("INSERT INTO account (id, name) VALUES (30, 'block')", &[]).await?;
        block.commit().await?;
        Ok(json!(n))
    })
    .await;
    step("portal", async {
        let block = client.transaction().await?;
        let portal = block.bind("SELECT id FROM account ORDER BY id", &[]).await?;
        let (first, second) = (block.query_portal(&portal, 3).await?, block.query_portal(&portal, 2).await?);
        block.rollback().await?;
        Ok(json!([rows_of(first), rows_of(second)]))
    })
    .await;
    step("failed transaction", async {
        let block = client.transaction().await?;
        let first = block.query("SELECT nosuch FROM account", &[]).await.err().and_then(|e| e.code().map(|code| code.code().to_owned()));
        let second = block.query("SELECT 1 AS a", &[]).await.err().and_then(|e| e.code().map(|code| code.code().to_owned()));
        block.rollback().await?;
        Ok(json!([first, second]))
    })
    .await;
}

async fn cancelled(client: &Client) {
    step("cancel", async {
        let token = client.cancel_token();
        let sql = "SELECT count(*) FROM generate_series(1, 3000) a, generate_series(1, 3000) b, generate_series(1, 3000) c";
        let (result, _) = future::join(client.query(sql, &[]), async {
            tokio::time::sleep(std::time::Duration::from_millis(300)).await;
            token.cancel_query(NoTls).await
        })
        .await;
        Ok(rows_of(result?))
    })
    .await;
    step("after cancel", query(client, "SELECT 1 AS a", &[])).await;
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn StdError>> {
    let configuration = std::env::args().nth(1).expect("CONNECTION");
    let (mut client, mut connection) = tokio_postgres::connect(&configuration, NoTls).await?;
    tokio::spawn(async move {
        let mut messages = futures_util::stream::poll_fn(move |context| connection.poll_message(context));
        while let Some(Ok(_)) = messages.next().await {}
    });
    use_values(&client).await;
    use_statements(&client).await;
    use_copy(&client).await;
    use_transactions(&mut client).await;
    cancelled(&client).await;
    step("drop", execute(&client, "DROP TABLE account", &[])).await;
    Ok(())
}
