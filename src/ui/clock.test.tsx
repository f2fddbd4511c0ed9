/** The page's clock, which stands still while nobody looks at it. */
import { cleanup, render, screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { useNow } from "./clock";

beforeEach(() => void vi.useFakeTimers({ now: 1_000_000 }));
afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

const Shown = () => <p>{useNow()}</p>;

it("is right for the first that looks after a while in which nobody did", () => {
  // A task that had just ended was said to end in two minutes.
  render(<Shown />);
  cleanup();
  vi.setSystemTime(1_300_000);
  render(<Shown />);
  expect(screen.getByText("1300000")).toBeTruthy();
});
