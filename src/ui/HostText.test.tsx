/** Tests that the host's text is shown as text, with quoted parts as code. */
import { cleanup, render } from "@testing-library/react";
import { afterEach, expect, it } from "vitest";
import { HostText } from "./HostText";

afterEach(cleanup);

const shown = (text: string) => render(<HostText text={text} />).container;

it("shows what is quoted as code, and a single backtick as it is", () => {
  const quoted = shown("a file named `.env` or `key.pem` holds credentials");
  expect(quoted.textContent).toBe("a file named .env or key.pem holds credentials");
  expect([...quoted.querySelectorAll("code")].map((each) => each.textContent)).toEqual([".env", "key.pem"]);
  const single = shown("it's a ` here");
  expect(single.textContent).toBe("it's a ` here");
  expect(single.querySelector("code")).toBeNull();
});

it("shows markup as text", () => {
  const hostile = shown("`<img src=x onerror=alert(1)>` <b>x</b>");
  expect(hostile.querySelector("img, b")).toBeNull();
  expect(hostile.textContent).toBe("<img src=x onerror=alert(1)> <b>x</b>");
});
