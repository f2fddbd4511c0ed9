/** How a page reaches the host: messages out, messages in, and whether the line stands. */
import type { ClientMessage, Proof, ServerMessage } from "../protocol";

/** What a line tells anyone who opened it. */
export interface LineEvents {
  /** The line stands; a hello may be sent. */
  opened(): void;
  /** A message of the host's. */
  message(message: ServerMessage): void;
  /** The line is gone, or never stood. Nothing follows. */
  closed(): void;
}

/** An open line. */
export interface Line {
  send(message: ClientMessage): void;
  close(): void;
}

/** A way to the host. `open` never throws: what fails is told by `closed`. */
export interface Transport {
  /** What a person's answer is called where the host does not know better. */
  readonly screen: string;
  /** Whether the page is a paired device's, whose key signs its answers. */
  readonly remote: boolean;
  /** Which device it is, where it is one. */
  readonly device?: string;
  /** Why this page may connect; asked once the line stands. */
  proof(): Proof | null;
  open(events: LineEvents): Line;
}
