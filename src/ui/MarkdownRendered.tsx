/** The parser for `Markdown`, in a separate module so that the first screen does not wait for it. */
import ReactMarkdown, { type Components } from "react-markdown";
import rehypeSanitize, { defaultSchema } from "rehype-sanitize";
import remarkGfm from "remark-gfm";

// Loading a picture would tell its server that someone reads the text, so nothing is fetched.
const names = (defaultSchema.tagNames ?? []).filter((name) => name !== "img" && name !== "input");
const schema = { ...defaultSchema, tagNames: names, protocols: { href: ["http", "https", "mailto"] } };

interface Node {
  type: string;
  value?: string;
  children?: Node[];
}

/** Node types that contain inline content only. */
const INLINE = new Set(["paragraph", "heading", "emphasis", "strong", "delete", "link", "tableCell"]);

/** Shows HTML as literal text instead of rendering or dropping it. */
function htmlAsText() {
  const walk = (parent: Node) => {
    if (!parent.children) return;
    parent.children = parent.children.map((node) => {
      if (node.type === "html") {
        const text: Node = { type: "text", value: node.value ?? "" };
        return INLINE.has(parent.type) ? text : { type: "paragraph", children: [text] };
      }
      walk(node);
      return node;
    });
  };
  return walk;
}

const components: Components = {
  a: ({ href, children }) => (
    <a href={href} title={href} target="_blank" rel="noopener noreferrer">
      {children}
    </a>
  ),
  table: ({ children }) => (
    <div className="prose-table scroll">
      <table>{children}</table>
    </div>
  ),
};

export default function MarkdownRendered({ text }: { text: string }) {
  return (
    <div className="prose">
      <ReactMarkdown
        remarkPlugins={[remarkGfm, htmlAsText]}
        rehypePlugins={[[rehypeSanitize, schema]]}
        components={components}
        skipHtml={false}
      >
        {text}
      </ReactMarkdown>
    </div>
  );
}
