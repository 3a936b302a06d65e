/** Thrown when a part of the dashboard could not be loaded: the browser is offline, or the server has a newer version. */
export class CodeMissing extends Error {
  constructor(cause: unknown) {
    super('This part of the dashboard could not be loaded.', { cause });
  }
}

/** Loads a part of the dashboard. @throws CodeMissing */
export async function loadCode<Part>(load: () => Promise<Part>): Promise<Part> {
  try {
    return await load();
  } catch (error) {
    throw new CodeMissing(error);
  }
}
