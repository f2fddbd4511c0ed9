//! Serves the files of the UI from the folder with the build.

use axum::extract::State;
use axum::http::{HeaderMap, HeaderValue, StatusCode, Uri, header};
use axum::response::{IntoResponse, Redirect, Response};
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

/// The page that is shown if the UI was not built.
const NOT_BUILT: &str = "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><title>Deputy</title>\
    <h1>Deputy is running</h1><p>Its page is not built yet. In the folder of the source, run <code>npm install</code> \
    and <code>npm run build</code>, then reload.</p><p>The command line works without it, and so does \
    <a href=\"/api/v1/\">the API</a>.</p></html>";

/// The content types of the files of a built page.
const TYPES: [(&str, &str); 13] = [
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
    ("apk", "application/vnd.android.package-archive"),
];

/// The folder of the phone's pages.
const PHONE: &str = "m";

/// The folder of the built UI.
#[derive(Clone, Debug)]
pub(super) struct Pages(pub(super) Arc<Option<PathBuf>>);

/// The encodings of files that were compressed by the build, with their file extensions, the smaller one first.
const PACKED: [(&str, &str); 2] = [("br", "br"), ("gzip", "gz")];

/// Serves a file of the page. A path without an extension is a location within the page itself.
pub(super) async fn page(State(pages): State<Pages>, uri: Uri, headers: HeaderMap) -> Response {
    let Some(folder) = pages.0.as_deref() else { return not_built() };
    let path = uri.path().trim_start_matches('/');
    if path == PHONE {
        // Its files are named relative to its folder.
        return Redirect::permanent("/m/").into_response();
    }
    let is_file = path.rsplit('/').next().is_some_and(|name| name.contains('.'));
    let is_phone = path.strip_prefix(PHONE).is_some_and(|rest| rest.starts_with('/'));
    let path = match (is_file, is_phone) {
        (true, _) => path,
        (false, true) => "m/index.html",
        (false, false) => "index.html",
    };
    let plain = Path::new(path);
    // Only plain names are allowed, so that no path leads outside of the folder. Files of the build need no escapes.
    let is_inside = plain.components().all(|part| matches!(part, Component::Normal(_)))
        && path.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_./".contains(&byte));
    let kind = plain.extension().and_then(|end| end.to_str());
    let kind = TYPES.iter().find(|(end, _)| Some(*end) == kind).map(|(_, kind)| *kind);
    let (true, Some(kind)) = (is_inside, kind) else { return missing() };
    let Some((content, coding)) = read(&folder.join(plain), &headers).await else {
        return if is_file { missing() } else { not_built() };
    };
    // Names under `assets/` contain a digest of their content.
    let is_digested = path.starts_with("assets/") || path.starts_with("m/assets/");
    let keep = if is_digested { "public, max-age=31536000, immutable" } else { "no-cache" };
    let headers =
        [(header::CONTENT_TYPE, kind), (header::CACHE_CONTROL, keep), (header::VARY, "accept-encoding")];
    let mut response = (headers, content).into_response();
    if let Some(coding) = coding {
        response.headers_mut().insert(header::CONTENT_ENCODING, HeaderValue::from_static(coding));
    }
    response
}

/// Reads a file in a format that the client accepts: compressed by the build, or uncompressed.
async fn read(path: &Path, headers: &HeaderMap) -> Option<(Vec<u8>, Option<&'static str>)> {
    for (coding, ending) in PACKED {
        if !takes(headers, coding) {
            continue;
        }
        let mut packed = path.as_os_str().to_owned();
        packed.push(format!(".{ending}"));
        if let Ok(content) = tokio::fs::read(PathBuf::from(packed)).await {
            return Some((content, Some(coding)));
        }
    }
    tokio::fs::read(path).await.ok().map(|content| (content, None))
}

/// Returns whether a client accepts an encoding: it lists it with a weight other than zero.
fn takes(headers: &HeaderMap, coding: &str) -> bool {
    let lists = headers.get_all(header::ACCEPT_ENCODING).iter().filter_map(|value| value.to_str().ok());
    lists.flat_map(|list| list.split(',')).any(|each| {
        let mut parts = each.split(';').map(str::trim);
        let is_it = parts.next().is_some_and(|name| name.eq_ignore_ascii_case(coding));
        let weight = parts.find_map(|part| part.strip_prefix("q=")).map(str::parse::<f32>);
        is_it && !matches!(weight, Some(Ok(weight)) if weight <= 0.0)
    })
}

fn not_built() -> Response {
    let kind = HeaderValue::from_static("text/html; charset=utf-8");
    (StatusCode::SERVICE_UNAVAILABLE, [(header::CONTENT_TYPE, kind)], NOT_BUILT).into_response()
}

fn missing() -> Response {
    (StatusCode::NOT_FOUND, "There is no such file.\n").into_response()
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::body::to_bytes;

    /// Creates a built page with the phone's page next to it.
    fn built() -> (tempfile::TempDir, Pages) {
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir_all(folder.path().join("m/assets")).unwrap();
        for (name, content) in [
            ("index.html", "desktop"),
            ("m/index.html", "phone"),
            ("m/index.html.br", "packed phone"),
            ("m/assets/a-1.js", "script"),
            ("m/deputy.apk", "app"),
        ] {
            std::fs::write(folder.path().join(name), content).unwrap();
        }
        let pages = Pages(Arc::new(Some(folder.path().to_owned())));
        (folder, pages)
    }

    async fn get(pages: &Pages, path: &str, encodings: &str) -> (StatusCode, HeaderMap, String) {
        let mut asked = HeaderMap::new();
        asked.insert(header::ACCEPT_ENCODING, encodings.parse().unwrap());
        let answer = page(State(pages.clone()), path.parse().unwrap(), asked).await;
        let (parts, body) = answer.into_parts();
        let body = to_bytes(body, 1_024).await.unwrap();
        (parts.status, parts.headers, String::from_utf8(body.to_vec()).unwrap())
    }

    #[tokio::test]
    async fn each_page_has_its_own_places() {
        let (_folder, pages) = built();
        for (path, content) in [
            ("/", "desktop"),
            ("/mail", "desktop"),
            ("/m/", "phone"),
            ("/m/tasks", "phone"),
            ("/m/assets/a-1.js", "script"),
        ] {
            assert_eq!(get(&pages, path, "gzip").await.2, content, "{path}");
        }
        let (_, headers, app) = get(&pages, "/m/deputy.apk", "gzip").await;
        let kind = &headers[header::CONTENT_TYPE];
        // The type tells a phone's browser that it can be installed.
        assert_eq!(
            (app.as_str(), kind.to_str().unwrap()),
            ("app", "application/vnd.android.package-archive")
        );
        let (status, headers, _) = get(&pages, "/m", "gzip").await;
        assert_eq!(
            (status, &headers[header::LOCATION]),
            (StatusCode::PERMANENT_REDIRECT, &HeaderValue::from_static("/m/"))
        );
        assert_eq!(get(&pages, "/m/../secret.txt", "gzip").await.0, StatusCode::NOT_FOUND);
    }

    #[tokio::test]
    async fn packed_files_go_to_those_who_take_them() {
        let (_folder, pages) = built();
        let (_, headers, body) = get(&pages, "/m/", "gzip, deflate, br").await;
        assert_eq!(
            (body.as_str(), &headers[header::CONTENT_ENCODING]),
            ("packed phone", &HeaderValue::from_static("br"))
        );
        assert_eq!(headers[header::CONTENT_TYPE], "text/html; charset=utf-8");
        let (_, headers, body) = get(&pages, "/m/assets/a-1.js", "br").await;
        assert_eq!(body, "script", "a file that was not packed");
        assert!(headers[header::CACHE_CONTROL].to_str().unwrap().contains("immutable"));
    }

    fn asked(value: &'static str) -> HeaderMap {
        HeaderMap::from_iter([(header::ACCEPT_ENCODING, HeaderValue::from_static(value))])
    }

    #[tokio::test]
    async fn a_file_comes_packed_as_the_client_takes_it() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.js");
        for (name, content) in [("a.js", "plain"), ("a.js.br", "small"), ("a.js.gz", "less")] {
            std::fs::write(folder.path().join(name), content).unwrap();
        }
        for (value, content, coding) in [
            ("gzip, deflate, br, zstd", "small", Some("br")),
            ("gzip;q=1.0, br;q=0", "less", Some("gzip")),
            ("BR", "small", Some("br")),
            ("identity", "plain", None),
            ("", "plain", None),
        ] {
            let found = read(&path, &asked(value)).await.unwrap();
            assert_eq!(found, (content.as_bytes().to_vec(), coding), "{value}");
        }
        std::fs::remove_file(folder.path().join("a.js.br")).unwrap();
        assert_eq!(read(&path, &asked("br")).await.unwrap(), (b"plain".to_vec(), None), "not packed so");
        assert!(read(&folder.path().join("b.js"), &asked("br")).await.is_none());
    }
}
