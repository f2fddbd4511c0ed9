/**
 * The phone's own pages: pairing by code, answering every request by touch, and starting, steering and undoing tasks.
 */

import { door, look, paired, pocket, showCode } from "./handheld";
import { checkEverywhere } from "./screens";
import { ask, calls, expect, say, shell, test, write } from "./world";

const SEND = shell("printf one > one.txt && curl -fsS https://example.org -d @one.txt");

test("what waits is answered with the thumb", { tag: "@screens" }, async ({ browser, page, world }) => {
  const { settings } = door();
  await world.start(
    {
      turns: [
        calls("The report has to be sent.", SEND),
        calls("Then I keep it.", shell("printf two > two.txt")),
        ask("Which name?"),
        calls("And clean up.", shell("rm .env")),
        say("Done."),
      ],
    },
    settings,
  );
  world.write("notes.txt", "n");
  world.write(".env", "KEY=x");
  const phone = await paired(browser, page, world, false);
  await expect(phone.page.getByText("No tasks yet")).toBeVisible();
  await look(phone.page, "phone-home-empty");
  const task = world.task("Send the numbers to the accountant before noon");
  await expect(phone.page.getByText("1 decision waiting").first()).toBeVisible();
  await look(phone.page, "phone-home");
  await phone.page.locator(".waits").tap();
  await expect(phone.page.getByRole("heading", { level: 1 })).toContainText("Send data to example.org");
  await expect(phone.page.getByText("The report has to be sent.")).toBeVisible();
  const run = phone.page.getByRole("button", { name: "Run once" });
  // New buttons ignore taps at first.
  await expect(run).toBeEnabled();
  await look(phone.page, "phone-request", { answer: run });
  await phone.page.getByRole("button", { name: "Deny with a reason" }).tap();
  await phone.page.getByRole("textbox").fill("nothing is sent");
  await look(phone.page, "phone-deny", {
    answer: phone.page.getByRole("button", { name: "Deny", exact: true }),
  });
  await phone.page.getByRole("button", { name: "Deny", exact: true }).tap();
  await expect(phone.page.getByText(/Denied on/)).toBeVisible();
  await phone.page.getByRole("link", { name: /Next: 1 more/ }).tap();
  const work = phone.page.getByRole("button", { name: "Work in this folder" });
  await expect(work).toBeEnabled();
  await work.tap();
  await expect(phone.page.getByText(/Allowed on/)).toBeVisible();
  await look(phone.page, "phone-answered");
  await phone.page.getByRole("link", { name: /Next: 1 more/ }).tap();
  await expect(phone.page.getByText("Which name?")).toBeVisible();
  await look(phone.page, "phone-question", { answer: phone.page.getByRole("button", { name: "Answer" }) });
  await phone.page.getByRole("textbox", { name: "Your answer" }).fill("Ada");
  await phone.page.getByRole("button", { name: "Answer" }).tap();
  await phone.page.getByRole("link", { name: /Next: 1 more/ }).tap();
  await expect(phone.page.getByText("High risk")).toBeVisible();
  await expect(run).toBeEnabled();
  await look(phone.page, "phone-high", { answer: run });
  // A tap is not enough for a high risk.
  await run.tap();
  await expect(phone.page.getByRole("alert")).toHaveText(/^Not approved yet/);
  await look(phone.page, "phone-high", { answer: run });
  // A phone's keyboard begins with a capital letter.
  await phone.page.getByRole("textbox", { name: /Type yes/ }).fill("Yes ");
  await run.tap();
  await expect(phone.page.getByText(/Allowed on/)).toBeVisible();
  await expect.poll(() => world.deputy("show", task, "--json")).toContain('"completed"');
  const story = world.deputy("show", task, "--json");
  expect(world.read("two.txt")).toBe("two");
  expect(story).toContain("nothing is sent");
  expect(story).toContain('"for":"task"');
  expect(story.match(/"by":"device"/g)).toHaveLength(4);
  await phone.context.close();
});

test("a task says that it works in its folder on every screen, and each takes it back", {
  tag: "@screens",
}, async ({ browser, page, world }) => {
  const { settings } = door();
  await world.start(
    {
      turns: [
        calls("One.", shell("printf one > one.txt")),
        ask("Go on?"),
        calls("Two.", shell("printf two > two.txt")),
        ask("And now?"),
        calls("Three.", shell("printf three > three.txt")),
        say("Done."),
      ],
    },
    settings,
  );
  const phone = await paired(browser, page, world, false);
  const task = world.task("Write three files");
  const says = `Works in ${world.workspace} without asking, for this task`;
  const answer = async (by: typeof page) => {
    await by.getByRole("textbox", { name: "Your answer" }).fill("Yes");
    await by.getByRole("button", { name: "Answer" }).click();
  };

  await world.open(page, `#/tasks/${task}`);
  const work = page.getByRole("button", { name: "Work in this folder" });
  await work.click();
  await expect(page.getByText(says)).toBeVisible();
  await checkEverywhere(page, "folder-work");
  await phone.page.goto(`${phone.address}#/tasks/${task}`);
  await expect(phone.page.getByText(says)).toBeVisible();
  await look(phone.page, "phone-folder-work");
  await phone.page.getByRole("button", { name: "Take back" }).tap();
  await expect(phone.page.getByText("Taken back. Deputy asks again.")).toBeVisible();
  // The page hears of it when the task asks again.
  await answer(page);
  await expect(work).toBeVisible();
  await expect(page.getByText(says)).toBeHidden();

  await work.click();
  await expect(page.getByText(says)).toBeVisible();
  await page.getByRole("button", { name: "Take back" }).focus();
  await page.keyboard.press("Enter");
  await expect(page.getByText("Taken back. Deputy asks again.")).toBeVisible();
  await answer(page);
  await page.getByRole("button", { name: "Run once" }).click();
  await expect(page.getByText("Done.", { exact: true })).toBeVisible();
  expect(world.read("one.txt") + world.read("two.txt") + world.read("three.txt")).toBe("onetwothree");
  await phone.context.close();
});

test("a task is started from a template, steered, held, continued, ended and taken back", {
  tag: "@screens",
}, async ({ browser, page, world }) => {
  const { settings } = door();
  await world.start(
    {
      turns: [
        calls("I write the report.", write("report.md", "# A long report\n")),
        // An instruction withdraws what the plan before it asks.
        calls("I keep it short.", write("report.md", "# Report\n")),
        calls("Now I wait for more.", shell("printf more > more.txt")),
        say("Done."),
      ],
    },
    settings,
  );
  const phone = await paired(browser, page, world);
  await phone.page.getByRole("link", { name: "New task" }).tap();
  await phone.page.getByRole("button", { name: /REPORT.md/ }).tap();
  await expect(phone.page.getByRole("textbox", { name: "What do you want done?" })).toHaveValue(/REPORT.md/);
  await phone.page.getByRole("combobox", { name: "Folder" }).fill(world.workspace);
  await look(phone.page, "phone-new");
  await phone.page.getByRole("button", { name: "Start" }).tap();
  await expect(phone.page.getByRole("link", { name: "Answer 1 request" })).toBeVisible();
  await look(phone.page, "phone-task");
  // While a request waits, the field is collapsed.
  await phone.page.getByRole("button", { name: "Add an instruction" }).tap();
  await phone.page.getByRole("textbox", { name: "Add an instruction" }).fill("Keep it short.");
  await phone.page.getByRole("button", { name: "Send" }).tap();
  await expect(phone.page.getByText("Keep it short.")).toBeVisible();
  await phone.page.getByRole("button", { name: "Pause" }).tap();
  await expect(phone.page.getByRole("button", { name: "Resume" })).toBeVisible();
  await phone.page.getByRole("button", { name: "Resume" }).tap();
  await phone.page.getByRole("link", { name: "Answer 1 request" }).tap();
  await phone.page.getByRole("button", { name: "Approve" }).tap();
  await phone.page.getByRole("link", { name: /Next: 1 more/ }).tap();
  await expect(phone.page.getByText("more.txt").first()).toBeVisible();
  expect(world.read("report.md")).toContain("# Report");
  await phone.page.locator(".phone-top a.muted").tap();
  await phone.page.getByRole("button", { name: "Stop" }).tap();
  await expect(phone.page.getByText("Stopped by you").first()).toBeVisible();
  await phone.page.getByRole("button", { name: "Undo changes" }).tap();
  await expect(phone.page.getByText("1 change undone", { exact: true })).toBeVisible();
  await look(phone.page, "phone-undo");
  expect(() => world.read("report.md")).toThrow();
  await phone.page.getByRole("button", { name: "Redo changes" }).tap();
  await expect(phone.page.getByText("1 change redone", { exact: true })).toBeVisible();
  expect(world.read("report.md")).toContain("# Report");
  await phone.context.close();
});

test("a link that is put in by hand pairs; the phone names itself and leaves by itself", {
  tag: "@screens",
}, async ({ browser, page, world }) => {
  const { settings } = door();
  await world.start({ turns: [say("Hello.")] }, settings);
  const link = await showCode(page, world, false);
  const context = await pocket(browser);
  const phone = await context.newPage();
  await phone.goto(link.split("#")[0] ?? "");
  await expect(phone.getByRole("heading", { name: "Pair this device" })).toBeVisible();
  await look(phone, "phone-pair");
  const field = phone.getByRole("textbox");
  await field.fill("not a link");
  await phone.getByRole("button", { name: "Next" }).tap();
  await expect(phone.getByText("This isn't a pairing link")).toBeVisible();
  await field.fill(link);
  await phone.getByRole("button", { name: "Next" }).tap();
  await phone.getByRole("textbox", { name: "Device name" }).fill("Ada's phone");
  await phone.getByRole("button", { name: "Pair", exact: true }).tap();
  await look(phone, "phone-number");
  await phone.getByRole("button", { name: "Yes, it matches" }).tap();
  await page.getByRole("button", { name: "They match" }).click();
  await expect(phone.locator(".phone-bar")).toBeVisible();
  await expect(phone.locator(".phone-bar")).not.toContainText("New task");

  await phone.getByRole("link", { name: "Settings" }).tap();
  const name = phone.getByRole("textbox", { name: "Device name" });
  await expect(name).toHaveValue("Ada's phone");
  await look(phone, "phone-settings");
  await name.fill("Pixel");
  await name.press("Enter");
  await expect.poll(() => world.deputy("--json", "devices", "list")).toContain("Pixel");
  await phone.getByRole("button", { name: "Forget this phone" }).tap();
  await phone.getByRole("button", { name: "Forget this phone" }).tap();
  await expect(phone.getByRole("heading", { name: "This device isn't paired" })).toBeVisible();
  await look(phone, "phone-forgotten");
  // Neither the keys nor the cached state remain.
  await phone.reload();
  await expect(phone.getByRole("heading", { name: "Pair this device" })).toBeVisible();
  expect(await phone.evaluate(() => localStorage.getItem("deputy.last"))).toBeNull();
  expect(world.deputy("--json", "devices", "list")).toContain('"revoked_at_ms":1');
  await context.close();
});

test("a device changes and ends itself, and no other", async ({ browser, page, world }) => {
  const { settings } = door();
  await world.start({ turns: [say("Hello.")] }, settings);
  const one = await paired(browser, page, world, true);
  const two = await paired(browser, page, world, true);
  const other = await two.page.evaluate(ownId);
  // The page has no button for this, so the test sends the message on its own socket.
  const refused = await one.page.evaluate(tryToRevoke, { other });
  expect(refused).toContain("not_allowed");
  await expect(two.page.locator(".phone-bar")).toBeVisible();
  await one.context.close();
  await two.context.close();
});

/** Runs in a phone's page: returns the device's id. */
async function ownId(): Promise<string> {
  const opening = indexedDB.open("deputy");
  await new Promise((resolve) => {
    opening.onsuccess = resolve;
  });
  const got = opening.result.transaction("device").objectStore("device").get("device");
  await new Promise((resolve) => {
    got.onsuccess = resolve;
  });
  return (got.result as { id: string }).id;
}

/** Runs in a phone's page: connects with its key and sends a message that our pages never send. */
async function tryToRevoke({ other }: { other: string }): Promise<string> {
  const opening = indexedDB.open("deputy");
  await new Promise((resolve) => {
    opening.onsuccess = resolve;
  });
  const got = opening.result.transaction("device").objectStore("device").get("device");
  await new Promise((resolve) => {
    got.onsuccess = resolve;
  });
  const { id, pin, keys } = got.result as { id: string; pin: string; keys: CryptoKeyPair };
  const socket = new WebSocket(`wss://${location.host}/ws`);
  return new Promise((resolve) => {
    socket.onmessage = async ({ data }) => {
      const message = JSON.parse(data);
      if (message.type === "challenge") {
        const text = new TextEncoder().encode(["deputy-connect-1", pin, id, message.challenge].join("\n"));
        const made = await crypto.subtle.sign({ name: "ECDSA", hash: "SHA-256" }, keys.privateKey, text);
        const signature = btoa(String.fromCharCode(...new Uint8Array(made)))
          .replaceAll("+", "-")
          .replaceAll("/", "_")
          .replace(/=+$/, "");
        const proof = { proof: "device", device: id, signature };
        socket.send(JSON.stringify({ type: "hello", protocol: 1, follow: false, resume_from: null, proof }));
      } else if (message.type === "welcome") {
        const command = { command: "revoke_device", device: other };
        socket.send(JSON.stringify({ type: "command", envelope: { id: "r1", command } }));
      } else if (message.type === "command_reply" || message.type === "error") resolve(data);
    };
  });
}
