import { watch } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname } from 'node:path';

/** A text file whose changes are watched. */
export interface WatchedFile {
  readonly text: string;
  /** Calls `use` with each later content, one after the other. Failures to read are given to `report`; what `use` throws, too. */
  watch(use: (text: string) => Promise<void> | void, report: (error: unknown) => void): void;
  close(): void;
}

/** Reads a file and watches its folder, because the file may be replaced by renaming, or be a link (Kubernetes). */
export async function openWatchedFile(file: string): Promise<WatchedFile> {
  let onChange: (() => void) | undefined;
  // Before the first reading, so that no change is lost.
  const watcher = watch(dirname(file), () => onChange?.());
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    watcher.close();
    throw error;
  });
  let seen = text;
  return {
    text,
    watch(use, report) {
      const read = async () => {
        const next = await readFile(file, 'utf8');
        if (next === seen) return;
        seen = next;
        await use(next);
      };
      let reading = Promise.resolve();
      onChange = () => void (reading = reading.then(read).catch(report));
      onChange();
      watcher.on('error', report);
    },
    close: () => watcher.close(),
  };
}
