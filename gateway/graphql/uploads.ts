import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ByteSource } from '../../kernel/http/bytes.js';
import { badRequest, payloadTooLarge } from '../../kernel/errors.js';
import { isJsonObject, parseExactly } from '../../kernel/scalars/exact-json.js';
import { parseFault } from '../../kernel/scalars/text.js';
import { bytesOfPart, MAX_BODY_BYTES, MAX_PARTS, readParts } from '../http/bodies.js';

/** Size limit of a file in a GraphQL request. Larger files need an upload session. */
const MAX_FILE_BYTES = 64 * 1024 * 1024;

/**
 * Reads a multipart GraphQL request up to its file, which becomes a ByteSource at its place in the variables and stays a
 * stream. Source: GraphQL multipart request specification
 * @throws BAD_REQUEST for an invalid form, PAYLOAD_TOO_LARGE
 */
export async function readOperationWithFile(request: FastifyRequest, reply: FastifyReply): Promise<FormOperation> {
  if (Number(request.headers['content-length'] ?? 0) > MAX_FILE_BYTES + 2 * MAX_BODY_BYTES) throw tooLarge();
  // The parser cuts a file off when it has as many bytes as the limit.
  const limits = { fieldSize: MAX_BODY_BYTES, fileSize: MAX_FILE_BYTES + 1, parts: MAX_PARTS };
  return readParts<FormOperation>(request, reply, limits, (parser, { resolve, fail }) => {
    const form = new OperationForm();
    const take = (part: () => boolean) => {
      try {
        if (!form.isComplete && part()) resolve(form);
      } catch (error) {
        fail(error as Error);
      }
    };
    // The parser passes no text if the charset of the part is unknown.
    parser.on('field', (name, text: string | undefined, { valueTruncated }) =>
      take(() => form.text(name, valueTruncated ? undefined : text)),
    );
    parser.on('file', (name, stream) => {
      stream.once('limit', () => stream.destroy(tooLarge()));
      const isSurplus = form.isComplete;
      take(() => form.file(name, bytesOfPart(request, stream)));
      if (isSurplus || !form.isComplete) stream.resume();
    });
    parser.on('finish', () => take(() => form.end()));
  });
}

interface FormOperation {
  readonly operation: Readonly<Record<string, unknown>> | undefined;
  /** Whether the variables have the file. */
  readonly hasFile: boolean;
}

/** The parts of a form in their order: `operations`, `map`, and the file. */
class OperationForm implements FormOperation {
  operation: Readonly<Record<string, unknown>> | undefined;
  isComplete = false;
  hasFile = false;
  private map: ReadonlyMap<string, unknown> | undefined;

  /** Takes a text; undefined if it is too long or unreadable. Returns whether the form is complete. */
  text(name: string, text: string | undefined): boolean {
    if (name === 'operations') this.operation = readOperation(parse(name, text));
    if (name !== 'map') return false;
    this.map = readMap(parse(name, text));
    return (this.isComplete = this.map.size === 0 && this.operation !== undefined);
  }

  /** Takes a file; one without a place is ignored. Returns whether the form is complete. */
  file(name: string, source: ByteSource): boolean {
    const places = this.map?.get(name);
    if (!this.operation || !Array.isArray(places)) return false;
    for (const place of places) {
      put(this.operation, String(place), source);
      this.hasFile = true;
    }
    return (this.isComplete = true);
  }

  end(): never {
    throw badRequest('The form must have `operations`, `map` and the file, in this order.');
  }
}

function parse(name: string, text: string | undefined): unknown {
  if (text === undefined) throw payloadTooLarge(`\`${name}\` must be UTF-8 of at most ${MAX_BODY_BYTES} bytes.`);
  try {
    return parseExactly(text);
  } catch (error) {
    throw badRequest(parseFault(error, `\`${name}\``));
  }
}

function readOperation(value: unknown): Readonly<Record<string, unknown>> {
  if (!isJsonObject(value)) throw badRequest('`operations` must be one operation: a JSON object.');
  return value;
}

function readMap(value: unknown): ReadonlyMap<string, unknown> {
  if (!isJsonObject(value))
    throw badRequest('`map` must be a JSON object: the places of the file by the name of its part.');
  const map = new Map(Object.entries(value));
  if (map.size > 1) throw payloadTooLarge('Send one file with an operation.');
  return map;
}

/** Puts the file at a place such as `variables.input.0.file`. */
function put(operation: object, place: string, file: ByteSource): void {
  const names = place.split('.');
  const last = names.pop() ?? '';
  let holder: unknown = operation;
  for (const name of names) holder = has(holder, name) ? holder[name] : undefined;
  if (names[0] !== 'variables' || !has(holder, last))
    throw badRequest('`map` names a place that is not in the variables.');
  holder[last] = file;
}

/** Whether a value of JSON has this member: the length of a list is none, nor is a part of a file. */
function has(value: unknown, name: string): value is Record<string, unknown> {
  const isJson = Array.isArray(value) || Object.getPrototypeOf(value ?? 0) === Object.prototype;
  return isJson && Object.prototype.propertyIsEnumerable.call(value, name);
}

function tooLarge(): Error {
  return payloadTooLarge(`A file in a GraphQL request has at most ${MAX_FILE_BYTES} bytes; use an upload session.`);
}
