/** The store: collects inputs, folds them at a limited rate, and notifies its listeners. */
import { reduce } from "./reduce";
import { type AppState, type Input, initialState } from "./state";

export class Store {
  private state: AppState = initialState;
  private waiting: Input[] = [];
  private scheduled = false;
  private readonly listeners = new Set<() => void>();

  /**
   * `later` schedules a function, e.g. at the next frame. It bounds the number of folds, e.g. to 25 per second for
   * 200 events.
   */
  constructor(private readonly later: (run: () => void) => void = nextFrame) {}

  get = (): AppState => this.state;

  subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  put(input: Input) {
    this.waiting.push(input);
    if (this.scheduled) return;
    this.scheduled = true;
    this.later(() => {
      this.scheduled = false;
      this.flush();
    });
  }

  /** Folds the pending inputs now. */
  flush() {
    if (this.waiting.length === 0) return;
    const inputs = this.waiting;
    this.waiting = [];
    this.state = reduce(this.state, inputs);
    for (const listener of this.listeners) listener();
  }
}

/** The minimum time between two folds. Text that streams in 25 times per second still appears smooth. */
const BETWEEN_MS = 40;
let last = 0;

/**
 * Schedules a function at the next frame, or later if one was just drawn. A hidden page has no frames, so a timer is
 * used.
 */
function nextFrame(run: () => void) {
  if (document.hidden) {
    setTimeout(run, 200);
    return;
  }
  const draw = () => {
    requestAnimationFrame((now) => {
      last = now;
      run();
    });
  };
  const wait = last + BETWEEN_MS - performance.now();
  if (wait > 0) setTimeout(draw, wait);
  else draw();
}
