/** The host's catalogue in English, a text for each of its files. */
export default import.meta.glob<string>("../../crates/messages/en/*.ftl", {
  eager: true,
  import: "default",
  query: "?raw",
});
