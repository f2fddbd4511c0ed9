/** Tests the keyboard behavior of a group of radio buttons. */
import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { useState } from "react";
import { afterEach, describe, expect, it } from "vitest";
import { Segmented } from "./Segmented";

afterEach(cleanup);

const SIZES = ["small", "middle", "large"];

function Sizes({ first, disabled = false }: { first: string; disabled?: boolean }) {
  const [value, setValue] = useState(first);
  const options = SIZES.map((size) => ({ value: size, label: size }));
  return <Segmented label="Size" value={value} options={options} onChange={setValue} disabled={disabled} />;
}

const radio = (name: string) => screen.getByRole("radio", { name });
const checked = () => screen.queryAllByRole("radio", { checked: true }).map((each) => each.textContent);
const stops = () => screen.getAllByRole("radio").filter((each) => each.tabIndex === 0);

describe("a group of radio buttons", () => {
  it("goes round with the arrows, to its ends with Home and End, and chooses what it goes to", () => {
    render(<Sizes first="small" />);
    radio("small").focus();
    const went = [
      ["ArrowRight", "middle"],
      ["ArrowDown", "large"],
      ["ArrowDown", "small"],
      ["ArrowLeft", "large"],
      ["ArrowUp", "middle"],
      ["End", "large"],
      ["Home", "small"],
    ] as const;
    for (const [key, chosen] of went) {
      fireEvent.keyDown(document.activeElement as Element, { key });
      expect([checked(), document.activeElement?.textContent]).toEqual([[chosen], chosen]);
      expect(stops()).toEqual([radio(chosen)]);
    }
  });

  it("leaves all other keys alone, and those with a modifier", () => {
    render(<Sizes first="small" />);
    radio("small").focus();
    for (const init of [{ key: "a" }, { key: "Tab" }, { key: "ArrowRight", ctrlKey: true }]) {
      // It returns `true` if nothing prevented the browser's default action.
      expect(fireEvent.keyDown(radio("small"), init)).toBe(true);
    }
    expect(checked()).toEqual(["small"]);
  });

  it("is one stop of the Tab key, also where nothing is chosen yet", () => {
    render(<Sizes first="none of them" />);
    expect(checked()).toEqual([]);
    expect(stops()).toEqual([radio("small")]);
    fireEvent.click(radio("large"));
    expect(checked()).toEqual(["large"]);
    expect(stops()).toEqual([radio("large")]);
  });

  it("does nothing while it may not be used", () => {
    render(<Sizes first="small" disabled />);
    fireEvent.click(radio("large"));
    expect(checked()).toEqual(["small"]);
  });
});
