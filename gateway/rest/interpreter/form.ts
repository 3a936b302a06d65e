import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ByteSource } from '../../../kernel/http/bytes.js';
import { badRequest, payloadTooLarge } from '../../../kernel/errors.js';
import { parseExactly } from '../../../kernel/scalars/exact-json.js';
import { parseFault } from '../../../kernel/scalars/text.js';
import { bytesOfPart, MAX_BODY_BYTES, MAX_PARTS, readParts, type FormOutcome } from '../../http/bodies.js';
import type { Form, RestRequest } from '../route.js';

/** The text part has the same limit as a JSON body. */
const MAX_TEXT_BYTES = MAX_BODY_BYTES;

/**
 * Reads a multipart form up to its file part, which stays a stream. The first part decides which form it is. A text part may
 * also arrive as a file, since clients send wrong types; a file part must be one.
 * @throws BAD_REQUEST for an unknown or incomplete form, PAYLOAD_TOO_LARGE for a long text part
 */
export function readForm(
  forms: readonly Form[],
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<RestRequest['body']> {
  const limits = { fieldSize: MAX_TEXT_BYTES, parts: MAX_PARTS };
  return readParts<RestRequest['body']>(request, reply, limits, (parser, outcome) => {
    const reader = new FormReader(forms, outcome);
    // busboy passes no text if the charset of the part is unknown.
    parser.on('field', (name, text: string | undefined, { valueTruncated }) =>
      reader.next(() => (valueTruncated ? reader.refuse(tooLong(name)) : reader.text(name, text))),
    );
    parser.on('file', (name, stream, { filename }) =>
      reader.next(() => reader.file(name, bytesOfPart(request, stream), filename)),
    );
    parser.on('partsLimit', () => reader.next(() => reader.end(`The first ${MAX_PARTS} parts of the form lack`)));
    parser.on('finish', () => reader.next(() => reader.end('The form ends before its part')));
  });
}

/** The state of a form while it is read. */
class FormReader {
  private form: Form | undefined;
  private firstValue: unknown;
  private isDone = false;
  /** Set while a text part that was sent as a file is read. */
  private pending: Promise<void> | undefined;

  constructor(
    private readonly forms: readonly Form[],
    private readonly outcome: FormOutcome<RestRequest['body']>,
  ) {}

  /** Handles parts one after the other, although the parser can be ahead. */
  next(handle: () => void): void {
    if (this.pending) this.pending = this.pending.then(handle);
    else handle();
  }

  /** Refuses a form without its file. @param reason what the expected part follows */
  end(reason: string): void {
    if (this.isDone) return;
    const isPlain = this.form?.fileName !== undefined;
    // Object-store gateways expect this code.
    const details = isPlain ? { reason: 'missing_field' } : {};
    this.fail(badRequest(`${reason} ${this.expected()}.`, details));
  }

  private expected(): string {
    return this.form ? `\`${this.form.filePart}\`` : this.forms.map(({ textPart }) => `\`${textPart}\``).join(' or ');
  }

  refuse(error: Error): void {
    if (!this.isDone) this.fail(error);
  }

  /** @param text undefined if the charset of the part is unknown */
  text(name: string, text: string | undefined): void {
    if (this.isDone) return;
    if (text === undefined) return this.fail(badRequest(`The charset of \`${name}\` is unknown; send UTF-8.`));
    if (!this.form) return this.first(name, text);
    if (name === this.form.filePart) this.fail(badRequest(`\`${name}\` must come as application/octet-stream.`));
  }

  file(name: string, source: ByteSource, fileName: string | undefined): void {
    if (this.isDone || (this.form && name !== this.form.filePart)) return void source.stream.resume();
    if (this.form) return this.complete(this.form, source, fileName);
    if (!this.forms.some(({ textPart }) => textPart === name)) return this.fail(this.unexpected());
    this.pending = readText(name, source).then(
      (text) => this.text(name, text),
      (error: Error) => this.fail(error),
    );
  }

  private first(name: string, text: string): void {
    const form = this.forms.find(({ textPart }) => textPart === name);
    if (!form) return this.fail(this.unexpected());
    try {
      this.firstValue = form.isJson ? parseExactly(text) : text;
      this.form = form;
    } catch (error) {
      this.fail(badRequest(parseFault(error, `\`${name}\``)));
    }
  }

  private complete(form: Form, source: ByteSource, fileName: string | undefined): void {
    this.isDone = true;
    this.outcome.resolve({
      [form.textPart]: this.firstValue,
      [form.filePart]: source,
      ...(form.fileName !== undefined && { [form.fileName]: fileName }),
    });
  }

  private unexpected(): Error {
    return badRequest(`The first part of the form must be ${this.expected()}.`);
  }

  private fail(error: Error): void {
    this.isDone = true;
    this.outcome.fail(error);
  }
}

async function readText(name: string, source: ByteSource): Promise<string> {
  const chunks: Buffer[] = [];
  let length = 0;
  await source.read((chunk) => {
    length += chunk.length;
    if (length > MAX_TEXT_BYTES) throw tooLong(name);
    chunks.push(chunk);
    return undefined;
  });
  return Buffer.concat(chunks).toString();
}

function tooLong(name: string): Error {
  return payloadTooLarge(`\`${name}\` is larger than ${MAX_TEXT_BYTES} bytes.`);
}
