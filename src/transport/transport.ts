/** The interface of a connection to the host: messages in both directions, and its state. */
import type { ClientMessage, Proof, ServerMessage } from "../protocol";

/** The events of a connection. */
export interface LineEvents {
  /** The connection is open; a hello may be sent. */
  opened(): void;
  /** A message arrived from the host. */
  message(message: ServerMessage): void;
  /** The connection is closed, or could not be opened. No further events follow. */
  closed(): void;
}

/** An open connection. */
export interface Line {
  send(message: ClientMessage): void;
  close(): void;
}

/** A way to connect to the host. `open` never throws: failures are reported by `closed`. */
export interface Transport {
  /** The client's name in the journal, if the host does not know a better one. */
  readonly screen: string;
  /** Whether the page belongs to a paired device, whose key signs its answers. */
  readonly remote: boolean;
  /** The device's id, if it is one. */
  readonly device?: string;
  /** Returns the proof that this page may connect. Called once the connection is open. */
  proof(): Proof | null;
  open(events: LineEvents): Line;
}
