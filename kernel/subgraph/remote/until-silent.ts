import type { Readable } from 'node:stream';

/** Yields the chunks. Destroys the stream when none comes for this time while its reader waits. */
export async function* untilSilent(stream: Readable, silenceMs: number): AsyncGenerator {
  const start = () => setTimeout(() => stream.destroy(), silenceMs);
  let timer = start();
  try {
    for await (const chunk of stream) {
      clearTimeout(timer);
      yield chunk;
      timer = start();
    }
  } finally {
    clearTimeout(timer);
  }
}
