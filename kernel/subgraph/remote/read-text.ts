import type { Readable } from 'node:stream';

interface TextLimits {
  readonly maxBytes: number;
  /** Time for the whole text. */
  readonly timeoutMs: number;
}

/** Reads a stream to its end as text. @throws when it breaks off, is too long, or takes too long; then it is destroyed */
export async function readText(stream: Readable, { maxBytes, timeoutMs }: TextLimits): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  const timer = setTimeout(() => stream.destroy(), timeoutMs);
  try {
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size > maxBytes) throw new Error('the text is too long');
      chunks.push(chunk);
    }
  } finally {
    clearTimeout(timer);
  }
  return Buffer.concat(chunks).toString();
}
