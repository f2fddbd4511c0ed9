/** Loads the code of a screen, which the host serves. */

/** The host did not answer. Loading the page again helps as soon as it does. */
export class NotLoaded extends Error {}

/** Passes on what was imported. A failed import stays failed for as long as the page is open. */
export async function screenCode<T>(imported: Promise<T>): Promise<T> {
  try {
    return await imported;
  } catch (cause) {
    throw new NotLoaded("The code of a screen could not be loaded.", { cause });
  }
}
