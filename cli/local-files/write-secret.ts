import { open, rm } from 'node:fs/promises';

/** Writes a new file that only its owner can read, and waits until the disk has it. Leaves none behind when that fails. */
export async function writeSecret(file: string, text: string): Promise<void> {
  const handle = await open(file, 'wx', 0o600);
  try {
    await handle.writeFile(text);
    await handle.sync();
  } catch (error) {
    await rm(file, { force: true });
    throw error;
  } finally {
    await handle.close();
  }
}
