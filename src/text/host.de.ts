/** The host's catalog in German: the text of each file. */
export default import.meta.glob<string>("../../crates/messages/de/*.ftl", {
  eager: true,
  import: "default",
  query: "?raw",
});
