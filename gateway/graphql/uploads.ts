import type { FastifyReply, FastifyRequest } from 'fastify';
import { ByteSource } from '../../kernel/http/bytes.js';
import { badRequest, payloadTooLarge } from '../../kernel/errors.js';
import { goOn, MAX_BODY_BYTES } from '../http/bodies.js';

/** Bytes of a file that comes with an operation; larger ones go by upload sessions. */
const MAX_FILE_BYTES = 64 * 1024 * 1024;

/**
 * Reads an operation that comes as a form with a file, which is kept in a temporary file until the answer is sent: the
 * variable of the file becomes a ByteSource. Source: GraphQL multipart request specification
 * @throws BAD_REQUEST for any other form, PAYLOAD_TOO_LARGE
 */
export async function readOperationWithFile(request: FastifyRequest, reply: FastifyReply): Promise<unknown> {
  if (Number(request.headers['content-length'] ?? 0) > MAX_FILE_BYTES + 2 * MAX_BODY_BYTES) throw tooLarge();
  const { processRequest, Upload } = await import('graphql-upload-ts');
  goOn(request, reply);
  const limits = { maxFiles: 1, maxFileSize: MAX_FILE_BYTES, maxFieldSize: MAX_BODY_BYTES };
  const operation = await understood(processRequest(request.raw, reply.raw, limits));
  if (Array.isArray(operation)) throw badRequest('Send one operation at a time.');
  const { variables } = operation;
  for (const [name, value] of Object.entries(variables ?? {})) {
    if (!(value instanceof Upload)) continue;
    const file = await understood(value.promise);
    const stream = file.createReadStream();
    stream.on('error', () => undefined); // whoever reads it is told
    reply.raw.once('close', () => stream.destroy());
    Object.assign(variables ?? {}, { [name]: new ByteSource(stream, undefined) });
  }
  return operation;
}

/** Faults of the form as refusals of ours. */
async function understood<Result>(reading: Promise<Result>): Promise<Result> {
  try {
    return await reading;
  } catch (error) {
    const isTooLarge = error instanceof Error && 'status' in error && error.status === 413;
    if (isTooLarge) throw payloadTooLarge(error.message);
    throw badRequest(`The form cannot be read: ${error instanceof Error ? error.message : 'it is malformed'}`);
  }
}

function tooLarge(): Error {
  return payloadTooLarge(`A file that comes with an operation has at most ${MAX_FILE_BYTES} bytes; use a session.`);
}
