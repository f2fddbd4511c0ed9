/** The parser behind `Markdown`, in a file of its own so that the first screen does not wait for it. */
import ReactMarkdown, { type Components } from "react-markdown";
import rehypeSanitize, { defaultSchema } from "rehype-sanitize";
import remarkGfm from "remark-gfm";

// A picture's address would tell its server that somebody looks; nothing may be fetched.
const names = (defaultSchema.tagNames ?? []).filter((name) => name !== "img" && name !== "input");
const schema = { ...defaultSchema, tagNames: names, protocols: { href: ["http", "https", "mailto"] } };

interface Node {
  type: string;
  value?: string;
  children?: Node[];
}

/** What holds words and nothing larger. */
const INLINE = new Set(["paragraph", "heading", "emphasis", "strong", "delete", "link", "tableCell"]);

/** HTML is neither drawn nor left out: who reads sees the very letters that were written. */
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
