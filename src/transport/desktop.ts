/** The functions of the desktop shell for a page in its window. Absent in a browser. */
import { Channel, invoke, isTauri } from "@tauri-apps/api/core";
import type { Phrase } from "../protocol";
import { englishOf } from "../text";

/** Events from the desktop shell. */
export type Told =
  /** Show the place with this hash. */
  | { told: "open"; hash: string }
  /** Folders were dropped onto the window. */
  | { told: "dropped"; folders: string[] };

export interface Desktop {
  /** Starts receiving events from the shell. Earlier events come first. */
  listen(heard: (told: Told) => void): void;
  /** Opens the system's picker. Returns `null` if nothing was picked. */
  pickFolder(): Promise<string | null>;
  pickFiles(): Promise<string[]>;
  startsAtLogin(): Promise<boolean>;
  startAtLogin(on: boolean): Promise<void>;
}

export const desktop: Desktop | undefined = isTauri()
  ? {
      listen: (heard) => void invoke("shell_listen", { channel: new Channel(heard) }),
      pickFolder: () => invoke("pick_folder"),
      pickFiles: () => invoke("pick_files"),
      startsAtLogin: () => invoke("starts_at_login"),
      startAtLogin: (on) => invoke<void>("start_at_login", { on }).catch(failed),
    }
  : undefined;

/** Converts the failure of a shell command to an `Error`. */
function failed(error: unknown): never {
  const message = (error as { message?: Phrase } | null)?.message;
  throw new Error(message === undefined ? String(error) : englishOf(message));
}
