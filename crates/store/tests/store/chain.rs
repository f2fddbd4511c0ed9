//! Tests that edits of the journal are detected.

use crate::support::*;
use deputy_protocol::*;
use deputy_store::{Store, StoreError};
use rusqlite::types::Value;
use rusqlite::{Connection, Row, params_from_iter};
use serde_json::json;

#[tokio::test]
async fn every_edit_of_the_journal_is_found() {
    let (folder, store) = home();
    let id = start(&store, "t").await;
    store.append(&id, 2, (1..50).map(iteration).collect()).await.unwrap();
    // A refused append must not change the chain.
    store.append(&task("nobody"), 3, vec![iteration(1)]).await.unwrap_err();
    store.append(&id, 4, vec![steered("on")]).await.unwrap();
    store.check_integrity().unwrap();
    drop(store);
    let store = Store::open(folder.path()).unwrap();
    store.append(&id, 5, vec![steered("further")]).await.unwrap();
    store.check_integrity().unwrap();
    drop(store);
    let database = folder.path().join("deputy.db");
    let whole = std::fs::read(&database).unwrap();
    let edits = [
        "UPDATE events SET at_ms = at_ms + 1 WHERE seq = 20",
        "UPDATE events SET task = 'u' WHERE seq = 20",
        "UPDATE events SET type = 'planned' WHERE seq = 20",
        "UPDATE events SET event = replace(event, '19', '91') WHERE seq = 20",
        "UPDATE events SET chain = zeroblob(32) WHERE seq = 51",
        "DELETE FROM events WHERE seq = 20",
        "DELETE FROM events WHERE seq = 1",
        "DELETE FROM events WHERE seq = 20; UPDATE events SET seq = seq - 1 WHERE seq > 20",
        "UPDATE events SET seq = 100 WHERE seq = 52",
        "INSERT INTO events SELECT 53, task, at_ms, type, event, chain FROM events WHERE seq = 52",
    ];
    for edit in edits {
        std::fs::write(&database, &whole).unwrap();
        Connection::open(&database).unwrap().execute_batch(edit).unwrap();
        let found = Store::open(folder.path()).unwrap().check_integrity();
        assert!(matches!(found, Err(StoreError::Corrupt { .. })), "{edit}: {found:?}");
    }
}

/// Every table that decisions are based on, with a column that identifies rows.
const TABLES: [(&str, &str); 8] = [
    ("events", "seq"),
    ("sessions", "id"),
    ("tasks", "number"),
    ("tool_executions", "call"),
    ("permission_requests", "id"),
    ("questions", "id"),
    ("grants", "number"),
    ("memories", "id"),
];

/// Reproducible random numbers with a printed seed (splitmix64).
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((mixed ^ (mixed >> 31)) % bound as u64) as usize
    }
}

/// Returns another value of the same type.
fn another(value: Value, random: &mut Random) -> Value {
    match value {
        Value::Null => Value::Integer(random.below(1_000_000) as i64),
        Value::Integer(number) if random.below(2) == 0 => Value::Integer(number + 1),
        Value::Integer(_) => Value::Integer(random.below(1_000_000) as i64),
        Value::Text(text) => {
            let mut chars: Vec<char> = text.chars().collect();
            let at = random.below(chars.len() + 1);
            match random.below(3) {
                0 if at < chars.len() => drop(chars.remove(at)),
                1 if at < chars.len() => chars[at] = char::from(b'a' + random.below(26) as u8),
                _ => chars.insert(at, char::from(b'0' + random.below(10) as u8)),
            }
            Value::Text(chars.into_iter().collect())
        }
        Value::Blob(mut bytes) => {
            let at = random.below(bytes.len());
            bytes[at] ^= 1 << random.below(8);
            Value::Blob(bytes)
        }
        Value::Real(_) => unreachable!("no column holds one"),
    }
}

/// Makes a random edit: changes a value, or removes or inserts a row. Returns a description; `None` if nothing changed.
fn edit(conn: &Connection, random: &mut Random) -> Option<String> {
    let (table, key) = TABLES[random.below(TABLES.len())];
    let keys: Vec<Value> = conn
        .prepare(&format!("SELECT {key} FROM {table}"))
        .unwrap()
        .query_map([], |row| row.get(0))
        .unwrap()
        .map(Result::unwrap)
        .collect();
    let chosen = &keys[random.below(keys.len())];
    if random.below(8) == 0 {
        let done = conn.execute(&format!("DELETE FROM {table} WHERE {key} = ?1"), [chosen]);
        return done.ok().map(|_| format!("{table}: {chosen:?} taken away"));
    }
    let mut statement = conn.prepare(&format!("SELECT * FROM {table} WHERE {key} = ?1")).unwrap();
    let columns: Vec<String> = statement.column_names().map(|name| format!("\"{name}\"")).collect();
    let read = |row: &Row<'_>| (0..columns.len()).map(|at| row.get(at)).collect::<Result<Vec<Value>, _>>();
    let mut row = statement.query_row([chosen], read).unwrap();
    if random.below(8) == 0 {
        // Inserts a copy with other keys. If they collide, nothing happens.
        let at = columns.iter().position(|column| column.trim_matches('"') == key).unwrap();
        row[at] = another(row[at].clone(), random);
        if table == "tasks" || table == "grants" {
            row[1] = another(row[1].clone(), random);
        }
        let marks: Vec<String> = (1..=row.len()).map(|at| format!("?{at}")).collect();
        let sql = format!("INSERT INTO {table} ({}) VALUES ({})", columns.join(","), marks.join(","));
        return conn.execute(&sql, params_from_iter(&row)).ok().map(|_| format!("{table}: put in {row:?}"));
    }
    let at = random.below(columns.len());
    // No event records that a grant was revoked, and its number has no meaning.
    if table == "grants" && matches!(columns[at].as_str(), "\"revoked_at_ms\"" | "\"number\"") {
        return None;
    }
    let new = another(row[at].clone(), random);
    if new == row[at] {
        return None;
    }
    let sql = format!("UPDATE {table} SET {} = ?2 WHERE {key} = ?1", columns[at]);
    let done = conn.execute(&sql, [chosen, &new]);
    done.ok().map(|_| format!("{table}.{}: {:?} became {new:?}", columns[at], row[at]))
}

#[tokio::test]
async fn edits_by_chance_of_anything_decisions_are_taken_from_are_found() {
    let (folder, store) = home();
    for name in ["t", "u"] {
        let id = start(&store, name).await;
        for (at, choice) in
            [allow(once()), deny("no"), allow(minutes(30)), allow(always())].into_iter().enumerate()
        {
            let request_id = format!("{name}{at}");
            store.append(&id, 10, vec![iteration(1), asked(request(&request_id, &id))]).await.unwrap();
            store.answer_permission(answer(&request_id, choice), 20).await.unwrap();
        }
        let call = CallId::of(&id, 1, 1);
        let plan = AgentPlan {
            tool_calls: vec![ToolCall {
                id: call.clone(),
                tool: "shell".to_owned(),
                parameters: json!({"command": "ls"}),
                problem: None,
                written: None,
            }],
            ..AgentPlan::default()
        };
        let planned = TaskEvent::Planned(Planned {
            plan,
            usage: Usage { input_tokens: 1, output_tokens: 1, ..Usage::default() },
            duration_ms: 1,
            model: None,
            backend: None,
            cost_micros: None,
        });
        let question = Question {
            id: RequestId::new(format!("q-{name}")),
            task: id.clone(),
            text: "Good?".to_owned().into(),
            choices: Vec::new(),
            created_at_ms: 30,
        };
        let asked = TaskEvent::QuestionAsked(QuestionAsked { question });
        store.append(&id, 30, vec![planned, finished(&call, "text"), asked, steered("on")]).await.unwrap();
    }
    store.revoke_grant(&store.grants(None, 30).unwrap()[0].id, 35).await.unwrap();
    store.append(&task("u"), 40, vec![stopped()]).await.unwrap();
    store.check_integrity().unwrap();
    drop(store);
    Store::open(folder.path()).unwrap().check_integrity().unwrap();

    let mut random = Random(deputy_testkit::seed());
    let edits = std::env::var("DEPUTY_STORE_EDITS").map_or(100, |count| count.parse().unwrap());
    let database = folder.path().join("deputy.db");
    let whole = std::fs::read(&database).unwrap();
    let mut made = 0;
    while made < edits {
        std::fs::write(&database, &whole).unwrap();
        let conn = Connection::open(&database).unwrap();
        let Some(what) = edit(&conn, &mut random) else { continue };
        drop(conn);
        made += 1;
        // Some edits are detected when the journal is opened.
        let found = Store::open(folder.path()).and_then(|store| store.check_integrity());
        assert!(matches!(found, Err(StoreError::Corrupt { .. })), "{what}: {found:?}");
    }
    println!("figure: U: {edits} edits by chance, all found");
}
