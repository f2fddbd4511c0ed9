//! Pages as a model sees them: read as outlines, changed by actions on references, and reported by their changes.

use crate::site::{Only, Site, answer, html, reference};
use deputy_browser::{Browser, Info, Step, Until};
use std::sync::Arc;
use std::time::Duration;

async fn browser(site: &Site) -> Browser {
    Browser::open(Arc::new(Only(vec![site.origin()]))).await.unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_page_is_an_outline_and_actions_say_what_changed() {
    let site = Site::new(|_| None).await;
    let browser = browser(&site).await;
    let page = browser.navigate(&site.url("/shop.html"), Until::Loaded).await.unwrap();
    let expected = [
        "navigation",
        " - link \"Shop\" e1",
        " - link \"About\" e2",
        "# Fruit by post",
        "We send pears and link \"plums\" e3 every week.",
        "| Fruit | Euro",
        "| Pear | 2",
        "| Plum | 3",
        "textbox \"Name\" e4 required",
        "combobox \"Fruit\" e5 = \"Pear\" (Pear | Plum)",
        "checkbox \"As a gift\" e6",
        "textbox \"Day\" e7",
        "textbox \"Note\" e8",
        "button \"Order\" e9",
        "clickable \"Pick one\" e10",
        "0",
        "button \"More\" e11",
        "button \"Ask\" e12",
        "button \"Inside\" e13",
        "In the shade",
        "Imprint",
    ];
    // Hidden elements are left out, and the content of a closed shadow root is included.
    assert_eq!(page.now.lines, expected);
    assert_eq!((page.now.title.as_str(), page.lines), ("The Orchard", None));

    let none = Info::default();
    let lines = |changes: deputy_browser::Changes| changes.lines.unwrap();
    assert_eq!(
        lines(browser.fill("e4", "Ada", &none).await.unwrap()),
        ["- textbox \"Name\" e4 required", "+ textbox \"Name\" e4 = \"Ada\" required"]
    );
    assert_eq!(
        lines(browser.select("e5", &["Plum".into()]).await.unwrap()),
        [
            "- combobox \"Fruit\" e5 = \"Pear\" (Pear | Plum)",
            "+ combobox \"Fruit\" e5 = \"Plum\" (Pear | Plum)"
        ]
    );
    browser.fill("e7", "2026-11-24", &none).await.unwrap();
    assert_eq!(
        lines(browser.click("e6", &none).await.unwrap()),
        ["- checkbox \"As a gift\" e6", "+ checkbox \"As a gift\" e6 checked"]
    );
    assert_eq!(lines(browser.click("e10", &none).await.unwrap()), ["- 0", "+ 1"]);
    assert_eq!(lines(browser.click("e11", &none).await.unwrap()), ["+ Apples come in autumn."]);
    assert_eq!(lines(browser.click("e13", &none).await.unwrap()), ["- In the shade", "+ In the sun"]);
    let asked = browser.click("e12", &none).await.unwrap();
    assert_eq!(asked.lines.unwrap(), Vec::<String>::new());
    assert_eq!(asked.notes, ["The page showed an alert: \"Ripe!\""]);

    let ordered = browser.press(Some("e4"), "Enter", &none).await.unwrap();
    assert_eq!((ordered.lines, ordered.now.lines), (None, vec!["no such page".to_owned()]));
    assert!(
        site.asked().contains(&"POST /order name=Ada&fruit=Plum&gift=on&day=2026-11-24&note=".to_owned()),
        "{:?}",
        site.asked()
    );

    let stale = browser.click("e9", &none).await.unwrap_err().to_string();
    assert_eq!(stale, "there is no e9 on this page (any more); take a new `browser_snapshot`");
    let back = browser.step(Step::Back).await.unwrap();
    assert_eq!(back.now.title, "The Orchard");
    assert!(browser.step(Step::Back).await.is_err());
}

#[tokio::test(flavor = "multi_thread")]
async fn text_pictures_tabs_and_scripts() {
    let site = Site::new(|_| None).await;
    let browser = browser(&site).await;
    let page = browser.navigate(&site.url("/about.html"), Until::Idle).await.unwrap();
    let opened = browser.click(&reference(&page, "Shop in a new tab"), &Info::default()).await.unwrap();
    assert_eq!((opened.now.tab, opened.now.title.as_str()), (2, "The Orchard"));
    assert_eq!(opened.notes, ["Tab 2 opened and is the current one"]);
    let (_, html) = browser.html().await.unwrap();
    assert!(html.contains("<td>Plum</td>") && !html.contains("evil") && !html.contains("<script"), "{html}");
    let shot = browser.screenshot(None).await.unwrap();
    assert!(shot.png.starts_with(b"\x89PNG"));
    let small = browser.screenshot(Some(&reference(&opened, "button \"Order\""))).await.unwrap();
    assert!(small.png.len() < shot.png.len());
    let (value, changes) =
        browser.evaluate("document.title = 'New'; [1, {a: location.pathname}]", false).await.unwrap();
    assert_eq!(
        (value.as_str(), changes.lines.unwrap()),
        (r#"[1,{"a":"/shop.html"}]"#, vec!["title: New".to_owned()])
    );
    let thrown = browser.evaluate("throw new Error('no')", false).await.unwrap_err().to_string();
    assert!(thrown.contains("the script failed: Error: no"), "{thrown}");
    browser.close(2).await.unwrap();
    assert_eq!(browser.tabs(), [format!("1 (current): {} About", site.url("/about.html"))]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_page_with_script_listeners_survives_many_actions() {
    const PAGE: &str = "<button>Plain</button><button id=t>Touched</button><button onclick='window.n = 1'>Inline</button>\
        <output id=n></output><div id=host></div><script>setInterval(() => n.value = performance.now(), 20);\
        t.onclick = () => {}; const inside = host.attachShadow({mode: 'closed'});\
        inside.innerHTML = '<button>Inside</button>'; inside.firstChild.onclick = () => {}</script>";
    let site = Site::new(|target| (target == "/").then(|| html(PAGE))).await;
    let browser = browser(&site).await;
    let page = browser.navigate(&site.url("/"), Until::Loaded).await.unwrap();
    for _ in 0..6 {
        for name in ["Plain", "Touched", "Inline", "Inside"] {
            let button = reference(&page, &format!("\"{name}\""));
            browser.hover(&button).await.unwrap();
            browser.click(&button, &Info::default()).await.unwrap();
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn frames_of_every_origin_are_part_of_the_page() {
    let inner = Site::new(|target| {
        (target == "/inner.html")
            .then(|| html("<button onclick=\"this.textContent='Pressed'\">Inner</button>"))
    })
    .await;
    // Use another site, so that the frame has a separate process.
    let elsewhere = format!("http://localhost:{}", inner.at.port());
    let address = elsewhere.clone();
    let site = Site::new(move |target| match target {
        "/outer.html" => Some(html(format!(
            "<div style='height:1500px'>Tall</div><iframe title=near srcdoc=\"<button onclick=this.textContent='Done'>Near</button>\"></iframe>\
             <iframe title=far src='{address}/inner.html'></iframe>"
        ))),
        _ => None,
    })
    .await;
    let browser = Browser::open(Arc::new(Only(vec![site.origin(), elsewhere.clone()]))).await.unwrap();
    let page = browser.navigate(&site.url("/outer.html"), Until::Loaded).await.unwrap();
    let origins = |named: &str| -> Vec<&str> {
        let lines = page.now.framed.iter().filter(|(_, line)| line.contains(named));
        lines.map(|(origin, _)| origin.as_str()).collect()
    };
    assert_eq!(
        origins("\"Inner\""),
        [elsewhere.as_str()],
        "what is in a frame is of the frame's origin: {:?}",
        page.now.framed
    );
    let none = Info::default();
    let changed = browser.click(&reference(&page, "button \"Near\""), &none).await.unwrap();
    assert!(changed.lines.unwrap().iter().any(|line| line.contains("Done")), "{:?}", changed.now.lines);
    let changed = browser.click(&reference(&page, "button \"Inner\""), &none).await.unwrap();
    assert!(changed.lines.unwrap().iter().any(|line| line.contains("Pressed")), "{:?}", changed.now.lines);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_page_shows_late_after_a_click_is_reported() {
    let site = Site::new(|path| match path {
        "/late.html" => Some(html(
            "<title>Late</title><button id=list>List</button><button id=idle>Idle</button><div id=host></div>\
             <iframe src='/frame.html'></iframe><script>\
             list.onclick = () => setTimeout(() => document.body.prepend('three'), 300);\
             const root = host.attachShadow({mode: 'closed'});\
             root.innerHTML = '<button>Color</button>';\
             root.firstChild.onclick = () => setTimeout(() => root.append('blue'), 450);</script>",
        )),
        "/frame.html" => Some(html(
            "<button id=day>Day</button><script>\
             day.onclick = () => setTimeout(() => document.body.append('Tuesday'), 600);</script>",
        )),
        _ => None,
    })
    .await;
    let browser = browser(&site).await;
    let page = browser.navigate(&site.url("/late.html"), Until::Loaded).await.unwrap();
    for (button, shown) in [("List", "three"), ("Color", "blue"), ("Day", "Tuesday")] {
        let changed = browser.click(&reference(&page, button), &Info::default()).await.unwrap();
        let lines = changed.lines.unwrap();
        assert!(lines.iter().any(|line| line.contains(shown)), "{button}: {lines:?}");
    }
    let idle = browser.click(&reference(&page, "Idle"), &Info::default()).await.unwrap();
    assert_eq!(idle.lines.unwrap(), Vec::<String>::new());
}

#[tokio::test(flavor = "multi_thread")]
async fn what_takes_secrets_or_sends_elsewhere_is_seen_however_it_hides() {
    const LOGIN: &str = "<form action=/login><input type=password aria-label=One><input autocomplete=cc-number aria-label=Two>\
        <input name=cardnumber aria-label=Three><input type=file aria-label=Four><button>Same</button></form>\
        <form action=http://other.test/collect method=post><input name=action value=/here aria-label=Five>\
        <input name=elements value=x><button>Away</button><button formaction=/here>Home</button></form>\
        <form action=/here id=f></form><button form=f formaction=http://third.test/>Third</button>";
    let site = Site::new(|target| (target == "/login.html").then(|| html(LOGIN))).await;
    let browser = browser(&site).await;
    let page = browser.navigate(&site.url("/login.html"), Until::Loaded).await.unwrap();
    let info = |begins: &str| browser.element(&reference(&page, begins)).unwrap().info;
    for (begins, secret) in
        [("One", "password"), ("Two", "card"), ("Three", "card"), ("Four", "file"), ("Same", "")]
    {
        assert_eq!(info(&format!("\"{begins}\"")).secret, secret, "{begins}");
    }
    let to = |begins: &str| info(begins).elsewhere.map(|elsewhere| (elsewhere.to, elsewhere.submits));
    assert_eq!(to("\"Five\""), Some(("http://other.test".to_owned(), false)));
    assert_eq!(to("\"Away\""), Some(("http://other.test".to_owned(), true)));
    assert_eq!((to("\"Home\""), to("\"Same\"")), (None, None));
    assert_eq!(to("\"Third\""), Some(("http://third.test".to_owned(), true)));
    let fields = info("\"Away\"").elsewhere.unwrap().fields;
    assert_eq!(fields, [("action".to_owned(), "/here".to_owned()), ("elements".to_owned(), "x".to_owned())]);

    // An element that has changed its meaning since is not acted on.
    let same = reference(&page, "\"Same\"");
    browser.evaluate("document.forms[0].action = 'http://other.test/'", false).await.unwrap();
    let refused = browser.click(&same, &Info::default()).await.unwrap_err().to_string();
    assert!(refused.contains("is not any more what was asked about"), "{refused}");
}

#[tokio::test(flavor = "multi_thread")]
async fn bad_pages_give_errors_and_the_browser_works_on() {
    let site = Site::new(|target| match target {
        "/loop" => Some(answer("302 Found", "location: /loop\r\n", "")),
        "/busy" => Some(html("<button onclick='for(;;);'>Hang</button>")),
        "/empty" => Some(answer("204 No Content", "", "")),
        "/file" => Some(answer("200 OK", "content-disposition: attachment; filename=a.zip\r\n", "PK")),
        "/asks" => Some(answer("401 Unauthorized", "www-authenticate: Basic realm=x\r\n", "who?")),
        "/popups" => Some(html("<button onclick='for(let i=0;i<20;i++)window.open(\"/about.html\")'>Many</button>")),
        "/covered" => Some(html("<button>Below</button><div id=veil style='position:fixed;inset:0'>Accept cookies</div><button hidden>No</button>")),
        "/stay" => Some(html("<input><script>onbeforeunload=e=>e.preventDefault()</script>")),
        _ => None,
    })
    .await;
    let browser = browser(&site).await;
    let none = Info::default();
    for (path, says) in [
        ("/loop", "its redirects do not end"),
        ("/empty", "it is no page, or has no content"),
        ("/file", "The download of a.zip was not started"),
    ] {
        let error = browser.navigate(&site.url(path), Until::Loaded).await.unwrap_err().to_string();
        assert!(error.contains(says), "{path}: {error}");
    }
    let asks = browser.navigate(&site.url("/asks"), Until::Loaded).await.unwrap();
    assert_eq!(asks.notes, ["The server wants a name and a password, which were not given"]);
    let nobody = browser.navigate("http://127.0.0.1:9/", Until::Loaded).await.unwrap_err().to_string();
    assert!(nobody.contains("http://127.0.0.1:9 was not opened: it is not on the list"), "{nobody}");

    let page = browser.navigate(&site.url("/covered"), Until::Loaded).await.unwrap();
    let covered = browser.click(&reference(&page, "\"Below\""), &none).await.unwrap_err().to_string();
    assert!(covered.contains("div#veil Accept cookies covers it"), "{covered}");

    let page = browser.navigate(&site.url("/stay"), Until::Loaded).await.unwrap();
    browser.fill(&reference(&page, "textbox"), "x", &none).await.unwrap();
    let left = browser.navigate(&site.url("/popups"), Until::Loaded).await.unwrap();
    assert_eq!(left.now.url, site.url("/popups"));
    let many = browser.click(&reference(&left, "\"Many\""), &none).await.unwrap();
    assert!(browser.tabs().len() <= 8, "{:?}", many.notes);

    let missing =
        browser.wait(&Until::Text("never".into()), Duration::from_millis(300)).await.unwrap_err().to_string();
    assert!(missing.contains("the text `never` was not seen"), "{missing}");

    // A crashed page is loaded again in a new tab.
    let _ = browser.navigate("chrome://crash", Until::Loaded).await;
    let again = browser.navigate(&site.url("/about.html"), Until::Loaded).await.unwrap();
    assert_eq!(again.now.title, "About");
}

#[tokio::test(flavor = "multi_thread")]
async fn selectors_name_elements_too_but_not_those_that_are_asked_about() {
    const PAGE: &str = "<button hidden class=go>Hidden</button><button class=go onclick='document.title = 1'>Go</button>\
        <input type=password id=p><div id=h></div><script>h.attachShadow({mode: 'open'}).innerHTML = '<input id=inside>';\
        setTimeout(() => document.body.insertAdjacentHTML('beforeend', '<p id=late>Late</p>'), 300)</script>";
    let site = Site::new(|target| (target == "/").then(|| html(PAGE))).await;
    let browser = browser(&site).await;
    let none = Info::default();
    // The page counts as open once the late element is visible.
    let opened = browser.navigate(&site.url("/"), Until::Selector("#late".into())).await.unwrap();
    assert!(opened.now.lines.iter().any(|line| line.contains("Late")), "{:?}", opened.now.lines);
    let clicked = browser.click("button.go", &none).await.unwrap();
    assert_eq!(clicked.now.title, "1");
    let aimed = clicked.aimed.expect("a picture of the page before the click");
    assert!(aimed.jpeg.starts_with(&[0xff, 0xd8]) && aimed.width > 5 && aimed.height > 5, "{aimed:?}");
    let filled = browser.fill("#inside", "pear", &none).await.unwrap();
    assert!(filled.lines.unwrap().iter().any(|line| line.contains("pear")));
    let secret = browser.fill("#p", "x", &none).await.unwrap_err().to_string();
    assert!(secret.contains("give the reference of the field"), "{secret}");
    let nothing = browser.click("button.stop", &none).await.unwrap_err().to_string();
    assert!(nothing.contains("the selector `button.stop` matches nothing on the page"), "{nothing}");
    for bad in ["button[", ">>", ""] {
        let error = browser.click(bad, &none).await.unwrap_err().to_string();
        assert!(error.contains("nor a CSS selector"), "{bad}: {error}");
    }
    let bad = Until::Selector("p[".into());
    let error = browser.wait(&bad, Duration::from_secs(30)).await.unwrap_err().to_string();
    assert!(error.contains("nor a CSS selector"), "{error}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_script_that_only_reads_can_do_nothing_else() {
    const PAGE: &str = "<title>Old</title><p class=price>12</p><p class=price>30</p><form id=f action=/sent><input name=a></form>\
        <script>var counted = 0; function count() { return ++counted }\
        Object.defineProperty(window, 'trap', {get() { document.title = 'Trapped'; return 1 }})</script>";
    let site = Site::new(|target| (target == "/").then(|| html(PAGE))).await;
    let browser = browser(&site).await;
    browser.navigate(&site.url("/"), Until::Loaded).await.unwrap();
    for (reads, comes_to) in [
        ("[...document.querySelectorAll('.price')].map(p => +p.textContent).reduce((a, b) => a + b)", "42"),
        ("document.title", "Old"),
        ("({path: location.pathname, forms: document.forms.length})", r#"{"forms":1,"path":"/"}"#),
        ("document.querySelector('p').getBoundingClientRect().width > 0", "true"),
    ] {
        let (value, _) =
            browser.evaluate(reads, true).await.unwrap_or_else(|error| panic!("{reads}: {error}"));
        assert_eq!(value, comes_to, "{reads}");
    }
    for acts in [
        "document.title = 'New'",
        "document.body.innerHTML = ''",
        "count()",
        "trap",
        "counted = 7",
        "window.fresh = 1",
        "localStorage.setItem('a', 1)",
        "document.cookie = 'a=1'",
        "fetch('/x')",
        "navigator.sendBeacon('/x')",
        "new Image().src = '/x'",
        "new WebSocket('ws://127.0.0.1:9/')",
        "new XMLHttpRequest().open('GET', '/x')",
        "import('/x.js')",
        "location.href = '/x'",
        "location.assign('/x')",
        "open('/x')",
        "history.back()",
        "document.querySelector('p').remove()",
        "document.querySelector('p').click()",
        "f.submit()",
        "f.requestSubmit()",
        "document.write('x')",
        "setTimeout(() => count(), 0)",
        "queueMicrotask(count)",
        "Promise.resolve().then(count)",
        "alert(1)",
        "print()",
        "eval('count()')",
        "new Function('return count()')()",
        "document.querySelector('p').textContent = 'x'",
        "getSelection().selectAllChildren(document.body)",
        "scrollTo(0, 100)",
        "postMessage('x', '*')",
        "new Worker('/x.js')",
        "navigator.serviceWorker.register('/x.js')",
        "indexedDB.open('x')",
        "crypto.getRandomValues(new Uint8Array(1)) && count()",
        "[1].forEach(() => { counted = 9 })",
        "Reflect.set(window, 'counted', 9)",
        "Object.assign(window, {counted: 9})",
    ] {
        let refused = browser.evaluate(acts, true).await.map(|(value, _)| value);
        let why = refused.expect_err(acts).to_string();
        assert!(why.contains("does more than read") || why.contains("the script failed"), "{acts}: {why}");
    }
    let (state, _) = browser
        .evaluate("[counted, document.title, document.cookie, localStorage.length]", false)
        .await
        .unwrap();
    assert_eq!(state, r#"[0,"Old","",0]"#);
    assert_eq!(site.asked(), ["GET /"], "nothing was requested");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_kept_profile_is_signed_in_again_and_one_browser_at_a_time_has_it() {
    let site = Site::new(|target| match target {
        "/in" => Some(answer(
            "200 OK",
            "set-cookie: lasting=2; Path=/; Max-Age=3600\r\ncontent-type: text/html\r\n",
            "In",
        )),
        "/who" => Some(html("<p id=p></p><script>p.textContent = 'cookie ' + document.cookie</script>")),
        _ => None,
    })
    .await;
    let home = tempfile::tempdir().unwrap();
    let folder = home.path().join("browser/mine");
    let gate = || Arc::new(Only(vec![site.origin()]));
    let first = Browser::open_kept(&folder, gate()).await.unwrap();
    first.navigate(&site.url("/in"), Until::Loaded).await.unwrap();
    let meanwhile = Browser::open_kept(&folder, gate()).await.unwrap();
    let other = meanwhile.navigate(&site.url("/who"), Until::Loaded).await.unwrap();
    assert_eq!(
        other.notes,
        ["The kept profile is in use by another browser, so this one is signed in nowhere"]
    );
    assert!(!other.now.lines.join(" ").contains("lasting"));
    drop(meanwhile);
    // The browser saves its cookies when it closes.
    drop(first.leave().await);
    drop(first);
    let again = Browser::open_kept(&folder, gate()).await.unwrap();
    let who = again.navigate(&site.url("/who"), Until::Loaded).await.unwrap();
    assert_eq!(who.notes, [] as [deputy_messages::Phrase; 0]);
    assert!(who.now.lines.join(" ").contains("lasting=2"), "{:?}", who.now.lines);
}
