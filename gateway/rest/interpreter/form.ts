import busboy, { type Busboy } from 'busboy';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Readable } from 'node:stream';
import { ByteSource } from '../../../kernel/http/bytes.js';
import { badRequest, payloadTooLarge } from '../../../kernel/errors.js';
import { parseExactly } from '../../../kernel/text.js';
import { goOn, MAX_BODY_BYTES } from '../../http/bodies.js';
import type { Form, RestRequest } from '../route.js';

/** Bytes of a form's first part: as many as the same text may have where it is a body by itself. */
const MAX_TEXT_BYTES = MAX_BODY_BYTES;

/** Parts of a form; those that nobody knows are passed over. */
const MAX_PARTS = 20;

/**
 * Reads a form up to its file, which is left to be read as it comes: its first part tells which of the forms it is. A part
 * counts as text or as a file by what it is named, whatever clients say of its type. Source: client facts, 4.6
 * @throws BAD_REQUEST for any other form and for one that breaks off, PAYLOAD_TOO_LARGE for a text that is too long
 */
export function readForm(
  forms: readonly Form[],
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<RestRequest['body']> {
  const { raw } = request;
  const parser = openParser(request);
  return new Promise<RestRequest['body']>((resolve, reject) => {
    const fail = (error: Error) => {
      raw.unpipe(parser);
      raw.pause();
      reject(error);
      parser.destroy();
    };
    const reading = new FormReading(forms, { resolve, fail });
    // Without a text where it claims a charset that nobody knows, whatever its type says.
    parser.on('field', (name, text: string | undefined, { valueTruncated }) =>
      reading.next(() => (valueTruncated ? reading.refuse(tooLong(name)) : reading.text(name, text))),
    );
    parser.on('file', (name, stream, { filename }) => {
      stream.on('error', () => undefined); // whoever reads it is told
      reading.next(() => reading.file(name, stream, filename));
    });
    parser.on('finish', () => reading.next(() => reading.end()));
    parser.on('error', () => fail(badRequest('The form is malformed or breaks off.')));
    const onBroken = () => void (raw.complete || parser.destroy(new Error('the client went away')));
    raw.once('error', onBroken).once('close', onBroken);
    goOn(request, reply);
    raw.pipe(parser);
  });
}

function openParser({ headers }: FastifyRequest): Busboy {
  try {
    return busboy({
      headers,
      defParamCharset: 'utf8',
      preservePath: true,
      limits: { fieldSize: MAX_TEXT_BYTES, parts: MAX_PARTS },
    });
  } catch {
    throw badRequest('The body must be multipart/form-data.');
  }
}

interface Outcome {
  readonly resolve: (fields: RestRequest['body']) => void;
  readonly fail: (error: Error) => void;
}

/** What is known of a form so far. */
class FormReading {
  private form: Form | undefined;
  private firstValue: unknown;
  private isOver = false;
  /** While the first part, sent as a file, is read. */
  private busy: Promise<void> | undefined;

  constructor(
    private readonly forms: readonly Form[],
    private readonly outcome: Outcome,
  ) {}

  /** Parts are looked at one after the other, though the parser may be ahead. */
  next(look: () => void): void {
    if (this.busy) this.busy = this.busy.then(look);
    else look();
  }

  end(): void {
    if (this.isOver) return;
    const isPlain = this.form?.fileName !== undefined;
    // Source: client facts, 4.5, gateway form
    const word = isPlain ? { reason: 'missing_field' } : {};
    this.fail(badRequest(`The form ends before its part ${this.expected()}.`, word));
  }

  private expected(): string {
    return this.form ? `\`${this.form.filePart}\`` : this.forms.map(({ textPart }) => `\`${textPart}\``).join(' or ');
  }

  refuse(error: Error): void {
    if (!this.isOver) this.fail(error);
  }

  /** @param text undefined where it cannot be decoded */
  text(name: string, text: string | undefined): void {
    if (this.isOver) return;
    if (text === undefined) return this.fail(badRequest(`\`${name}\` is not text in UTF-8.`));
    if (!this.form) return this.first(name, text);
    if (name === this.form.filePart) this.fail(badRequest(`\`${name}\` must come as application/octet-stream.`));
  }

  file(name: string, stream: Readable, fileName: string | undefined): void {
    if (this.isOver || (this.form && name !== this.form.filePart)) return void stream.resume();
    if (this.form) return this.hand(this.form, stream, fileName);
    if (!this.forms.some(({ textPart }) => textPart === name)) return this.fail(this.unexpected());
    this.busy = readText(name, new ByteSource(stream, undefined)).then(
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
    } catch {
      this.fail(badRequest(`\`${name}\` is not valid JSON.`));
    }
  }

  private hand(form: Form, stream: Readable, fileName: string | undefined): void {
    this.isOver = true;
    this.outcome.resolve({
      [form.textPart]: this.firstValue,
      [form.filePart]: new ByteSource(stream, undefined),
      ...(form.fileName !== undefined && { [form.fileName]: fileName }),
    });
  }

  private unexpected(): Error {
    return badRequest(`The first part of the form must be ${this.expected()}.`);
  }

  private fail(error: Error): void {
    this.isOver = true;
    this.outcome.fail(error);
  }
}

async function readText(name: string, source: ByteSource): Promise<string> {
  const pieces: Buffer[] = [];
  let length = 0;
  await source.read((piece) => {
    length += piece.length;
    if (length > MAX_TEXT_BYTES) throw tooLong(name);
    pieces.push(piece);
    return undefined;
  });
  return Buffer.concat(pieces).toString();
}

function tooLong(name: string): Error {
  return payloadTooLarge(`\`${name}\` is larger than ${MAX_TEXT_BYTES} bytes.`);
}
