import type { IncomingMessage, ServerResponse } from 'node:http';
import { OPERATION_WITH_BYTES, readPreamble } from '../../http/byte-protocol.js';
import { ByteSource } from '../../http/bytes.js';
import { whenIdle, whenLate, type BodyTimes } from '../../http/body-times.js';

/** Maximum size of a request in bytes; the gateway's own limits are far below. */
const MAX_REQUEST_BYTES = 16 * 1024 * 1024;

/** How often within the idle timeout a caller hears that its bytes still wait, perhaps for the bytes of others. */
const SIGNS_OF_LIFE = 5;

/** A GraphQL operation, or the name and parameters of a download. */
export interface EndpointBody {
  readonly query?: unknown;
  readonly variables?: Readonly<Record<string, unknown>>;
  readonly open?: unknown;
  readonly parameters?: Readonly<Record<string, unknown>>;
  readonly resumeFrom?: string;
}

/** The timeouts of a body, and the callback after a timeout. */
export interface BodyLimits {
  readonly times: BodyTimes;
  readonly late: (message: string) => void;
}

/** Reads the body of a request. Bytes stay unread until a resolver reads them. Returns undefined if the body is invalid. */
export async function readBody(
  request: IncomingMessage,
  response: ServerResponse,
  { times, late }: BodyLimits,
): Promise<EndpointBody | undefined> {
  const isWithBytes = request.headers['content-type'] === OPERATION_WITH_BYTES;
  const seconds = times.wholeMs / 1000;
  const stop = whenLate(request, times.wholeMs, () => late(`The request did not come within ${seconds} s.`));
  response.once('close', stop);
  if (!isWithBytes) return readJson(request);
  let waiting: NodeJS.Timeout | undefined;
  response.once('close', () => clearInterval(waiting));
  const onRead = () => {
    clearInterval(waiting);
    response.writeContinue();
    response.once(
      'close',
      whenIdle(request, times, () => late('The bytes arrive too slowly or have stopped.')),
    );
  };
  const body = await readWithBytes(request, onRead).finally(stop);
  const sendProcessing = () => response.headersSent || response.writeProcessing();
  if (!response.destroyed) waiting = setInterval(sendProcessing, times.idleMs / SIGNS_OF_LIFE);
  return body;
}

async function readJson(request: IncomingMessage): Promise<EndpointBody | undefined> {
  const text = await readText(request);
  try {
    const { query, variables, open, parameters, resumeFrom } = JSON.parse(text ?? '') as EndpointBody;
    return {
      query,
      open,
      ...(typeof resumeFrom === 'string' && { resumeFrom }),
      ...(variables && { variables }),
      ...(parameters && { parameters }),
    };
  } catch {
    return undefined;
  }
}

/** Reads the whole body; undefined if it is too large or incomplete. The connection stays open for the error response. */
function readText(request: IncomingMessage): Promise<string | undefined> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let size = 0;
    request.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size <= MAX_REQUEST_BYTES) chunks.push(chunk);
      else resolve(undefined);
    });
    request.once('end', () => resolve(Buffer.concat(chunks).toString()));
    request.on('error', () => resolve(undefined)).once('close', () => resolve(undefined));
  });
}

async function readWithBytes(request: IncomingMessage, onRead: () => void): Promise<EndpointBody | undefined> {
  const preamble = await readPreamble(request);
  if (!preamble) return undefined;
  const { query, variables, bytes, length, maxBytes } = preamble;
  return { query, variables: { ...variables, [bytes]: new ByteSource(request, length, { onRead, maxBytes }) } };
}
