//! Nobody edits the journal unseen.

use crate::support::*;
use deputy_store::{Store, StoreError};
use rusqlite::Connection;

#[tokio::test]
async fn every_edit_of_the_journal_is_found() {
    let (folder, store) = home();
    let id = start(&store, "t").await;
    store.append(&id, 2, (1..50).map(iteration).collect()).await.unwrap();
    // A refused append must leave the chain as it was.
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
