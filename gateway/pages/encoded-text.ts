import type { FastifyReply, FastifyRequest } from 'fastify';
import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { preconditionFailed } from '../../kernel/errors.js';
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

/** Sends the text in the coding that the client prefers, 304 if the client has it, 412 if it wants another version. */
export function sendEncoded({ headers }: FastifyRequest, reply: FastifyReply, text: EncodedText): FastifyReply {
  const { encoding, bytes, etag } = preferred(text, weightsOf(headers['accept-encoding']));
  if (headers['if-match'] !== undefined && !namesTag(headers['if-match'], etag))
    throw preconditionFailed('No version that `If-Match` names is current.');
  const vary = [reply.getHeader('vary'), 'accept-encoding'].filter(Boolean).join(', ');
  reply.headers({ etag, vary, ...(encoding !== 'identity' && { 'content-encoding': encoding }) });
  return namesTag(headers['if-none-match'], etag) ? reply.code(304).send() : reply.send(bytes);
}

/** The form whose coding has the highest weight, of several the one that compresses best. */
function preferred({ compressed, plain }: EncodedText, weights: ReadonlyMap<string, number>): EncodedForm {
  const weightOf = ({ encoding }: EncodedForm) => weights.get(encoding) ?? weights.get('*') ?? 0;
  const [best = plain] = [...compressed, plain].toSorted((a, b) => weightOf(b) - weightOf(a));
  return weightOf(best) > 0 ? best : plain;
}

/** The weight of each coding in an `Accept-Encoding`; 0 excludes it. Source: RFC 9110, 12.5.3 */
function weightsOf(header: string | string[] | undefined): ReadonlyMap<string, number> {
  const items = String(header ?? '')
    .toLowerCase()
    .split(',');
  return new Map(
    items.map((item) => {
      const [coding = '', weight = 1] = item.trim().split(/\s*;\s*q=/);
      return [coding, Number(weight) || 0];
    }),
  );
}
