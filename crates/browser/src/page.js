// The script with which Deputy queries a page. It runs in an isolated world, in which the page's scripts can neither
// see nor change it. Form fields with certain names hide properties of the form, so these properties are read through
// prototypes that the page cannot modify.
(() => {
  if (globalThis.deputy) return;
  const getter = (type, name) => Object.getOwnPropertyDescriptor(type.prototype, name).get;
  const formAction = getter(HTMLFormElement, "action");
  const formMethod = getter(HTMLFormElement, "method");
  const formEnctype = getter(HTMLFormElement, "enctype");
  const formElements = getter(HTMLFormElement, "elements");
  const ownForm = (el) => (el instanceof HTMLFormElement ? el : (el.form ?? el.closest?.("form") ?? null));
  const SUBMITS = "button:not([type=button]):not([type=reset]), input[type=submit], input[type=image]";
  const NATIVE = "a,button,label,select,option,input,textarea,summary,[role=button],[role=link],[role=tab],[role=menuitem],[role=option],[role=checkbox],[role=radio],[role=switch],[contenteditable]";
  const MOST = 300;

  const secretOf = (el) => {
    if (!(el instanceof HTMLInputElement) && !(el instanceof HTMLTextAreaElement)) return "";
    const auto = (el.getAttribute("autocomplete") ?? "").toLowerCase();
    const words = [el.name, el.id, el.placeholder, el.getAttribute("aria-label"), ...(el.labels ? [...el.labels].map((l) => l.textContent) : [])].join(" ");
    if (el.type === "file") return "file";
    if (el.type === "password" || /password|one-time-code/.test(auto) || /passw(or|d)|passwort|kennwort|\bpin\b|\botp\b/i.test(words)) return "password";
    if (/\bcc-/.test(auto) || /card.?num|cardnum|credit.?card|kartennummer|\bcv[cv]\b|\biban\b/i.test(words)) return "card";
    return "";
  };

  // Returns the button that submits a form: the element itself, or the button that Enter in a field activates. The
  // search is cached, so that a page is searched once for all of its fields.
  const defaults = new Map();
  const submitterOf = (el, form) => {
    if (el.matches?.(SUBMITS)) return el;
    if (!defaults.has(form)) defaults.set(form, [...form.getRootNode().querySelectorAll(SUBMITS)].find((button) => button.form === form) ?? null);
    return defaults.get(form);
  };

  // Returns what a form sends when a button submits it: names and values in order, including secret ones. A value that
  // the click determines is null.
  const entriesOf = (form, submitter) => {
    const entries = [];
    const add = (field, name, value) => entries.push([name, value, !!secretOf(field)]);
    for (const field of formElements.call(form)) {
      const type = field.type ?? "";
      if (field.matches(":disabled") || field.closest("datalist")) continue;
      if (/^(button|submit|reset|image)$/.test(type) && field !== submitter) continue;
      if (/^(checkbox|radio)$/.test(type) && !field.checked) continue;
      if (!field.name || field instanceof HTMLFieldSetElement || field instanceof HTMLOutputElement || field instanceof HTMLObjectElement) continue;
      if (field instanceof HTMLSelectElement) {
        for (const option of field.options) if (option.selected && !option.matches(":disabled")) add(field, field.name, option.value);
      } else if (type === "file") {
        const files = [...field.files].map((file) => file.name);
        for (const name of files.length ? files : [""]) entries.push([field.name, name, false]);
      } else if (type === "hidden" && field.name.toLowerCase() === "_charset_") {
        add(field, field.name, document.characterSet);
      } else {
        add(field, field.name, String(field.value));
        if (field.hasAttribute("dirname") && field.getAttribute("dirname")) add(field, field.getAttribute("dirname"), getComputedStyle(field).direction);
      }
    }
    // A form does not list image buttons among its elements.
    if (submitter?.type === "image") {
      const prefix = submitter.name ? `${submitter.name}.` : "";
      entries.push([`${prefix}x`, null, false], [`${prefix}y`, null, false]);
    }
    return entries;
  };

  // Returns the origin that a form is sent to if it differs from the page's, and what would be sent. Otherwise null.
  const elsewhere = (el) => {
    const form = ownForm(el);
    if (!form) return null;
    const submitter = submitterOf(el, form);
    const own = (name, byForm) => (submitter?.hasAttribute(`form${name}`) ? submitter[`form${name[0].toUpperCase()}${name.slice(1)}`] : byForm.call(form));
    const method = own("method", formMethod);
    let to;
    try {
      to = new URL(own("action", formAction), document.baseURI);
    } catch {
      return null;
    }
    if (method === "dialog" || to.origin === globalThis.origin) return null;
    to.hash = "";
    const entries = entriesOf(form, submitter);
    const fields = entries.map(([name, value, secret]) => [name, secret ? "(hidden)" : (value ?? "(where it is clicked)").slice(0, 500)]);
    return {
      to: to.origin === "null" ? to.protocol : to.origin,
      action: to.href,
      method,
      enctype: own("enctype", formEnctype),
      fields,
      entries: entries.map(([name, value]) => [name, value]),
      submits: el === submitter,
    };
  };

  const seen = (el) => ({ secret: secretOf(el), elsewhere: elsewhere(el) });
  const about = (el) => {
    defaults.clear();
    return seen(el);
  };

  const walk = (root, visit, left = { n: 20000 }) => {
    for (const el of root.querySelectorAll("*")) {
      if (left.n-- <= 0) return;
      visit(el);
      if (el.shadowRoot) walk(el.shadowRoot, visit, left);
    }
  };

  // Whether a node contains another one, including through shadow roots.
  const holds = (outer, inner) => {
    for (let at = inner; at; at = at.parentNode ?? at.host) if (at === outer) return true;
    return false;
  };
  // Whether a click on `hit` counts as a click on the element.
  const belongs = (el, hit) => holds(el, hit) || holds(hit, el) || (!!el.labels && [...el.labels].some((label) => holds(label, hit)));
  // Whether an event at `target` is inside the element. Outside of a closed shadow root, its host is the target.
  // Keys that no element has the focus for go to the body; they must not reach what is focused later.
  const isIn = (el, target) => {
    if (el === document.body || el === document.documentElement ? el === target : holds(el, target)) return true;
    for (let root = el.getRootNode(); root instanceof ShadowRoot; root = root.host.getRootNode()) if (root.host === target) return true;
    return false;
  };
  const hitAt = (x, y) => {
    let hit = document.elementFromPoint(x, y);
    while (hit?.shadowRoot) {
      const inner = hit.shadowRoot.elementFromPoint(x, y);
      if (!inner || inner === hit) break;
      hit = inner;
    }
    return hit;
  };
  const titleOf = (el) => (el instanceof Element ? `${el.tagName.toLowerCase()}${el.id ? "#" + el.id : ""} ${el.textContent.trim().slice(0, 60)}`.trim() : "page");

  // The element that may receive input; see `hold`.
  let held = null;
  const ofKind = { pointerdown: "mouse", mousedown: "mouse", click: "mouse", keydown: "keys", beforeinput: "text" };
  const guard = (event) => {
    if (!held || !event.isTrusted || ofKind[event.type] !== held.kind) return;
    const target = event.composedPath()[0];
    // After the element has received the press, the click may end elsewhere, and further keys may follow the focus.
    const reaches = held.kind === "mouse" ? belongs : isIn;
    const isMeant = !held.blocked && !!held.el && ((held.passed && event.type !== "mousedown") || reaches(held.el, target));
    if (isMeant) return void (held.passed = true);
    held.blocked ||= titleOf(target);
    event.preventDefault();
    event.stopImmediatePropagation();
  };
  for (const type of Object.keys(ofKind)) addEventListener(type, guard, { capture: true, passive: false });

  const deputy = {
    found: [],
    about,

    // Returns information about elements that need a closer check: those that require approval, and those that react
    // although their role does not say so.
    probe() {
      const found = [], infos = [];
      defaults.clear();
      walk(document, (el) => {
        if (found.length >= MOST) return;
        if (el.matches("input,textarea,button,select")) {
          const info = seen(el);
          if (info.secret || info.elsewhere) found.push(el), infos.push(info);
        } else if (!el.matches(NATIVE) && !el.closest(NATIVE)) {
          const reacts = el.hasAttribute("onclick") || (getComputedStyle(el).cursor === "pointer" && (!el.parentElement || getComputedStyle(el.parentElement).cursor !== "pointer"));
          if (reacts && el.checkVisibility()) found.push(el), infos.push({ reacts: true });
        }
      });
      deputy.found = found;
      return infos;
    },

    // Scrolls an element into view and returns where a click would reach it in this frame, and what covers it there.
    async reach(node) {
      const el = node instanceof Element ? node : node.parentElement;
      if (!el || !el.isConnected) return { gone: true };
      el.scrollIntoView({ block: "center", inline: "center", behavior: "instant" });
      await new Promise((done) => setTimeout(done, 0));
      const rect = [...el.getClientRects()].find((r) => r.width > 0 && r.height > 0);
      if (!rect || !el.checkVisibility({ visibilityProperty: true })) return { hidden: true };
      const x = Math.min(Math.max(rect.x + rect.width / 2, 0), innerWidth - 1), y = Math.min(Math.max(rect.y + rect.height / 2, 0), innerHeight - 1);
      const hit = hitAt(x, y);
      const covered = hit && !belongs(el, hit) ? titleOf(hit) : "";
      return { x, y, dx: x - rect.x, dy: y - rect.y, width: rect.width, height: rect.height, covered, disabled: !!el.disabled, ...about(el) };
    },

    // Converts a point in a frame to a point in the document that contains the frame. Scrolls it into view, and returns
    // what covers it.
    async above(frame, x, y) {
      if (!frame.isConnected) return { gone: true };
      const place = () => {
        const box = frame.getBoundingClientRect(), style = getComputedStyle(frame);
        const across = box.width / (frame.offsetWidth || 1), down = box.height / (frame.offsetHeight || 1);
        return { x: box.x + (frame.clientLeft + parseFloat(style.paddingLeft) + x) * across, y: box.y + (frame.clientTop + parseFloat(style.paddingTop) + y) * down };
      };
      const isOut = ({ x, y }) => x < 0 || y < 0 || x >= innerWidth || y >= innerHeight;
      if (isOut(place())) frame.scrollIntoView({ block: "center", inline: "center", behavior: "instant" });
      if (isOut(place())) scrollBy({ left: place().x - innerWidth / 2, top: place().y - innerHeight / 2, behavior: "instant" });
      await new Promise((done) => setTimeout(done, 0));
      const at = place(), hit = hitAt(at.x, at.y);
      return { ...at, hidden: isOut(at), covered: hit && !isIn(frame, hit) ? titleOf(hit) : "" };
    },

    // Until `free`, blocks clicks, keys or text in this frame, except on the element given to `holdTo`. Moving the
    // element or the focus after the check therefore has no effect. Call `hold` in every frame, then `holdTo` in the
    // frame of the element.
    hold(kind) {
      held = { kind, el: null, blocked: "", passed: false };
    },
    holdTo(el, kind) {
      held = { kind, el, blocked: "", passed: false };
    },

    // Allows all input again. Returns what would have received the blocked input.
    free() {
      const { blocked } = held ?? { blocked: "" };
      held = null;
      return blocked;
    },

    fill(el, text) {
      if (!el.isConnected) return { gone: true };
      if (el.disabled || el.readOnly) return { unfit: { why: "fixed" } };
      el.scrollIntoView({ block: "center", behavior: "instant" });
      el.focus();
      const changed = () => {
        el.dispatchEvent(new Event("input", { bubbles: true, composed: true }));
        el.dispatchEvent(new Event("change", { bubbles: true }));
      };
      if (el instanceof HTMLInputElement && /^(date|time|datetime-local|month|week|color|range)$/.test(el.type)) {
        el.value = text;
        if (el.value !== text && el.type !== "range") return { unfit: { why: "takes", format: { date: "YYYY-MM-DD", time: "HH:MM", "datetime-local": "YYYY-MM-DDTHH:MM", month: "YYYY-MM", week: "YYYY-Www", color: "#rrggbb" }[el.type] } };
        changed();
        return { done: true };
      }
      if (el instanceof HTMLInputElement && /^(checkbox|radio|file|button|submit|reset|image)$/.test(el.type)) return { unfit: { why: "not_for_text" } };
      if (el instanceof HTMLInputElement || el instanceof HTMLTextAreaElement) el.select();
      else if (el.isContentEditable) getSelection().selectAllChildren(el);
      else return { unfit: { why: "not_for_text" } };
      return { type: true };
    },

    filled(el) {
      el.dispatchEvent(new Event("change", { bubbles: true }));
      return el.value ?? el.textContent;
    },

    select(el, wanted) {
      if (!el.isConnected) return { gone: true };
      if (!(el instanceof HTMLSelectElement)) return { unfit: { why: "no_list" } };
      const options = [...el.options];
      const named = (want) => options.find((o) => o.label.trim() === want || o.value === want) ?? options.find((o) => o.label.trim().toLowerCase() === want.toLowerCase());
      const chosen = wanted.map(named);
      const missing = wanted.filter((_, n) => !chosen[n]);
      if (missing.length) return { unfit: { why: "no_such_choice", missing: missing.join(", "), choices: options.map((o) => o.label.trim()).slice(0, 40).join(" | ") } };
      if (chosen.length > 1 && !el.multiple) return { unfit: { why: "one_choice" } };
      for (const option of options) option.selected = chosen.includes(option);
      el.dispatchEvent(new Event("input", { bubbles: true, composed: true }));
      el.dispatchEvent(new Event("change", { bubbles: true }));
      return { done: true };
    },

    scroll(node, pages) {
      let el = node instanceof Element ? node : node?.parentElement;
      const scrolls = (e) => e.scrollHeight > e.clientHeight + 1 && /auto|scroll/.test(getComputedStyle(e).overflowY);
      while (el && !scrolls(el)) el = el.parentElement;
      const target = el ?? document.scrollingElement ?? document.documentElement;
      const height = el ? el.clientHeight : innerHeight;
      target.scrollBy({ top: pages * height * 0.9, behavior: "instant" });
      return { top: Math.round(target.scrollTop), of: Math.round(target.scrollHeight - height) };
    },

    // Returns the visible content as plain HTML. Shadow roots and frames of the same origin are inlined, and nothing
    // hidden is included.
    html() {
      const out = [];
      let left = 4000000;
      const put = (text) => { left -= text.length; if (left > 0) out.push(text); };
      const safe = (text) => text.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/"/g, "&quot;");
      const VOID = /^(br|hr|img|input|wbr)$/, SKIP = /^(script|style|noscript|template|svg|object|embed|head|link|meta)$/;
      const write = (node) => {
        if (left <= 0) return;
        if (node.nodeType === Node.TEXT_NODE) return put(safe(node.data));
        if (node.nodeType !== Node.ELEMENT_NODE) return;
        const tag = node.localName;
        if (SKIP.test(tag) || (!node.checkVisibility({ visibilityProperty: true, opacityProperty: true }) && !/^(br|option|optgroup)$/.test(tag) && getComputedStyle(node).display !== "contents")) return;
        if (tag === "iframe") {
          let inner = null;
          try { inner = node.contentDocument?.body; } catch {}
          if (inner) put("<div>"), [...inner.childNodes].forEach(write), put("</div>");
          return;
        }
        if (tag === "input" || tag === "textarea") return secretOf(node) || !node.value ? undefined : put(`<span>${safe(node.value)}</span>`);
        put(`<${tag}`);
        for (const name of ["alt", "colspan", "rowspan", "start"]) if (node.hasAttribute(name)) put(` ${name}="${safe(node.getAttribute(name))}"`);
        if (tag === "a" && node.href && /^https?:/.test(node.href)) put(` href="${safe(String(node.href))}"`);
        put(">");
        if (VOID.test(tag)) return;
        (node.shadowRoot ?? node).childNodes.forEach(write);
        put(`</${tag}>`);
      };
      put(`<html><head><title>${safe(document.title)}</title></head>`);
      if (document.body) write(document.body);
      out.push("</html>");
      return out.join("");
    },

    // Returns the element that matches a selector. Prefers visible elements, and searches shadow roots last.
    find(selector) {
      const all = [...document.querySelectorAll(selector)];
      const found = all.find((el) => el.checkVisibility()) ?? all[0];
      if (found) return found;
      let inside = null;
      walk(document, (el) => { inside ??= el.shadowRoot?.querySelector(selector) ?? null; });
      return inside;
    },

    has(text, selector) {
      if (selector) { const el = deputy.find(selector); return !!el && el.checkVisibility(); }
      return !!document.body && document.body.innerText.includes(text);
    },
  };
  globalThis.deputy = deputy;
})()
