/** Bad input: hostile text, huge output, a host that disappears, a page without a link. */
import { ask, calls, expect, say, shell, test, write } from "./world";

const HOSTILE = "<img src=x onerror=\"document.title='owned'\"><script>document.title='owned'</script>";

test("what a model or a program says is text", async ({ page, world }) => {
  world.write("colours.txt", `\u001b[31mred\u001b[0m ${HOSTILE}\n`);
  world.write("back\u202etxt.exe", "x");
  await world.start({
    by_conversation: true,
    turns: [
      calls(`${HOSTILE} [click](javascript:document.title='owned')`, shell("cat colours.txt"), shell("ls")),
      calls("", write(`${HOSTILE.slice(0, 40).replaceAll("/", "")}.txt`, HOSTILE)),
      say(`${HOSTILE} **end** ![x](http://127.0.0.1:1/x.png)`),
    ],
  });
  const task = world.task(HOSTILE);
  await world.open(page, `#/tasks/${task}`);
  await expect(page.getByRole("heading", { name: HOSTILE })).toBeVisible();
  await page.getByRole("button", { name: /colours\.txt/ }).click();
  await expect(page.getByRole("region", { name: "Output" }).getByText("red <img")).toBeVisible();
  await page.getByRole("button", { name: /Approve/ }).click();
  await expect(page.getByText("end", { exact: true })).toBeVisible();
  await expect(page).toHaveTitle(/^(\(\d+\) )?Deputy$/);
  expect(await page.locator("main img, main script, main a[href^=javascript]").count()).toBe(0);
});

test("every field that a model or a file's name fills is text, on every screen", async ({ page, world }) => {
  // The same text without slashes, which a file name cannot contain.
  const inName = "<img src=x onerror=document.title='owned'><script>document.title='owned'<script>";
  const bait = `"><svg onload="document.title='owned'">${HOSTILE}`;
  await world.start({
    by_conversation: true,
    turns: [
      calls(bait, { name: bait, arguments: { [bait]: bait } }, shell(`ls ${JSON.stringify(bait)}`)),
      calls(bait, { name: "search", arguments: { action: "grep", pattern: bait } }),
      calls(bait, write(`${inName}.txt`, bait)),
      ask(bait),
      calls(
        bait,
        shell(
          `printf '%s' ${JSON.stringify(bait)} > out.txt && curl ${JSON.stringify(`http://127.0.0.1:1/${bait}`)}`,
        ),
      ),
      say(bait),
    ],
  });
  const task = world.task(bait, inName);
  await world.open(page, `#/tasks/${task}`);
  const clean = async (where: string) => {
    await expect(page, where).toHaveTitle(/^(\(\d+\) )?Deputy$/);
    const made = "img[src=x], script:not([src]), svg[onload], [onerror], a[href^=javascript]";
    expect(await page.locator(made).count(), where).toBe(0);
  };
  const everywhere = async (when: string) => {
    for (const place of ["new", "inbox", "files", "rules", "usage", "settings", "tasks", `tasks/${task}`]) {
      await page.evaluate((hash) => (window.location.hash = `#/${hash}`), place);
      await expect(page.locator(`[data-screen] :is(h1, h2) >> visible=true`).first()).toBeVisible();
      await expect(page.locator(".skeleton")).toHaveCount(0);
      await clean(`${place}, ${when}`);
    }
  };
  const card = page.getByRole("article", { name: /img/ });
  await expect(card).toBeVisible();
  await everywhere("while it asks");
  await card.getByRole("radio", { name: "Always" }).click();
  await expect(card.getByText(/You allow:/)).toContainText("<img");
  await card.getByRole("button", { name: "Always allow" }).click();
  const question = page.getByRole("article", { name: "Question" });
  await expect(question).toContainText("<script>");
  await everywhere("while a question waits");
  await question.getByRole("textbox").fill(bait);
  await question.getByRole("textbox").press("Enter");
  const command = page.locator("article[data-open], article.request").filter({ hasText: "curl" });
  await expect(command.first()).toBeVisible();
  await clean("while a command is asked for");
  world.deny(bait);
  await expect(page.locator(".entry-end")).toBeVisible();
  for (const line of await page.locator(".call-line").all()) await line.click();
  await clean("all of it folded out");
  await everywhere("once it has ended");
  await page.keyboard.press("Control+k");
  await expect(page.getByRole("option").filter({ hasText: "<svg" })).toBeVisible();
  await clean("the palette");
});

test("five megabytes of output do not hold up the page", async ({ page, world }) => {
  world.write("big.txt", "a line of forty characters, or nearly so\n".repeat(128_000));
  await world.start({
    by_conversation: true,
    turns: [calls("", shell("cat big.txt")), say("That was long.")],
  });
  const task = world.task("Read it all");
  await world.open(page, `#/tasks/${task}`);
  await expect(page.getByText("That was long.")).toBeVisible();
  await page.getByRole("button", { name: /cat big\.txt/ }).click();
  await expect(page.getByText(/of output were dropped|a line of forty/).first()).toBeVisible();
  await page.reload();
  await expect(page.getByText("That was long.")).toBeVisible();
});

test("what is no text is shown as what can be read of it", async ({ page, world }) => {
  const bytes = Buffer.from(Array.from({ length: 64 * 1024 }, (_, place) => (place * 37) % 256));
  world.write("blob.bin", Buffer.concat([Buffer.from("before "), bytes, Buffer.from(" after\n")]));
  await world.start({
    by_conversation: true,
    turns: [calls("", shell("cat blob.bin")), say("That was no text.")],
  });
  const task = world.task("Read the blob");
  await world.open(page, `#/tasks/${task}`);
  await expect(page.getByText("That was no text.")).toBeVisible();
  await page.reload();
  await expect(page.getByText("That was no text.")).toBeVisible();
  await page.getByRole("button", { name: /cat blob\.bin/ }).click();
  // A view that is loaded on demand shows long texts.
  await expect(page.locator(".call-details").locator(".cm-content, .output").first()).toBeVisible();
  // Whole or truncated, the text cannot affect the page: control characters are shown as code points.
  await expect(page.locator(".call-details")).toContainText("before");
  const raw = await page.locator(".call-details").textContent();
  const acts = [...(raw ?? "")].filter((letter) => letter < " " && !"\n\r\t".includes(letter));
  expect(acts).toEqual([]);
});

test("a host that goes away is said, and comes back with nothing lost", async ({ page, world }) => {
  await world.start({
    by_conversation: true,
    turns: [calls("A file.", write("one.txt", "1\n")), say("Written.")],
  });
  const task = world.task("Write a file");
  await world.open(page, `#/tasks/${task}`);
  const card = page.getByRole("article", { name: /one\.txt/ });
  await expect(card).toBeVisible();
  await page.keyboard.press("s");
  await page.keyboard.type("half a sentence");
  await world.end();
  await expect(page.getByText(/Deputy isn't responding/)).toBeVisible();
  // While the host is gone, the button stays. Once it is back, the page may reconnect before the button is pressed.
  await page.getByRole("button", { name: "Try now" }).click();
  await world.serve(new URL(world.address).host);
  await expect(page.getByText(/Deputy isn't responding/)).toBeHidden();
  await page.reload();
  await expect(page.getByRole("textbox", { name: "Add an instruction" })).toHaveValue("half a sentence");
  await card.getByRole("button", { name: /Approve/ }).click();
  await expect(page.getByText("Written.")).toBeVisible();
});

test("a page without a link says how to get one", async ({ page, world }) => {
  await world.start({ turns: [say("Hello.")] });
  await page.goto(world.address);
  await expect(page.getByText(/deputy open/)).toBeVisible();
});

test("a task that is not there is said", async ({ page, world }) => {
  await world.start({ turns: [say("Hello.")] });
  await world.open(page, "#/tasks/t-none");
  await expect(page.getByText("Task not found")).toBeVisible();
});
