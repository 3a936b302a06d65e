/** A registry that does not speak as agreed, or not just now: to be asked again later. */
export class RegistryFault extends Error {
  constructor(
    message: string,
    /** What it answered, where that was the fault. */
    readonly status?: number,
  ) {
    super(message);
  }
}

/** An artifact that is not as it says: to be asked for again when it is another. */
export class ArtifactFault extends RegistryFault {}

/** The whole body of an answer. @throws RegistryFault, or another, where it is larger, having read no more of it */
export async function readBody({ body }: Response, mostBytes: number, Fault = RegistryFault): Promise<Buffer> {
  const pieces: Uint8Array[] = [];
  let length = 0;
  for await (const piece of body ?? []) {
    length += piece.length;
    if (length > mostBytes) throw new Fault(`the registry answered with more than ${mostBytes} bytes`);
    pieces.push(piece);
  }
  return Buffer.concat(pieces);
}

/**
 * The address of the next page that an answer names: path and query, with the host before them where that is another; undefined
 * at the end. Source: RFC 8288, 3
 */
export function nextPage({ headers, url }: Response): string | undefined {
  for (const [, target = '', parameters = ''] of (headers.get('link') ?? '').matchAll(/<([^>]*)>([^<]*)/g)) {
    if (!/;\s*rel\s*=\s*"?next"?/i.test(parameters) || !URL.canParse(target, url)) continue;
    const next = new URL(target, url);
    return next.origin === new URL(url).origin ? next.pathname + next.search : next.href;
  }
  return undefined;
}

/** A JSON object; undefined for anything else. */
export function parseObject(body: Buffer): Readonly<Record<string, unknown>> | undefined {
  try {
    return objectOf(JSON.parse(body.toString()));
  } catch {
    return undefined;
  }
}

/** The value as an object; undefined where it is none. */
export function objectOf(value: unknown): Readonly<Record<string, unknown>> | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : undefined;
}
