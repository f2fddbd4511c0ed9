/** Tests the page's clock, which stops while no component uses it. */
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
  // Regression: a task that had just ended was shown as ending in two minutes.
  render(<Shown />);
  cleanup();
  vi.setSystemTime(1_300_000);
  render(<Shown />);
  expect(screen.getByText("1300000")).toBeTruthy();
});
