/** Picking a folder with the window system's own dialog, where the surrounding offers one. */

type Picker = () => Promise<string | null>;

let picker: Picker | undefined;

/** What the desktop's window says at its start. */
export function offerFolderPicker(offered: Picker) {
  picker = offered;
}

export function canPickFolder(): boolean {
  return picker !== undefined;
}

/** The folder that a person picked; nothing where they picked none, or where there is no such dialog. */
export async function pickFolder(): Promise<string | null> {
  return (await picker?.()) ?? null;
}
