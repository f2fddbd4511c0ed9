//! The files of the UI, as they were built into a folder.

use axum::extract::State;
use axum::http::{HeaderValue, StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

/// What is shown where the UI was not built.
const NOT_BUILT: &str = "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><title>Deputy</title>\
    <h1>Deputy is running</h1><p>Its page is not built yet. In the folder of the source, run <code>npm install</code> \
    and <code>npm run build</code>, then reload.</p><p>The command line works without it, and so does \
    <a href=\"/api/v1/\">the API</a>.</p></html>";

/// Types of the files that a built page consists of.
const TYPES: [(&str, &str); 12] = [
    ("html", "text/html; charset=utf-8"),
    ("js", "text/javascript; charset=utf-8"),
    ("css", "text/css; charset=utf-8"),
    ("json", "application/json"),
    ("webmanifest", "application/manifest+json"),
    ("svg", "image/svg+xml"),
    ("png", "image/png"),
    ("ico", "image/x-icon"),
    ("webp", "image/webp"),
    ("woff2", "font/woff2"),
    ("txt", "text/plain; charset=utf-8"),
    ("map", "application/json"),
];

/// The folder of the built UI.
#[derive(Clone, Debug)]
pub(super) struct Pages(pub(super) Arc<Option<PathBuf>>);

/// A file of the page. Whatever has no ending is a place in the page itself.
pub(super) async fn page(State(pages): State<Pages>, uri: Uri) -> Response {
    let Some(folder) = pages.0.as_deref() else { return not_built() };
    let path = uri.path().trim_start_matches('/');
    let is_file = path.rsplit('/').next().is_some_and(|name| name.contains('.'));
    let path = if is_file { path } else { "index.html" };
    let plain = Path::new(path);
    // Names only: nothing leads out of the folder, and what is escaped in an address is no file of ours.
    let is_inside = plain.components().all(|part| matches!(part, Component::Normal(_)))
        && path.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_./".contains(&byte));
    let kind = plain.extension().and_then(|end| end.to_str());
    let kind = TYPES.iter().find(|(end, _)| Some(*end) == kind).map(|(_, kind)| *kind);
    let (true, Some(kind)) = (is_inside, kind) else { return missing() };
    match tokio::fs::read(folder.join(plain)).await {
        Ok(content) => {
            // Names under `assets/` carry a digest of their content.
            let keep =
                if path.starts_with("assets/") { "public, max-age=31536000, immutable" } else { "no-cache" };
            let headers = [(header::CONTENT_TYPE, kind), (header::CACHE_CONTROL, keep)];
            (headers, content).into_response()
        }
        Err(_) if !is_file => not_built(),
        Err(_) => missing(),
    }
}

fn not_built() -> Response {
    let kind = HeaderValue::from_static("text/html; charset=utf-8");
    (StatusCode::SERVICE_UNAVAILABLE, [(header::CONTENT_TYPE, kind)], NOT_BUILT).into_response()
}

fn missing() -> Response {
    (StatusCode::NOT_FOUND, "There is no such file.\n").into_response()
}
