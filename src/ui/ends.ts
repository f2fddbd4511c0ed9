/** Both ends of a long text. The middle opens with a button. */

/** Lines of a text that are shown before its middle is left out. */
const MOST = 13;
const HEAD = 8;
const TAIL = 4;

export interface Ends<T> {
  head: readonly T[];
  leftOut: number;
  tail: readonly T[];
}

export function endsOf<T>(lines: readonly T[], isWhole: boolean): Ends<T> {
  if (isWhole || lines.length <= MOST) return { head: lines, leftOut: 0, tail: [] };
  return { head: lines.slice(0, HEAD), leftOut: lines.length - HEAD - TAIL, tail: lines.slice(-TAIL) };
}
