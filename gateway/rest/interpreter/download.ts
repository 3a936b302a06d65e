import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ByteAnswer } from '../../../kernel/http/bytes.js';
import { namesTag } from '../../../kernel/http/entity-tags.js';
import { unavailable } from '../../../kernel/errors.js';
import type { RequestContext } from '../../engine/execution.js';
import type { SubgraphClients } from '../../composition/subgraph-clients.js';
import type { ViewerQueue } from '../../graphql/viewer-queue.js';
import type { Viewers } from '../../graphql/viewer.js';
import type { Download, Route } from '../route.js';

export interface DownloadDependencies {
  readonly sources: SubgraphClients;
  readonly viewerQueue: ViewerQueue;
  readonly viewers: Viewers;
  /** Aborted when the platform stops. */
  readonly stopping: AbortSignal;
}

interface RequestedDownload {
  readonly download: Download;
  readonly context: RequestContext;
  /** Header name by variable. */
  readonly headers: Route['headers'];
}

/**
 * Answers with bytes of a subgraph: all (200), the requested range (206), or none if the client has them (304). The stream is
 * closed when the client disconnects. @throws the errors of the subgraph
 */
export async function sendDownload(
  { sources, viewerQueue, viewers, stopping }: DownloadDependencies,
  { download, context, headers }: RequestedDownload,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const source = sources.get(download.subgraph);
  if (!source) throw unavailable(`The ${download.subgraph} part of the platform is not served here.`);
  const closed = new AbortController();
  reply.raw.once('close', () => closed.abort());
  const signal = download.isLongPoll ? AbortSignal.any([closed.signal, stopping]) : closed.signal;
  const parameters = parametersOf(request, headers);
  const options = { name: download.name, parameters, ...context, signal };
  // The queue waits for the start of the stream only: a slow reader must not delay other requests.
  const open = () => viewers.run(request, () => source.open(options));
  const answer = await viewerQueue.take(context.viewer, open);
  const { etag } = answer.meta;
  const isNotModified = typeof etag === 'string' && namesTag(request.headers['if-none-match'], etag);
  if (closed.signal.aborted || isNotModified || request.method === 'HEAD') answer.stream.destroy();
  if (isNotModified) return reply.code(304).headers(headersOf(answer)).removeHeader('content-length').send();
  reply.code(answer.part ? 206 : 200).headers(headersOf(answer));
  return request.method === 'HEAD' ? reply.send('') : reply.send(answer.stream);
}

function parametersOf(
  { headers, query, params }: FastifyRequest,
  names: Route['headers'] = {},
): Record<string, unknown> {
  const range = headers['if-range'] === undefined ? headers.range : undefined;
  const fromHeaders = Object.entries(names).map(([name, header]) => [name, headers[header]]);
  return { ...(query as object), ...(params as object), ...(Object.fromEntries(fromHeaders) as object), range };
}

function headersOf({ meta, length, part }: ByteAnswer): Record<string, string> {
  const present = Object.entries(meta).filter(([, value]) => value !== null && value !== undefined);
  return {
    'content-type': 'application/octet-stream',
    'cache-control': 'no-store',
    'accept-ranges': 'bytes',
    ...Object.fromEntries(present.map(([name, value]) => [name, String(value)])),
    'content-length': String(length),
    ...(part && { 'content-range': `bytes ${part.start}-${part.start + length - 1}/${part.totalBytes}` }),
  };
}
