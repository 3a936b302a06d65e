/** The registry failed, broke the protocol or the connection; retry later. */
export class RegistryFault extends Error {
  constructor(
    message: string,
    /** HTTP status, if that was the failure. */
    readonly status?: number,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** The artifact is inconsistent; not fetched again until it changes. */
export class ArtifactFault extends RegistryFault {}

/** Throws a RegistryFault for an error of the transport, e.g. a time-out or a closed connection. */
export function throwFault(error: unknown): never {
  if (error instanceof RegistryFault) throw error;
  throw new RegistryFault('the registry did not answer completely', undefined, { cause: error });
}

/** Reads a response body up to a limit. @throws RegistryFault, or the given class, when it is larger */
export function readBody({ body }: Response, maxBytes: number, Fault = RegistryFault): Promise<Buffer> {
  return readPieces(body, maxBytes, Fault).catch(throwFault);
}

async function readPieces(body: Response['body'], maxBytes: number, Fault: typeof RegistryFault): Promise<Buffer> {
  const pieces: Uint8Array[] = [];
  let length = 0;
  for await (const piece of body ?? []) {
    length += piece.length;
    if (length > maxBytes) throw new Fault(`the registry answered with more than ${maxBytes} bytes`);
    pieces.push(piece);
  }
  return Buffer.concat(pieces);
}

/**
 * The `next` link of a response: path and query, or the full URL if it is on another host; undefined on the last page.
 * Source: RFC 8288, 3
 */
export function nextPage({ headers, url }: Response): string | undefined {
  for (const [, target = '', parameters = ''] of (headers.get('link') ?? '').matchAll(/<([^>]*)>([^<]*)/g)) {
    if (!/;\s*rel\s*=\s*"?next"?/i.test(parameters) || !URL.canParse(target, url)) continue;
    const next = new URL(target, url);
    return next.origin === new URL(url).origin ? next.pathname + next.search : next.href;
  }
  return undefined;
}

/** Parses a JSON object; undefined for anything else. */
export function parseObject(body: Buffer): Readonly<Record<string, unknown>> | undefined {
  try {
    return objectOf(JSON.parse(body.toString()));
  } catch {
    return undefined;
  }
}

/** The value as an object; undefined for anything else. */
export function objectOf(value: unknown): Readonly<Record<string, unknown>> | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : undefined;
}
