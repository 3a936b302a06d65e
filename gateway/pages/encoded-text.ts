import type { FastifyReply, FastifyRequest } from 'fastify';
import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { namesTag } from '../../kernel/http/entity-tags.js';

/** A text in one content coding. */
interface EncodedForm {
  readonly encoding: 'br' | 'gzip' | 'identity';
  readonly bytes: Buffer;
  readonly etag: string;
}

/** A text in each supported content coding, the preferred one first. */
export interface EncodedText {
  readonly compressed: readonly EncodedForm[];
  readonly plain: EncodedForm;
}

/** Compresses a text once for all requests. */
export async function encodeText(text: string): Promise<EncodedText> {
  const bytes = Buffer.from(text);
  const [br, gz] = await Promise.all([
    promisify(brotliCompress)(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 6 } }),
    promisify(gzip)(bytes),
  ]);
  return { compressed: [form('br', br), form('gzip', gz)], plain: form('identity', bytes) };
}

function form(encoding: EncodedForm['encoding'], bytes: Buffer): EncodedForm {
  return { encoding, bytes, etag: `"${createHash('sha256').update(bytes).digest('base64url')}"` };
}

/** Sends the text in a coding that the client accepts, or 304 if the client has it. */
export function sendEncoded(
  { headers }: FastifyRequest,
  reply: FastifyReply,
  { compressed, plain }: EncodedText,
): FastifyReply {
  const accepted = compressed.find(({ encoding }) => accepts(headers['accept-encoding'], encoding));
  const { bytes, etag } = accepted ?? plain;
  const vary = [reply.getHeader('vary'), 'accept-encoding'].filter(Boolean).join(', ');
  reply.headers({ etag, vary, ...(accepted && { 'content-encoding': accepted.encoding }) });
  return namesTag(headers['if-none-match'], etag) ? reply.code(304).send() : reply.send(bytes);
}

/** Whether an `Accept-Encoding` admits a coding; a weight of 0 excludes it (RFC 9110, 12.5.3). */
function accepts(header: string | string[] | undefined, encoding: string): boolean {
  const listed = String(header ?? '')
    .toLowerCase()
    .split(',')
    .map((item) => item.trim().split(/\s*;\s*q=/));
  const found = listed.find(([coding]) => coding === encoding) ?? listed.find(([coding]) => coding === '*');
  return found !== undefined && Number(found[1] ?? 1) > 0;
}
