/** The one store: takes inputs, folds them once a frame, tells whoever listens. */
import { reduce } from "./reduce";
import { type AppState, type Input, initialState } from "./state";

export class Store {
  private state: AppState = initialState;
  private waiting: Input[] = [];
  private scheduled = false;
  private readonly listeners = new Set<() => void>();

  /** `later` runs a function soon, e.g. at the next frame: two hundred events a second are then sixty folds at most. */
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

  /** Folds what waits, now. */
  flush() {
    if (this.waiting.length === 0) return;
    const inputs = this.waiting;
    this.waiting = [];
    this.state = reduce(this.state, inputs);
    for (const listener of this.listeners) listener();
  }
}

/** A hidden page has no frames; it is brought up to date by the clock. */
function nextFrame(run: () => void) {
  if (document.hidden) setTimeout(run, 200);
  else requestAnimationFrame(run);
}
