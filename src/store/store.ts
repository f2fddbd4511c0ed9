/** The one store: takes inputs, folds them a few times a second at most, tells anyone who listens. */
import { reduce } from "./reduce";
import { type AppState, type Input, initialState } from "./state";

export class Store {
  private state: AppState = initialState;
  private waiting: Input[] = [];
  private scheduled = false;
  private readonly listeners = new Set<() => void>();

  /** `later` runs a function soon, e.g. at the next frame: two hundred events a second are then twenty-five folds at most. */
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

/** Between two folds at least; text that streams in twenty-five times a second still flows. */
const BETWEEN_MS = 40;
let last = 0;

/** At the next frame, or a little later where one was just drawn. A hidden page has no frames; it goes by the clock. */
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
