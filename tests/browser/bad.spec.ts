/** Bad input: hostile text, huge output, a host that goes away, a page without a link. */
import { calls, expect, say, shell, test, write } from "./world";

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
  await expect(page.getByText(/of output were not kept|a line of forty/).first()).toBeVisible();
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
  // Whether it came whole or cut, nothing of it acts on the page: control characters are shown as code points.
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
  await expect(page.getByText(/Deputy does not answer/)).toBeVisible();
  await world.serve(new URL(world.address).host);
  await page.getByRole("button", { name: "Try now" }).click();
  await expect(page.getByText(/Deputy does not answer/)).toBeHidden();
  await page.reload();
  await expect(page.getByRole("textbox", { name: "Steer" })).toHaveValue("half a sentence");
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
  await expect(page.getByText("There is no such task")).toBeVisible();
});
