import type { FastifyReply, FastifyRequest } from 'fastify';
import { ByteSource } from '../../../kernel/http/bytes.js';
import { goOn } from '../../http/bodies.js';

/** The request's whole body, unread: a client that expects `100-continue` is told to send it by whoever reads. */
export function wholeBody(request: FastifyRequest, reply: FastifyReply): ByteSource {
  const header = request.headers['content-length'];
  const isChunked = request.headers['transfer-encoding'] !== undefined;
  const length = header === undefined ? (isChunked ? undefined : 0) : Number(header);
  return new ByteSource(request.raw, length, () => goOn(request, reply));
}
