/** What a page has alongside its line where it is in the desktop's window; absent in a browser. */
import { Channel, invoke, isTauri } from "@tauri-apps/api/core";
import type { Phrase } from "../protocol";
import { englishOf } from "../text";

/** What the desktop tells the page. */
export type Told =
  /** Show the place with this hash. */
  | { told: "open"; hash: string }
  /** These folders were dropped onto the window. */
  | { told: "dropped"; folders: string[] };

export interface Desktop {
  /** Hears what the desktop tells from now on; what it told before comes first. */
  listen(heard: (told: Told) => void): void;
  /** The system's picker; nothing where the person picked nothing. */
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

/** What a command fails with becomes an error like any other. */
function failed(error: unknown): never {
  const message = (error as { message?: Phrase } | null)?.message;
  throw new Error(message === undefined ? String(error) : englishOf(message));
}
