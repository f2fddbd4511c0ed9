//! Input reaches the element that was judged or nothing, even if the page puts something else under the mouse or moves
//! the focus.

use crate::site::{Only, Site, html, reference};
use deputy_browser::{Browser, BrowserError, Changes, Info, Until};
use std::sync::Arc;

/// A nearly invisible button that covers everything below it.
const BUY: &str = "<output id=o>nothing bought</output><button id=buy style='position:absolute;top:60px;left:0;width:600px;height:400px;\
    opacity:.01' onclick=\"o.textContent='bought'\">Buy now</button>";

/// Two sites of different processes. The outer one answers `/` with a page that may name the inner one as `INNER`.
async fn opened(outer: &str, inner: &str) -> (Browser, Changes) {
    let inner = inner.to_owned();
    let inner = Site::new(move |target| (target == "/").then(|| html(&inner))).await;
    let elsewhere = format!("http://localhost:{}", inner.at.port());
    let page = outer.replace("INNER", &elsewhere);
    let site = Site::new(move |target| match target {
        "/" => Some(html(&page)),
        "/near" => Some(html("<button onclick=\"this.textContent='shown'\">Show</button>")),
        // A frame of the far site in a frame of the near one.
        "/between" => Some(html(format!("<iframe title=deep src='{elsewhere}/'></iframe>"))),
        _ => None,
    })
    .await;
    let origins = vec![site.origin(), format!("http://localhost:{}", inner.at.port())];
    let browser = Browser::open(Arc::new(Only(origins))).await.unwrap();
    let page = browser.navigate(&site.url("/"), Until::Loaded).await.unwrap();
    (browser, page)
}

async fn has(browser: &Browser, text: &str) -> bool {
    browser.snapshot().await.unwrap().lines.iter().any(|line| line.contains(text))
}

fn refusal(result: Result<Changes, BrowserError>) -> String {
    result.map(|changes| changes.now.lines).unwrap_err().to_string()
}

#[tokio::test(flavor = "multi_thread")]
async fn an_element_in_a_covered_frame_of_any_site_is_not_clicked() {
    let shown = "<button onclick=\"this.textContent='shown'\">Show</button>";
    for frame in [
        "<iframe title=f src=/near></iframe>",
        "<iframe title=f src=INNER></iframe>",
        "<iframe title=f src=/between></iframe>",
        "<div id=host></div><script>host.attachShadow({mode: 'closed'}).innerHTML = '<iframe title=f src=/near></iframe>'</script>",
    ] {
        let covered = format!("<h1>Shop</h1><br><br>{frame}{BUY}");
        let (browser, page) = opened(&covered, shown).await;
        let show = reference(&page, "button \"Show\"");
        let click = refusal(browser.click(&show, &Info::default()).await);
        assert!(click.contains("button#buy Buy now covers it"), "{frame}: {click}");
        let hover = refusal(browser.hover(&show).await);
        assert!(hover.contains("covers it"), "{frame}: {hover}");
        assert!(has(&browser, "nothing bought").await, "{frame}");

        let open = format!("<div style='height:2000px'>Tall</div>{frame}");
        let (browser, page) = opened(&open, shown).await;
        let show = reference(&page, "button \"Show\"");
        let clicked = browser.click(&show, &Info::default()).await.unwrap();
        assert!(
            clicked.now.lines.iter().any(|line| line.contains("shown")),
            "{frame}: {:?}",
            clicked.now.lines
        );
    }
}

/// Shows the covering button when an event occurs.
fn sly(when: &str) -> String {
    format!(
        "<button id=show style='margin:60px' onclick=\"this.textContent='shown'\">Show</button>{BUY}
         <script>buy.hidden = true; addEventListener('{when}', () => {{ buy.hidden = false }}, true)</script>"
    )
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_page_moves_under_the_mouse_is_not_pressed() {
    for when in ["mousemove", "pointermove", "mouseover"] {
        let (browser, page) = opened(&sly(when), "").await;
        let show = reference(&page, "button \"Show\"");
        let told = refusal(browser.click(&show, &Info::default()).await);
        assert!(told.contains("button#buy Buy now"), "{when}: {told}");
        assert!(has(&browser, "nothing bought").await, "{when}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_frame_of_another_site_that_is_moved_under_the_mouse_is_not_pressed() {
    let far = "<button style='width:600px;height:400px' onclick=\"this.textContent='bought'\">Pay</button>";
    let page = "<button style='margin:60px' onclick=\"this.textContent='shown'\">Show</button>
        <iframe id=f title=far src=INNER style='position:absolute;top:2000px;left:0;width:620px;height:420px'></iframe>
        <script>setInterval(() => { f.style.top = f.style.top === '0px' ? '2000px' : '0px' }, 25)</script>";
    let (browser, page) = opened(page, far).await;
    let show = reference(&page, "button \"Show\"");
    for _ in 0..120 {
        drop(browser.click(&show, &Info::default()).await);
    }
    assert!(has(&browser, "button \"Pay\"").await);
    assert!(!has(&browser, "bought").await);
}

#[tokio::test(flavor = "multi_thread")]
async fn on_a_page_that_keeps_changing_only_the_element_is_pressed() {
    let page = sly("never") + "<script>setInterval(() => { buy.hidden = !buy.hidden }, 3)</script>";
    let (browser, page) = opened(&page, "").await;
    let show = reference(&page, "button \"Show\"");
    for _ in 0..20 {
        drop(browser.click(&show, &Info::default()).await);
        assert!(!has(&browser, "\"bought\"").await);
        assert!(has(&browser, "nothing bought").await);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn keys_reach_only_the_element() {
    let page = "<input id=a aria-label=Search><button id=buy onclick=\"o.textContent='bought'\">Buy now</button>
        <output id=o>nothing bought</output><script>a.onfocus = () => setTimeout(() => buy.focus(), 0)</script>";
    let (browser, page) = opened(page, "").await;
    let search = reference(&page, "textbox \"Search\"");
    let told = refusal(browser.press(Some(&search), "Enter", &Info::default()).await);
    assert!(told.contains("button#buy Buy now"), "{told}");
    assert!(has(&browser, "nothing bought").await);
}

#[tokio::test(flavor = "multi_thread")]
async fn keys_without_a_reference_reach_only_what_had_the_focus() {
    // Enter on the button would send a form to another site, so it is refused if the button has the focus at the check.
    let page = "<form action=INNER/buy method=post onsubmit=\"o.textContent = 'bought'; return false\"><button id=buy>Buy</button></form>
        <output id=o>nothing bought</output><input id=a aria-label=Search>
        <script>setInterval(() => (document.activeElement === buy ? a : buy).focus(), 2)</script>";
    let (browser, _) = opened(page, "").await;
    for _ in 0..40 {
        drop(browser.press(None, "Enter", &Info::default()).await);
    }
    assert!(has(&browser, "nothing bought").await);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_cancelled_action_leaves_the_page_usable() {
    let page = "<input aria-label=Name><output id=o></output><script>let n = 0;
        document.addEventListener('keydown', (e) => { if (e.key === 'F2') o.textContent = `heard ${++n}` }, true)</script>";
    let (browser, page) = opened(page, "").await;
    let (name, none) = (reference(&page, "textbox \"Name\""), Info::default());
    // Cancels at many points of the action, some of them between the restriction and the key.
    for n in 1..=25 {
        let pressing = browser.press(Some(&name), "a", &none);
        drop(tokio::time::timeout(std::time::Duration::from_millis(2 * n), pressing).await);
        browser.evaluate("document.activeElement.blur()", false).await.unwrap();
        browser.press(None, "F2", &none).await.unwrap();
        assert!(has(&browser, &format!("heard {n}")).await, "after {} ms", 2 * n);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn text_reaches_only_the_field() {
    for stolen in ["a.onfocus = () => setTimeout(() => b.focus(), 0)", "a.onselect = () => b.focus()"] {
        let page = format!(
            "<input id=a aria-label=Name value=old><input id=b aria-label=Other><script>{stolen}</script>"
        );
        let (browser, page) = opened(&page, "").await;
        let name = reference(&page, "textbox \"Name\"");
        let told = browser.fill(&name, "secret", &Info::default()).await;
        let other = browser.snapshot().await.unwrap().lines;
        assert!(!other.iter().any(|line| line.contains("\"Other\"") && line.contains("secret")), "{other:?}");
        assert!(told.is_err() || other.iter().any(|line| line.contains("secret")), "{stolen}: {other:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn labels_menus_and_closed_components_still_work() {
    let page = "<label>Agree <input type=checkbox onchange=\"o.textContent='agreed'\" style='pointer-events:none'></label><output id=o></output>
        <button id=menu onmousedown=\"list.hidden = false\">Menu</button>
        <ul id=list hidden style='position:absolute;top:0;left:0;width:600px;height:400px;background:white'><li>Entry</li></ul>
        <form onsubmit=\"o.textContent='sent'; return false\"><input aria-label=One><input aria-label=Two><button>Send</button></form>
        <div id=host></div><script>
        const inside = host.attachShadow({mode: 'closed'}); inside.innerHTML = '<button>Inside</button>';
        inside.firstChild.onclick = () => { o.textContent = 'inside' }</script>";
    let (browser, page) = opened(page, "").await;
    let none = Info::default();
    browser.click(&reference(&page, "checkbox \"Agree\""), &none).await.unwrap();
    assert!(has(&browser, "agreed").await);
    browser.click(&reference(&page, "button \"Inside\""), &none).await.unwrap();
    assert!(has(&browser, "inside").await);
    browser.fill(&reference(&page, "textbox \"One\""), "1", &none).await.unwrap();
    browser.press(Some(&reference(&page, "textbox \"One\"")), "Tab 2 Enter", &none).await.unwrap();
    assert!(has(&browser, "sent").await);
    browser.click(&reference(&page, "button \"Menu\""), &none).await.unwrap();
    assert!(has(&browser, "Entry").await);
}
