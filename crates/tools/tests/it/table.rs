//! `table`: rows, conditions, order and sums of CSV files, and files that are not tables.

use crate::support::Desk;
use deputy_protocol::CallStatus;
use serde_json::{Value, json};

const SALES: &str = "Name;Betrag;Datum;Monat\n\
    \"Müller; Söhne\";1.234,50;31.01.2026;Jan\n\
    Meier;99,90 €;01.02.2026;Feb\n\
    Ärzte;-5;15.01.2026;Jan\n\
    leer;;02.02.2026;Feb\n";

async fn asked(desk: &Desk, mut call: Value) -> String {
    call["path"] = json!("a.csv");
    let result = desk.run("table", call.clone()).await;
    assert_eq!(result.status, CallStatus::Ok, "{call}: {}", result.content);
    result.content
}

#[tokio::test]
async fn german_numbers_and_dates_are_compared_and_added() {
    let desk = Desk::new();
    desk.put("a.csv", SALES);
    let cases = [
        (json!({"columns": ["name"], "limit": 2}), "Name\nMüller; Söhne\nMeier\n2 of 4 rows, 1 column"),
        (
            json!({"columns": ["Name"], "where": [{"column": "Betrag", "is": ">", "value": "99.5"}]}),
            "Name\nMüller; Söhne\nMeier\n2 of 4 rows, 2 fit, 1 column",
        ),
        (
            json!({"columns": ["Name", "Datum"], "sort": "Datum", "descending": true, "limit": 1, "offset": 1}),
            "Name\tDatum\nMeier\t01.02.2026\n1 of 4 rows, 2 columns",
        ),
        (
            json!({"columns": ["Name"], "where": [{"column": "Datum", "is": "<", "value": "2026-01-31"}]}),
            "Name\nÄrzte\n1 of 4 rows, 1 fit, 1 column",
        ),
        (
            json!({"columns": ["Name"], "where": [{"column": "Name", "is": "contains", "value": "MÜLL"}]}),
            "Name\nMüller; Söhne\n1 of 4 rows, 1 fit, 1 column",
        ),
        (
            json!({"compute": [{"of": "sum", "column": "Betrag"}, {"of": "average", "column": "Betrag"}, {"of": "count"}]}),
            "sum Betrag\taverage Betrag\tcount\n1329,4\t443,133333\t4\n1 group of 4 rows",
        ),
        (
            json!({"group": ["Monat"], "compute": [{"of": "max", "column": "Betrag"}], "sort": "max Betrag"}),
            "Monat\tmax Betrag\nFeb\t99,9\nJan\t1234,5\n2 groups of 4 rows",
        ),
        (json!({"group": ["Monat"]}), "Monat\tcount\nFeb\t2\nJan\t2\n2 groups of 4 rows"),
    ];
    for (call, wanted) in cases {
        assert_eq!(asked(&desk, call.clone()).await, wanted, "{call}");
    }
}

#[tokio::test]
async fn points_and_tabs_and_thousands_are_found_out() {
    let desk = Desk::new();
    desk.put("a.csv", "\u{feff}item\tprice\nx\t\"1,234.5\"\ny\t2.25\n");
    let sum = json!({"compute": [{"of": "sum", "column": "price"}, {"of": "min", "column": "price"}]});
    assert_eq!(asked(&desk, sum).await, "sum price\tmin price\n1236.75\t2.25\n1 group of 2 rows");
    desk.put("a.csv", "n,v\na,0.1\nb,0.2\nc,n/a\n");
    let sum = json!({"compute": [{"of": "sum", "column": "v"}]});
    assert_eq!(
        asked(&desk, sum).await,
        "sum v\n0.3\n1 group of 3 rows; 1 cell passed by, which hold no number"
    );
}

#[tokio::test]
async fn what_is_no_table_or_asks_for_what_is_not_there_is_said() {
    let desk = Desk::new();
    let long = "x".repeat(100_000_000);
    let quote = format!("a,b\n1,\"never closed\n{}", "row,row\n".repeat(1_000_000));
    let cases: [(Vec<u8>, Value, &str); 6] = [
        (long.into_bytes(), json!({}), "too long"),
        (quote.into_bytes(), json!({}), "too long"),
        (b"a\0b".to_vec(), json!({}), "not text"),
        (b"a,b\n1,2\n".to_vec(), json!({"sort": "c"}), "no column `c`; its columns are: a, b"),
        (b"a,b\n1,2\n".to_vec(), json!({"compute": [{"of": "sum"}]}), "needs a column"),
        (
            b"a,b\n1,2\n".to_vec(),
            json!({"where": [{"column": "z", "is": "=", "value": "1"}]}),
            "no column `z`",
        ),
    ];
    for (content, mut call, reason) in cases {
        desk.put("a.csv", content);
        call["path"] = json!("a.csv");
        let result = desk.run("table", call).await;
        assert_eq!(result.status, CallStatus::Failed, "{reason}");
        assert!(result.content.contains(reason), "{reason}: {}", result.content);
    }
    // Rows with more or fewer cells than columns, and with quotes in the middle, are accepted.
    desk.put("a.csv", "a,b\n1\n1,2,3\nx \"y\" z,4\n");
    assert!(asked(&desk, json!({})).await.ends_with("3 of 3 rows, 2 columns"));
}
