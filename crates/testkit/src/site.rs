//! A web site on loopback that answers each request target with a function.

use std::io::{self, BufRead, BufReader, Write};
use std::net::{Ipv4Addr, TcpListener};
use std::sync::{Arc, Mutex};

/// Starts a site on a free port. It runs as long as the process. Returns the port and the request targets so far.
pub fn site(answer: impl Fn(&str) -> String + Send + 'static) -> io::Result<(u16, Arc<Mutex<Vec<String>>>)> {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?;
    let (port, asked) = (listener.local_addr()?.port(), Arc::<Mutex<Vec<String>>>::default());
    let heard = asked.clone();
    std::thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            let Ok(reader) = stream.try_clone() else { continue };
            let mut lines = BufReader::new(reader).lines();
            let Some(Ok(first)) = lines.next() else { continue };
            let target = first.split(' ').nth(1).unwrap_or_default().to_owned();
            while lines.next().is_some_and(|line| line.is_ok_and(|line| !line.is_empty())) {}
            if let Ok(mut heard) = heard.lock() {
                heard.push(target.clone());
            }
            let _ = (&stream).write_all(answer(&target).as_bytes());
        }
    });
    Ok((port, asked))
}

/// Returns an answer with an HTML page.
pub fn page(body: &str) -> String {
    format!(
        "HTTP/1.1 200 OK\r\ncontent-type: text/html\r\nconnection: close\r\ncontent-length: {}\r\n\r\n{body}",
        body.len()
    )
}
