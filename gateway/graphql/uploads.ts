import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Upload } from 'graphql-upload-ts';
import { ByteSource } from '../../kernel/http/bytes.js';
import { badRequest, payloadTooLarge } from '../../kernel/errors.js';
import { sendContinue, MAX_BODY_BYTES } from '../http/bodies.js';

/** Size limit of a file in a GraphQL request. Larger files need an upload session. */
const MAX_FILE_BYTES = 64 * 1024 * 1024;

/**
 * Reads a multipart GraphQL request with one file. The file becomes a ByteSource at its path in the variables; the bytes
 * stay in a temporary file until the response is sent. Source: GraphQL multipart request specification
 * @throws BAD_REQUEST for an invalid form, PAYLOAD_TOO_LARGE
 */
export async function readOperationWithFile(request: FastifyRequest, reply: FastifyReply): Promise<unknown> {
  if (Number(request.headers['content-length'] ?? 0) > MAX_FILE_BYTES + 2 * MAX_BODY_BYTES) throw tooLarge();
  const { processRequest, Upload } = await import('graphql-upload-ts');
  sendContinue(request, reply);
  const limits = { maxFiles: 1, maxFileSize: MAX_FILE_BYTES, maxFieldSize: MAX_BODY_BYTES };
  const operation = await withPublicErrors(processRequest(request.raw, reply.raw, limits));
  if (Array.isArray(operation)) throw badRequest('Send one operation at a time.');
  for (const { holder, name, value } of membersOf(operation.variables ?? {})) {
    if (typeof value === 'number') refuseRounded(value);
    if (value instanceof Upload) Object.assign(holder, { [name]: await bytesOf(value, reply) });
  }
  return operation;
}

/** The digits that every JavaScript number keeps. The library has parsed the form, so more digits may be lost already. */
const EXACT_DIGITS = 15;

function refuseRounded(value: number): void {
  const digits = String(value).replace(/e.*$|^-?[0.]*|\./g, '');
  if (digits.length > EXACT_DIGITS) throw badRequest('In a form, write a number of more than 15 digits as a string.');
}

interface Member {
  readonly holder: object;
  readonly name: string;
  readonly value: unknown;
}

/** The members of an object and of all plain objects and lists in it. */
function membersOf(root: object): readonly Member[] {
  const members: Member[] = [];
  const holders = [root];
  // The list grows while it is read.
  for (const holder of holders)
    for (const [name, value] of Object.entries(holder)) {
      members.push({ holder, name, value });
      if (Array.isArray(value) || Object.getPrototypeOf(value ?? 0) === Object.prototype) holders.push(value);
    }
  return members;
}

async function bytesOf(upload: Upload, reply: FastifyReply): Promise<ByteSource> {
  const file = await withPublicErrors(upload.promise);
  const stream = file.createReadStream();
  stream.on('error', () => undefined); // the reader of the ByteSource gets the error
  reply.raw.once('close', () => stream.destroy());
  return new ByteSource(stream, undefined);
}

/** Converts errors of the form parser to public errors. */
async function withPublicErrors<Result>(parsing: Promise<Result>): Promise<Result> {
  try {
    return await parsing;
  } catch (error) {
    const isTooLarge = error instanceof Error && 'status' in error && error.status === 413;
    if (isTooLarge) throw payloadTooLarge(error.message);
    throw badRequest(`The form cannot be read: ${error instanceof Error ? error.message : 'it is malformed'}`);
  }
}

function tooLarge(): Error {
  return payloadTooLarge(`A file in a GraphQL request has at most ${MAX_FILE_BYTES} bytes; use an upload session.`);
}
