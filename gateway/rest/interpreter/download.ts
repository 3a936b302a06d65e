import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ByteAnswer } from '../../../kernel/http/bytes.js';
import { namesTag } from '../../../kernel/http/entity-tags.js';
import { unavailable } from '../../../kernel/errors.js';
import type { RequestContext } from '../../engine/engine.js';
import type { SubgraphClients } from '../../composition/subgraph-clients.js';
import type { ViewerQueue } from '../../graphql/viewer-queue.js';
import type { Download, Route } from '../route.js';

/** Where bytes are opened, and until when they are waited for. */
export interface DownloadDependencies {
  readonly sources: SubgraphClients;
  readonly turns: ViewerQueue;
  /** Aborted when the platform stops. */
  readonly stopping: AbortSignal;
}

interface Wanted {
  readonly download: Download;
  readonly context: RequestContext;
  /** Of the route: headers by the names of the parameters that take them. */
  readonly headers: Route['headers'];
}

/**
 * Answers with the bytes of a subgraph: whole, or the part that a Range header asks for, or 304 where the client has
 * them. Nobody who goes away keeps them open. @throws the subgraph's refusals
 */
export async function sendDownload(
  { sources, turns, stopping }: DownloadDependencies,
  { download, context, headers }: Wanted,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const source = sources.get(download.subgraph);
  if (!source) throw unavailable('This part of the platform is not served here.');
  const gone = new AbortController();
  reply.raw.once('close', () => gone.abort());
  const signal = download.isLongPoll ? AbortSignal.any([gone.signal, stopping]) : gone.signal;
  const parameters = parametersOf(request, headers);
  const wanted = { name: download.name, parameters, ...context, signal };
  // The bytes take as long as their reader does: they have no part in the turn.
  const answer = await turns.take(context.viewer, () => source.open(wanted));
  const { etag } = answer.meta;
  const isKnown = typeof etag === 'string' && namesTag(request.headers['if-none-match'], etag);
  if (gone.signal.aborted || isKnown || request.method === 'HEAD') answer.stream.destroy();
  if (isKnown) return reply.code(304).headers(headersOf(answer)).removeHeader('content-length').send();
  reply.code(answer.part ? 206 : 200).headers(headersOf(answer));
  return request.method === 'HEAD' ? reply.send('') : reply.send(answer.stream);
}

function parametersOf(
  { headers, query, params }: FastifyRequest,
  names: Route['headers'] = {},
): Record<string, unknown> {
  const range = headers['if-range'] === undefined ? headers.range : undefined;
  const told = Object.entries(names).map(([name, header]) => [name, headers[header]]);
  return { ...(query as object), ...(params as object), ...(Object.fromEntries(told) as object), range };
}

function headersOf({ meta, length, part }: ByteAnswer): Record<string, string> {
  const told = Object.entries(meta).filter(([, value]) => value !== null && value !== undefined);
  return {
    'content-type': 'application/octet-stream',
    'cache-control': 'no-store',
    'accept-ranges': 'bytes',
    ...Object.fromEntries(told.map(([name, value]) => [name, String(value)])),
    'content-length': String(length),
    ...(part && { 'content-range': `bytes ${part.start}-${part.start + length - 1}/${part.totalBytes}` }),
  };
}
