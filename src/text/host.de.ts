/** The host's catalogue in German, a text for each of its files. */
export default import.meta.glob<string>("../../crates/messages/de/*.ftl", {
  eager: true,
  import: "default",
  query: "?raw",
});
