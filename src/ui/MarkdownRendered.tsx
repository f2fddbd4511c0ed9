/** The parser behind `Markdown`, in a file of its own so that the first screen does not wait for it. */
import ReactMarkdown, { type Components } from "react-markdown";
import rehypeSanitize, { defaultSchema } from "rehype-sanitize";
import remarkGfm from "remark-gfm";

// A picture's address would tell its server that somebody looks; nothing may be fetched.
const names = (defaultSchema.tagNames ?? []).filter((name) => name !== "img" && name !== "input");
const schema = { ...defaultSchema, tagNames: names, protocols: { href: ["http", "https", "mailto"] } };

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
        remarkPlugins={[remarkGfm]}
        rehypePlugins={[[rehypeSanitize, schema]]}
        components={components}
        skipHtml={false}
      >
        {text}
      </ReactMarkdown>
    </div>
  );
}
