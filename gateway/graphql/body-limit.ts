import type { FastifyRequest } from 'fastify';
import { Transform, type Readable } from 'node:stream';
import { payloadTooLarge } from '../../kernel/errors.js';
import type { Viewer } from '../../kernel/security/viewer.js';
import { isMultipart, MAX_BODY_BYTES } from '../http/bodies.js';

/** Size limit of a GraphQL request of a signed-in viewer: the variables of `planNetwork` contain a whole network. */
export const MAX_REQUEST_BYTES = 2 * 1024 * 1024;

/** Maximum characters of a document that a request contains. */
const MAX_DOCUMENT_LENGTH = 100 * 1024;

/** Refuses a large body of an anonymous viewer before it is read; forms need a sign-in anyway. @throws PAYLOAD_TOO_LARGE */
export function refuseLargeBody({ headers }: FastifyRequest, viewer: Viewer): void {
  if (viewer.kind !== 'anonymous' || isMultipart(headers['content-type'])) return;
  if (Number(headers['content-length'] ?? 0) > MAX_BODY_BYTES) throw tooLarge();
}

/** Returns the body; of an anonymous viewer, and without a Content-Length, one that fails when it is too large. */
export function limitBody({ headers }: FastifyRequest, viewer: Viewer, body: Readable): Readable {
  const isLimited = viewer.kind === 'anonymous' && headers['transfer-encoding'] !== undefined;
  if (!isLimited || isMultipart(headers['content-type'])) return body;
  let bytes = 0;
  return body.pipe(
    new Transform({
      transform(chunk: Buffer, _, done) {
        bytes += chunk.length;
        if (bytes > MAX_BODY_BYTES) done(tooLarge());
        else done(null, chunk);
      },
    }),
  );
}

/** Refuses a long document, which takes the main thread; variables may be longer. @throws PAYLOAD_TOO_LARGE */
export function refuseLongDocument(query: unknown): void {
  if (typeof query === 'string' && query.length > MAX_DOCUMENT_LENGTH)
    throw payloadTooLarge(`The document has more than ${MAX_DOCUMENT_LENGTH} characters: use variables.`);
}

function tooLarge(): Error {
  return payloadTooLarge(`The body is larger than ${MAX_BODY_BYTES} bytes.`);
}
