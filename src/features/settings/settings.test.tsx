/** Tests the settings page with a simulated host: waiting, failures, changes, and access. */
import { act, cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, describe, expect, it } from "vitest";
import type {
  ClientMessage,
  Settings as HostSettings,
  Query,
  QueryAnswer,
  ServerMessage,
} from "../../protocol";
import { Client } from "../../store/client";
import { HostContext } from "../../store/hooks";
import { Store } from "../../store/store";
import { golden } from "../../store/testing";
import type { LineEvents } from "../../transport";

/** The settings of the golden sample, as the host would send them. */
function sample(): HostSettings & { answer: "settings" } {
  const found = golden<ServerMessage>("ServerMessage").find(([name]) => name.endsWith("reply_settings.json"));
  const [, reply] = found ?? [];
  if (reply?.type !== "query_reply" || reply.answer.answer !== "settings") throw new Error("no such sample");
  return reply.answer;
}

/** The settings page on a connection whose other end is the test. */
async function page(local = true) {
  // The page queries the color scheme when it loads.
  window.matchMedia ??= (query) => ({ matches: false, media: query, addEventListener: () => {} }) as never;
  const { default: Settings } = await import("./Settings");
  const sent: ClientMessage[] = [];
  let line: LineEvents | undefined;
  const store = new Store((run) => run());
  const client = new Client(store, {
    screen: "test",
    remote: false,
    proof: () => null,
    open: (events) => {
      line = events;
      return { send: (message) => sent.push(message), close: () => {} };
    },
  });
  client.connect();
  const hear = (message: ServerMessage) => act(async () => line?.message(message));
  line?.opened();
  const scopes = local ? (["monitor", "approve", "command"] as const) : (["monitor"] as const);
  await hear({ type: "welcome", protocol: 1, version: "1", seq: 0, scopes: [...scopes], local });
  render(
    <HostContext value={{ store, client }}>
      <Settings />
    </HostContext>,
  );
  const last = (): { id: string; query: Query } => {
    const message = sent.findLast((each) => each.type === "query");
    if (message?.type !== "query") throw new Error("nothing was asked");
    return message;
  };
  const answer = (answer: QueryAnswer) => hear({ type: "query_reply", id: last().id, answer });
  const refuse = (message: string) => {
    return hear({
      type: "error",
      id: last().id,
      error: { code: "bad_setting", message, hints: ["Mend it."] },
    });
  };
  /** The last command, and the host's reply that it is done. */
  const told = () => sent.findLast((each) => each.type === "command")?.envelope;
  const done = () => hear({ type: "command_reply", id: told()?.id ?? "", outcome: { outcome: "done" } });
  return { sent, last, answer, refuse, told, done };
}

describe("the settings", () => {
  afterEach(cleanup);

  it("wait for the host, then list its backends with what each lacks", async () => {
    const { answer } = await page();
    expect(screen.getByRole("status", { name: "Loading settings" })).toBeTruthy();
    await answer(sample());
    expect(screen.getByRole("listitem", { name: /openai.compatible/i }).textContent).toContain("Not ready");
    expect(screen.getByRole("listitem", { name: "mine" }).textContent).toContain("MY_KEY");
  });

  it("say why the host does not tell them", async () => {
    const { refuse } = await page();
    await refuse("The configuration is not valid.");
    expect(screen.getByRole("alert").textContent).toContain("The configuration is not valid.");
  });

  it("send a limit in the file's own unit, once, and nothing takes it back to the default", async () => {
    const { sent, told, done, answer } = await page();
    await answer(sample());
    const minutes = screen.getByLabelText(/Minutes of work/);
    const before = sent.length;
    fireEvent.blur(minutes);
    expect(sent.length).toBe(before);
    fireEvent.change(minutes, { target: { value: "90 min" } });
    await act(async () => fireEvent.blur(minutes));
    expect(sent.length).toBe(before);
    expect(screen.getByText(/Not saved/)).toBeTruthy();
    fireEvent.change(minutes, { target: { value: "90" } });
    await act(async () => fireEvent.blur(minutes));
    expect(told()?.command).toEqual({
      command: "change_settings",
      changes: [{ key: "limits.max_wall_secs", value: "5400" }],
    });
    await done();
    await answer(sample());
    fireEvent.change(minutes, { target: { value: "" } });
    await act(async () => fireEvent.blur(minutes));
    expect(told()?.command).toMatchObject({ changes: [{ key: "limits.max_wall_secs", value: null }] });
  });

  it("keep what is typed while the host still answers, and send the next change after it", async () => {
    const { told, done, answer } = await page();
    const settings = sample();
    await answer(settings);
    const minutes: HTMLInputElement = screen.getByLabelText(/Minutes of work/);
    const leave = async (field: HTMLInputElement, value: string) => {
      fireEvent.change(field, { target: { value } });
      await act(async () => fireEvent.blur(field));
    };
    await leave(minutes, "90");
    const beside: HTMLInputElement = screen.getByLabelText(/Calls at the same time/);
    await leave(beside, "70");
    expect(told()?.command).toMatchObject({ changes: [{ key: "limits.max_wall_secs", value: "5400" }] });
    await done();
    fireEvent.change(minutes, { target: { value: "12" } });
    const limits = { ...settings.choices.limits, max_wall_secs: 5400 };
    await answer({ ...settings, choices: { ...settings.choices, limits } });
    expect(minutes.value).toBe("12");
    expect(told()?.command).toMatchObject({ changes: [{ key: "limits.parallel_calls", value: "70" }] });
  });

  it("are the own user's: another session sees the look alone", async () => {
    const { sent } = await page(false);
    expect(screen.getByRole("heading", { name: "Appearance" })).toBeTruthy();
    expect(screen.queryByRole("heading", { name: "Models" })).toBeNull();
    expect(sent.filter((message) => message.type === "query" && message.query.query === "settings")).toEqual(
      [],
    );
  });
});
