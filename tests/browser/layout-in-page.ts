/**
 * Finds layout defects. These functions run in the page: `layout.ts` sends their text, so they may use only each other
 * and the browser.
 */

/** A line of text or a control: what a person reads or presses. */
export interface Piece {
  element: Element;
  /** The control that it is or belongs to. */
  control: Element | undefined;
  /** How a finding names it. */
  text: string;
  /** The boxes that may clip it or let it scroll, from the inside out. */
  holders: Element[];
  /** Its place in the window, as if nothing clipped it. Measured again after scrolling. */
  box(): DOMRect;
}

/** Lists all defects of the layout. */
export async function defects(): Promise<string[]> {
  // Rows that are out of view may be drawn only once they come into view; here they are measured without scrolling.
  const drawn = new CSSStyleSheet();
  drawn.replaceSync("* { content-visibility: visible !important }");
  document.adoptedStyleSheets.push(drawn);
  const found = [...outside(), ...cutOff(), ...(await covered()), ...(await overlapping())];
  document.adoptedStyleSheets.pop();
  return [...new Set(found)];
}

/** Returns how a finding names an element: tag, classes, and the beginning of its text. */
export function named(element: Element): string {
  const classes = (element.getAttribute("class") ?? "").split(/\s+/).filter(Boolean).slice(0, 3);
  const tag = [element.tagName.toLowerCase(), ...classes].join(".");
  const words = (element.getAttribute("aria-label") ?? element.textContent ?? "").replace(/\s+/g, " ").trim();
  return words ? `${tag} "${words.slice(0, 40)}"` : tag;
}

/** Returns where to look: in the topmost modal dialog, because the page behind it is out of reach, or everywhere. */
export function scope(): Element {
  return [...document.querySelectorAll("dialog:modal")].at(-1) ?? document.body;
}

/** Returns whether a person can see an element, at some position of the scroll bars. */
export function isShown(element: Element): boolean {
  if (!element.checkVisibility({ opacityProperty: true, visibilityProperty: true })) return false;
  for (let at: Element | null = element; at; at = at.parentElement) {
    // Text for screen readers is in a box of one pixel, or clipped away.
    const { clipPath, overflowX } = getComputedStyle(at);
    if (clipPath !== "none") return false;
    if (overflowX !== "visible" && at.getBoundingClientRect().width <= 1) return false;
  }
  return true;
}

/** Returns all shown controls. Those that take no clicks by their style are left out: something else takes them. */
export function controls(): Piece[] {
  const kinds =
    "a[href], button, input:not([type=hidden]), select, textarea, summary, " +
    "[role=button], [role=switch], [role=radio], [role=checkbox], [role=tab], [role=option], [role=menuitem]";
  return [...scope().querySelectorAll(kinds)]
    .filter((element) => isShown(element) && getComputedStyle(element).pointerEvents !== "none")
    .map((element) => ({
      element,
      control: element,
      text: named(element),
      holders: holders(element),
      // A link that runs over several lines has a box for each of them.
      box: () => element.getClientRects()[0] ?? element.getBoundingClientRect(),
    }));
}

/** Returns all shown lines of text. CodeMirror's are in a shadow tree and left out: it arranges its lines itself. */
export function lines(): Piece[] {
  const kinds =
    "a[href], button, summary, [role=button], [role=switch], [role=radio], [role=checkbox], [role=tab], " +
    "[role=option], [role=menuitem]";
  const found: Piece[] = [];
  const nodes = document.createTreeWalker(scope(), NodeFilter.SHOW_TEXT);
  for (let node = nodes.nextNode(); node; node = nodes.nextNode()) {
    const { parentElement: element, textContent } = node;
    const text = textContent?.replace(/\s+/g, " ").trim();
    if (!element || !text || element.closest("svg, script, style, select, textarea") || !isShown(element))
      continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    const control = element.closest(kinds) ?? undefined;
    const held = holdersOfText(element);
    for (const [index, line] of [...range.getClientRects()].entries()) {
      if (line.width <= 1 || line.height <= 1) continue;
      const box = () => {
        // The letters are in the middle of the line; lines may overlap above and below them.
        const { x, y, width, height } = range.getClientRects()[index] ?? new DOMRect();
        return new DOMRect(x, y + height / 4, width, height / 2);
      };
      found.push({ element, control, text: `${named(element)}, line ${index + 1}`, holders: held, box });
    }
  }
  return found;
}

/** Returns the boxes that may clip an element, or let it scroll, from the inside out. */
export function holders(element: Element): Element[] {
  const found: Element[] = [];
  let { position } = getComputedStyle(element);
  for (let at = element.parentElement; at && at !== document.body; at = at.parentElement) {
    if (position === "fixed") break;
    const style = getComputedStyle(at);
    // What is placed absolutely is clipped only by the box that it is placed in, and those around it.
    if (position === "absolute" && style.position === "static" && style.transform === "none") continue;
    position = style.position;
    if (style.overflowX !== "visible" || style.overflowY !== "visible") found.push(at);
  }
  return found;
}

/** Returns the boxes that may clip the text of an element, or let it scroll, from the inside out. */
export function holdersOfText(element: Element): Element[] {
  const { overflowX, overflowY } = getComputedStyle(element);
  return overflowX !== "visible" || overflowY !== "visible"
    ? [element, ...holders(element)]
    : holders(element);
}

/** Returns whether a box scrolls in a direction. */
export function scrolls(holder: Element, way: "X" | "Y"): boolean {
  const style = getComputedStyle(holder);
  return ["auto", "scroll"].includes(way === "X" ? style.overflowX : style.overflowY);
}

/** Returns the part of a box that another one leaves of it; its width or height is negative if there is none. */
export function common(one: DOMRect, other: DOMRect): { width: number; height: number; box: DOMRect } {
  const [left, top] = [Math.max(one.left, other.left), Math.max(one.top, other.top)];
  const width = Math.min(one.right, other.right) - left;
  const height = Math.min(one.bottom, other.bottom) - top;
  return { width, height, box: new DOMRect(left, top, Math.max(width, 0), Math.max(height, 0)) };
}

/** Returns the window. */
export function view(): DOMRect {
  return new DOMRect(0, 0, window.innerWidth, window.innerHeight);
}

/** Returns what can be seen of a piece now. */
export function seen(piece: Piece): DOMRect {
  const held = piece.holders.map((holder) => holder.getBoundingClientRect());
  return [...held, view()].reduce((box, holder) => common(box, holder).box, piece.box());
}

/** Returns what can be seen of a piece at some position of the scroll bars, where it would be now. */
export function unrolled(piece: Piece): DOMRect {
  const all = piece.holders;
  const first = all.findIndex((holder) => scrolls(holder, "X") || scrolls(holder, "Y"));
  const held = all.slice(0, first === -1 ? all.length : first);
  return held
    .map((holder) => holder.getBoundingClientRect())
    .reduce((box, holder) => common(box, holder).box, piece.box());
}

/** Scrolls a piece to the middle of every box that scrolls it. Returns how to scroll back. */
export function toMiddle(piece: Piece): () => void {
  const boxes = piece.holders.filter((holder) => scrolls(holder, "X") || scrolls(holder, "Y"));
  const before = boxes.map((holder) => [holder, holder.scrollLeft, holder.scrollTop] as const);
  for (const holder of boxes) {
    const [box, around] = [piece.box(), holder.getBoundingClientRect()];
    if (box.left < around.left || box.right > around.right)
      holder.scrollLeft += box.left + box.width / 2 - (around.left + around.width / 2);
    holder.scrollTop += box.top + box.height / 2 - (around.top + around.height / 2);
  }
  return () => {
    for (const [holder, left, top] of before) holder.scrollTo({ left, top, behavior: "instant" });
  };
}

/** Returns whether something holds of a piece in the middle of every box that scrolls it, also once the page reacted. */
export async function holdsInMiddle(piece: Piece, holds: () => boolean): Promise<boolean> {
  const back = toMiddle(piece);
  let result = holds();
  if (result) {
    for (let frame = 0; frame < 3; frame += 1) await new Promise(requestAnimationFrame);
    result = holds();
  }
  back();
  return result;
}

/** Returns the layer above the page that an element belongs to: a person opened it, and it covers the page until closed. */
export function layer(element: Element): Element | undefined {
  for (let at: Element | null = element; at; at = at.parentElement) {
    const { position, zIndex } = getComputedStyle(at);
    if ((position === "absolute" || position === "fixed") && Number(zIndex) > 0) return at;
  }
  return undefined;
}

/** Returns the innermost bar that stays in place while the rest scrolls. */
export function bar(element: Element): Element | undefined {
  for (let at: Element | null = element; at; at = at.parentElement)
    if (getComputedStyle(at).position === "sticky") return at;
  return undefined;
}

/** Lists what lies outside of the window and not inside of a scrolling or clipping element. */
export function outside(): string[] {
  const isHeld = (element: Element) => holders(element).length > 0;
  const isOver = (box: DOMRect) => box.width > 1 && (box.left < -1 || box.right > window.innerWidth + 1);
  const isWide = (element: Element) => {
    // A strip that is one row by design is made to scroll sideways.
    const isStrip = getComputedStyle(element).gridAutoFlow === "column";
    return scrolls(element, "X") && !isStrip && element.scrollWidth > element.clientWidth + 1;
  };
  const found = [...document.querySelectorAll("body *")]
    // Code and its output may be wider than their box. The closed list waits outside of the window.
    .filter((element) => !element.closest(".skip, .sr, .mono, .drawer-scrim, .task-list, svg"))
    .filter((element) => (isOver(element.getBoundingClientRect()) && !isHeld(element)) || isWide(element))
    .map((element) => `${named(element)} runs over the side`);
  // Content below the window would scroll the whole page, including the rail, when something is scrolled into view.
  const below = document.documentElement.scrollHeight - window.innerHeight;
  return below > 0 ? [...found, `the page continues ${below} pixels below the window`] : found;
}

/** Lists text that its box clips without an ellipsis, and controls and headings that are too small for their text. */
export function cutOff(): string[] {
  const found = lines().flatMap((line) => clipping(line) ?? []);
  const tight =
    "button, .btn, .pill, .kbd, h1, h2, h3, [role=radio], [role=tab], [role=option], [role=menuitem]";
  for (const element of scope().querySelectorAll(tight)) {
    const { display, overflowX } = getComputedStyle(element);
    if (!isShown(element) || display === "inline" || overflowX !== "visible") continue;
    const over = element.scrollWidth - element.clientWidth;
    if (over > 1) found.push(`${named(element)} is ${over} pixels too narrow for its content`);
  }
  return found;
}

/** Returns which box cuts off a line of text, if one does and scrolling does not help. */
export function clipping(line: Piece): string | undefined {
  const within = (holder: Element) => {
    for (let at: Element = line.element; at !== holder && at.parentElement; at = at.parentElement)
      if (!getComputedStyle(at).display.startsWith("inline")) return false;
    return true;
  };
  let [box, scrollsX, scrollsY] = [line.box(), false, false];
  for (const holder of line.holders) {
    const style = getComputedStyle(holder);
    const edge = holder.getBoundingClientRect();
    const left = common(box, edge);
    const lost = { width: box.width - left.width, height: box.height - left.height };
    scrollsX ||= scrolls(holder, "X");
    scrollsY ||= scrolls(holder, "Y");
    // With an ellipsis, a reader knows that there is more.
    const elided = style.textOverflow === "ellipsis" && within(holder);
    const clamped = style.webkitLineClamp !== "none";
    if (!scrollsX && !elided && !clamped && lost.width > 1)
      return `${line.text} is cut off ${Math.round(lost.width)} pixels at the side by ${named(holder)}`;
    if (!scrollsY && !clamped && lost.height > 2)
      return `${line.text} is cut off ${Math.round(lost.height)} pixels in height by ${named(holder)}`;
    if (elided || clamped) box = left.box;
    if (box.width <= 1 || box.height <= 1) return undefined;
  }
  const lost = box.height - common(box, view()).height;
  return !scrollsY && lost > 2 ? `${line.text} is outside of the window` : undefined;
}

/** Lists controls and text that something else covers at every position of the scroll bars. */
export async function covered(): Promise<string[]> {
  const own = (piece: Piece, hit: Element) => {
    const labels = [...((piece.element as HTMLInputElement).labels ?? [])];
    if ([piece.element, ...labels].some((each) => each.contains(hit))) return true;
    // Text takes no clicks of its own, so its paragraph may be hit in its place.
    return piece.control === undefined && hit.contains(piece.element);
  };
  const coverOf = (piece: Piece): Element | undefined => {
    const box = seen(piece);
    if (box.width <= 1 || box.height <= 1) return undefined;
    const hit = document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2);
    if (!hit || own(piece, hit) || layer(hit) !== layer(piece.element)) return undefined;
    return hit;
  };
  const takesClicks = ({ element }: Piece) => getComputedStyle(element).pointerEvents !== "none";
  const texts = lines().filter((line) => line.control === undefined && takesClicks(line));
  const isFree = (piece: Piece) => seen(piece).width > 1 && seen(piece).height > 1 && !coverOf(piece);
  const found: string[] = [];
  for (const piece of [...controls(), ...texts]) {
    let cover: Element | undefined;
    const isCovered = () => {
      cover = coverOf(piece);
      return cover !== undefined;
    };
    if (!isFree(piece) && (await holdsInMiddle(piece, isCovered)) && cover)
      found.push(`${piece.text} is covered by ${named(cover)}`);
  }
  return found;
}

/** Lists lines of text and controls that overlap, neither of which contains the other. */
export async function overlapping(): Promise<string[]> {
  const pieces = [...controls(), ...lines()].map((piece) => ({
    piece,
    seen: seen(piece),
    unrolled: unrolled(piece),
    layer: layer(piece.element),
    bar: bar(piece.element),
    scroller: piece.holders.find((holder) => scrolls(holder, "X") || scrolls(holder, "Y")),
  }));
  const collide = (one: DOMRect, other: DOMRect) => {
    const { width, height } = common(one, other);
    return width > 2 && height > 2;
  };
  const isRelated = (one: Piece, other: Piece) =>
    one.element.contains(other.element) || other.element.contains(one.element);
  const found: string[] = [];
  for (const [index, one] of pieces.entries()) {
    for (const other of pieces.slice(index + 1)) {
      if (one.layer !== other.layer) continue;
      const movesAlong = one.bar === other.bar && one.scroller === other.scroller;
      const doCollide = movesAlong ? collide(one.unrolled, other.unrolled) : collide(one.seen, other.seen);
      if (!doCollide || isRelated(one.piece, other.piece)) continue;
      // Content passes below bars and buttons that do not scroll with it: it must have a place where it is free.
      const doMeet = () => collide(seen(one.piece), seen(other.piece));
      if (!movesAlong && !(await holdsInMiddle(one.piece, doMeet))) continue;
      if (!movesAlong && !(await holdsInMiddle(other.piece, doMeet))) continue;
      found.push(`${one.piece.text} overlaps ${other.piece.text}`);
    }
  }
  return found;
}
