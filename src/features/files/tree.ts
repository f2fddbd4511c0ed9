/** Folder trees as rows: their contents, which folders are open, and what the plan changes. */
import type { DraftTrees, OrganizeOperation } from "../../protocol";

export interface Row {
  path: string;
  name: string;
  depth: number;
  folder: boolean;
  /** The number of files in the folder and its subfolders. */
  files: number;
  open: boolean;
  /** `new`: created by the plan. `gone`: no longer there afterwards. `trash`: moved to the trash. */
  mark: "new" | "gone" | "trash" | undefined;
}

interface Node {
  path: string;
  name: string;
  folder: boolean;
  files: number;
  /** Whether anything in the folder or its subfolders is marked. */
  touched: boolean;
  mark: Row["mark"];
  children: Node[];
}

export interface Forest {
  roots: Node[];
  size: number;
}

/** With at most this many entries, all folders are open at first. */
const ALL_OPEN = 60;

/** Builds both trees of a draft, with marks on the differences. */
export function forests(
  scope: readonly string[],
  trees: DraftTrees,
  operations: readonly OrganizeOperation[],
): { before: Forest; after: Forest } {
  const before = new Set(trees.before);
  const after = new Set(trees.after);
  // Paths are absolute, or relative to the only folder.
  const full = (path: string) => (path.startsWith("/") ? path : `${scope[0]}/${path}`);
  const trashed = new Set(
    operations.flatMap(({ action }) =>
      action.kind === "trash" ? [full(action.path), `${full(action.path)}/`] : [],
    ),
  );
  return {
    before: grow(scope, trees.before, (line) => {
      if (trashed.has(line)) return "trash";
      return after.has(line) ? undefined : "gone";
    }),
    after: grow(scope, trees.after, (line) => (before.has(line) ? undefined : "new")),
  };
}

/** Builds a tree from lines that name each folder before its contents. */
function grow(
  scope: readonly string[],
  lines: readonly string[],
  markOf: (line: string) => Row["mark"],
): Forest {
  const known = new Map<string, Node>();
  const roots = scope.map((path): Node => {
    const node = { path, name: path, folder: true, files: 0, touched: false, mark: undefined, children: [] };
    known.set(path, node);
    return node;
  });
  for (const line of lines) {
    const folder = line.endsWith("/");
    const path = folder ? line.slice(0, -1) : line;
    const cut = path.lastIndexOf("/");
    const mark = markOf(line);
    const node: Node = {
      path,
      name: path.slice(cut + 1),
      folder,
      files: 0,
      touched: false,
      mark,
      children: [],
    };
    if (folder) known.set(path, node);
    known.get(path.slice(0, cut))?.children.push(node);
    for (let at = cut; at > 0; at = path.lastIndexOf("/", at - 1)) {
      const above = known.get(path.slice(0, at));
      if (!above) break;
      if (!folder) above.files += 1;
      if (mark) above.touched = true;
    }
  }
  const sort = (nodes: Node[]) => {
    nodes.sort((a, b) => Number(b.folder) - Number(a.folder) || a.name.localeCompare(b.name));
    for (const node of nodes) sort(node.children);
  };
  for (const root of roots) sort(root.children);
  return { roots, size: lines.length };
}

/** Returns the rows to show. `toggled` are the folders that the user opened or closed against the default. */
export function rowsOf(forest: Forest, toggled: ReadonlySet<string>): Row[] {
  const rows: Row[] = [];
  const isOpen = (node: Node, depth: number) => {
    const byRule = depth === 0 || forest.size <= ALL_OPEN || (node.touched && node.children.length <= 8);
    return byRule !== toggled.has(node.path);
  };
  const add = (node: Node, depth: number) => {
    const open = node.folder && isOpen(node, depth);
    const { path, name, folder, files, mark } = node;
    rows.push({ path, name, depth, folder, files, open, mark });
    if (open) for (const child of node.children) add(child, depth + 1);
  };
  for (const root of forest.roots) add(root, 0);
  return rows;
}
