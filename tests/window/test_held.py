"""The restrictions of the page: it reaches nothing outside, and can only call its own commands."""

from __future__ import annotations

import base64
import http.server
import json
import re
import threading
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager

from desk import APP, ROOT, desk, until
from driver import Driver


@contextmanager
def outside() -> Iterator[tuple[str, list[str]]]:
    """Runs a server that answers every page, and records the requests."""
    asked: list[str] = []

    class Handler(http.server.BaseHTTPRequestHandler):
        def answer(self) -> None:
            asked.append(self.path)
            self.send_response(200)
            self.send_header("access-control-allow-origin", "*")
            self.send_header("content-length", "0")
            self.end_headers()

        do_GET = do_POST = answer  # noqa: N815

        def log_message(self, format: str, *words: object) -> None:  # noqa: A002
            pass

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}", asked
        server.shutdown()


# Every way in which a page can load an address, with its name in the content policy.
WAYS = {
    "connect-src fetch": "await fetch(url)",
    "connect-src socket": "new WebSocket(url.replace('http', 'ws'))",
    "connect-src events": "new EventSource(url)",
    "connect-src beacon": "navigator.sendBeacon(url, 'x')",
    "img-src": "new Image().src = url",
    "script-src-elem": "put('script').src = url",
    "script-src-elem import": "await import(url)",
    "style-src-elem": "Object.assign(put('link'), {rel: 'stylesheet', href: url})",
    "font-src": "await new FontFace('f', `url(${url})`).load()",
    "frame-src": "put('iframe').src = url",
    "object-src": "put('object').data = url",
    "media-src": "put('video').src = url",
    "worker-src": "new Worker(URL.createObjectURL(new Blob([''])))",
    "form-action": "Object.assign(put('form'), {action: url, method: 'post'}).submit()",
}
BEGIN = """
    const url = arguments[0];
    window.broken = [];
    document.addEventListener("securitypolicyviolation", (event) => broken.push(event.effectiveDirective));
    const put = (name) => document.body.appendChild(document.createElement(name));
    for (const way of [WAYS]) way().catch(() => {});
"""


def test_nothing_outside_is_reached() -> None:
    # The page may not evaluate text, so each way is written into the script.
    begin = BEGIN.replace("WAYS", ",".join(f"async () => {{ {way} }}" for way in WAYS.values()))
    # The engine plays no media, so the policy is not consulted for it.
    expected = {way.split()[0] for way in WAYS} - {"media-src"}
    with desk() as its, outside() as (url, asked):
        its.plays()
        with urllib.request.urlopen(f"{url}/is-there") as answer:
            assert answer.status == 200
        window = Driver(its)
        window.see("What should Deputy do?")
        window.run(begin, f"{url}/way")
        until(lambda: expected <= set(window.run("return window.broken")), f"all of {expected}")
        # Navigation, prefetching and downloads are blocked as well.
        link = "Object.assign(document.body.appendChild(document.createElement('a')), {href: arguments[0]})"
        window.run(f"Object.assign({link}, {{download: 'x'}}).click()", f"{url}/download")
        window.run("location.href = arguments[0]", f"{url}/leave")
        rel = "Object.assign(document.head.appendChild(document.createElement('link')), {rel, href})"
        for kind in ("prefetch", "preload", "dns-prefetch", "preconnect", "icon"):
            window.run(f"const [rel, href] = arguments; {rel}", kind, f"{url}/{kind}")
        window.see("What should Deputy do?")
        assert window.run("return window.location.origin") == "tauri://localhost"
        assert asked == ["/is-there"]
        window.close()


def test_no_text_becomes_a_script() -> None:
    with desk() as its:
        its.plays()
        window = Driver(its)
        window.see("What should Deputy do?")
        # What the page may load shows that the tests below would detect success.
        pixel = base64.b64encode(b"<svg xmlns='http://www.w3.org/2000/svg'/>").decode()
        shown = (
            "return new Promise((done) => Object.assign(new Image(), {src: arguments[0],"
            " onload: () => done(true), onerror: () => done(false)}))"
        )
        assert window.run(shown, f"data:image/svg+xml;base64,{pixel}")
        inline = (
            "const it = document.createElement('script'); it.textContent = 'window.mine = 1';"
            "document.head.append(it); return window.mine ?? null"
        )
        assert window.run(inline) is None
        handler = (
            "document.body.insertAdjacentHTML('beforeend', '<i id=h onclick=\"window.mine=1\"></i>');"
            "document.getElementById('h').click(); return window.mine ?? null"
        )
        assert window.run(handler) is None
        for text in ("eval('1')", "new Function('return 1')()", "setTimeout('window.mine = 1')"):
            window.run(f"try {{ {text} }} catch {{}}")
        assert "EvalError" in window.run("try { return eval('1') } catch (error) { return String(error) }")
        link = "document.body.insertAdjacentHTML('beforeend', '<a id=l href=\"javascript:mine=1\">x</a>')"
        window.run(f"{link}; document.getElementById('l').click()")
        assert window.run("return window.mine ?? null") is None
        window.close()


def test_the_page_can_call_its_own_commands_and_nothing_else() -> None:
    granted = json.loads((ROOT / "src-tauri/capabilities/window.json").read_text())["permissions"]
    assert all(permission.startswith("allow-") for permission in granted)
    with desk() as its:
        its.plays()
        window = Driver(its)
        window.see("What should Deputy do?")
        assert window.ask("starts_at_login") == "yes false"
        assert window.ask("start_at_login", on=True) == "yes null"
        entry = (its.user / ".config/autostart/deputy.desktop").read_text()
        assert f'Exec="{APP.resolve()}" --hidden' in entry
        assert window.ask("starts_at_login") == "yes true"
        # Desktops with their own switch write it into the same file.
        switched_off = f"{entry}X-GNOME-Autostart-enabled=false\n"
        (its.user / ".config/autostart/deputy.desktop").write_text(switched_off)
        assert window.ask("starts_at_login") == "yes false"
        assert window.ask("start_at_login", on=False) == "yes null"
        assert not (its.user / ".config/autostart/deputy.desktop").exists()
        assert window.ask("line_send", line=77, text="{}").startswith("no ")
        for command in (
            "plugin:dialog|open",
            "plugin:event|emit",
            "plugin:event|listen",
            "plugin:global-shortcut|register",
            "plugin:path|resolve_directory",
            "plugin:webview|create_webview_window",
            "plugin:window|close",
            "plugin:app|version",
            "plugin:menu|new",
            "plugin:tray|get_by_id",
            "plugin:resources|close",
            "plugin:shell|execute",
            "plugin:fs|read_file",
            "line_steal",
        ):
            answer = window.ask(command)
            assert re.match(r"no .*(not allowed|not found)", answer), (command, answer)
        window.close()


def test_the_menu_of_the_right_button_is_no_browsers() -> None:
    with desk() as its:
        its.plays()
        window = Driver(its)
        window.see("What should Deputy do?")
        shown = its.window()
        its.say("xdotool", "mousemove", "--window", shown, "640", "300", "click", "3")
        # There is no context menu outside of text, so a key still reaches the page.
        its.say("xdotool", "windowactivate", "--sync", shown, "key", "question")
        window.see("Keyboard shortcuts")
        window.picture("right-button")
        window.close()


def test_a_link_opens_elsewhere() -> None:
    with desk() as its:
        its.plays()
        opened = its.folder / "opened"
        browser = its.user / ".local/share/applications"
        browser.mkdir(parents=True)
        (browser / "browser.desktop").write_text(
            f"[Desktop Entry]\nType=Application\nName=B\nExec=sh -c 'echo \"$0\" >>{opened}' %u\n"
            "MimeType=x-scheme-handler/http;x-scheme-handler/https;\n"
        )
        (browser / "mimeapps.list").write_text(
            "[Default Applications]\nx-scheme-handler/https=browser.desktop\n"
        )
        window = Driver(its)
        window.see("What should Deputy do?")
        link = (
            "document.body.prepend(Object.assign(document.createElement('a'),"
            " {href: arguments[0], target: '_blank', rel: 'noreferrer', textContent: arguments[1]}))"
        )
        # With a click by the user, because pages cannot open windows themselves.
        for name, url in (
            ("one", "ftp://example.org/"),
            ("two", "file:///etc/passwd"),
            ("three", "https://example.org/?a=b"),
        ):
            window.run(link, url, name)
            window.click(f"//a[text()='{name}']")
        until(opened.exists, "a browser")
        until(lambda: opened.read_text(), "its address")
        assert opened.read_text() == "https://example.org/?a=b\n"
        window.close()
