import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ByteAnswer } from '../../kernel/bytes.js';
import { unavailable } from '../../kernel/errors.js';
import type { Asker } from '../engine/engine.js';
import type { Sources } from '../platform.js';
import type { Download } from './route.js';

interface Wanted {
  readonly download: Download;
  readonly asker: Asker;
}

/**
 * Answers with the bytes of a subgraph: whole, or the part that a Range header asks for. Nobody who goes away keeps them
 * open. @throws the subgraph's refusals
 */
export async function sendDownload(
  sources: Sources,
  { download, asker }: Wanted,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const source = sources.get(download.subgraph);
  if (!source) throw unavailable('This part of the platform is not served here.');
  const stop = new AbortController();
  reply.raw.once('close', () => stop.abort());
  const range = request.headers['if-range'] === undefined ? request.headers.range : undefined;
  const parameters = { ...(request.query as object), ...(request.params as object), range };
  const answer = await source.open({ name: download.name, parameters, ...asker, signal: stop.signal });
  if (stop.signal.aborted || request.method === 'HEAD') answer.stream.destroy();
  reply.code(answer.part ? 206 : 200).headers(headersOf(answer));
  return request.method === 'HEAD' ? reply.send('') : reply.send(answer.stream);
}

function headersOf({ meta, length, part }: ByteAnswer): Record<string, string> {
  const told = Object.entries(meta).filter(([, value]) => value !== null && value !== undefined);
  return {
    'content-type': 'application/octet-stream',
    'cache-control': 'no-store',
    ...Object.fromEntries(told.map(([name, value]) => [name, String(value)])),
    'accept-ranges': 'bytes',
    'content-length': String(length),
    ...(part && { 'content-range': `bytes ${part.start}-${part.start + length - 1}/${part.totalBytes}` }),
  };
}
