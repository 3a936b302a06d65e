/** Maximum bytes of a response: one response lists all peers of a server, about a kilobyte each. */
const MAX_BYTES = 256 * 2 ** 20;

/** Parses the JSON of a response; undefined for invalid JSON. @throws Error when it is incomplete or too long */
export async function readBounded(response: Response): Promise<unknown> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.byteLength;
    if (bytes > MAX_BYTES) throw new RangeError(`a response of more than ${MAX_BYTES} bytes`);
    chunks.push(chunk);
  }
  try {
    return JSON.parse(Buffer.concat(chunks).toString('utf8'));
  } catch {
    return undefined;
  }
}
