import type { FastifyInstance, FastifyReply, FastifyRequest, HTTPMethods, RouteOptions } from 'fastify';
import { errorCode, methodNotAllowed } from '../../../kernel/errors.js';
import type { RequestContext } from '../../engine/execution.js';
import { FOLDER_DIALECT, PLATFORM_DIALECT, refusalAnswer, type Answer, type Dialect } from './answers.js';
import { FOLDER_ROUTES, PLATFORM_ROUTES, SITE_ROUTES } from '../contract.js';
import { bodyObject, type Interpreter } from './interpreter.js';
import { requireAccess, type RestRequest, type Route } from '../route.js';
import { sendDownload, type DownloadDependencies } from './download.js';
import { readForm } from './form.js';
import { ByteSource } from '../../../kernel/http/bytes.js';
import { sendContinue } from '../../http/bodies.js';
import { clientSignal } from '../../http/client-signal.js';
import type { BillingBypass } from '../../http/billing-bypass.js';
import type { ViewerQueue } from '../../graphql/viewer-queue.js';
import type { Viewers } from '../../graphql/viewer.js';
import { userAgentOf } from '../../http/client-address.js';

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'] as const satisfies HTTPMethods[];

export interface RestDependencies {
  readonly interpreter: Interpreter;
  readonly downloads: DownloadDependencies;
  readonly publicUrl: string;
  readonly viewers: Viewers;
  readonly viewerQueue: ViewerQueue;
  readonly isBillingBypassed: BillingBypass;
}

/** Adds all routes. Other methods at their paths answer 405. The operations are planned soon after the server listens. */
export function addRoutes(app: FastifyInstance, dependencies: RestDependencies): void {
  app.addHook('onListen', () => void dependencies.interpreter.planAll(dependencies.downloads.stopping));
  const documents = [
    { prefix: '/api', routes: PLATFORM_ROUTES, dialect: PLATFORM_DIALECT },
    { prefix: '', routes: SITE_ROUTES, dialect: PLATFORM_DIALECT },
    { prefix: '', routes: FOLDER_ROUTES, dialect: FOLDER_DIALECT },
  ];
  for (const { prefix, routes, dialect } of documents) {
    for (const route of routes) {
      for (const url of urlsOf(route)) addRoute(app, dependencies, { route, dialect, url: prefix + url });
    }
    for (const [url, allowed] of methodsByUrl(routes, dependencies.interpreter))
      refuseOtherMethods(app, { url: prefix + url, allowed, dialect });
  }
}

/** The segment of the payment processor, and the one that older clients use. */
const PROCESSOR_SEGMENTS = ['/payproc/', '/stripe/'] as const;

function urlsOf({ path, allowsEmptyLastParameter }: Route): string[] {
  const url = path.replace(/\{(\w+)\}/g, ':$1');
  const [documented] = PROCESSOR_SEGMENTS;
  if (url.includes(documented)) return PROCESSOR_SEGMENTS.map((segment) => url.replace(documented, segment));
  return allowsEmptyLastParameter ? [url, url.replace(/:\w+$/, '')] : [url];
}

function addRoute(
  app: FastifyInstance,
  dependencies: RestDependencies,
  { route, dialect, url }: { route: Route; dialect: Dialect; url: string },
): void {
  const isStreamed = route.streamedBody !== undefined || route.forms !== undefined;
  const options: RouteOptions = {
    // A download answers HEAD itself, with the headers of its bytes.
    method: route.download ? ['GET', 'HEAD'] : route.method,
    // Nobody would get what a mutation answers, e.g. the tokens of a session.
    exposeHeadRoute: !route.download && !dependencies.interpreter.isMutation(route),
    url,
    config: { isRaw: route.rawBody !== undefined, isStreamed, route, dialect },
    ...(route.maxBodyBytes !== undefined && { bodyLimit: route.maxBodyBytes }),
    // Access is checked before the body is read: 401, then 403, then 400.
    ...(route.access === 'public'
      ? {}
      : {
          onRequest: async (request: FastifyRequest) => requireAccess(route, await dependencies.viewers.admit(request)),
        }),
    handler: async (request: FastifyRequest, reply: FastifyReply) => {
      const viewer = dependencies.viewers.of(request);
      const { download, headers } = route;
      const context = contextOf(dependencies, request, reply);
      if (download) return sendDownload(dependencies.downloads, { download, context, headers }, request, reply);
      const call = callOf(dependencies, route, { request, context, body: await bodyOf(route, request, reply) });
      const serve = () => dependencies.viewers.run(request, () => dependencies.interpreter.serve(route, dialect, call));
      // Uploads do not wait in the queue: they are as slow as the client and have their own limits.
      const answer = await (isStreamed ? serve() : dependencies.viewerQueue.take(viewer, serve));
      return reply.sent ? reply : send(reply, answer);
    },
  };
  if (route.ownerOf || route.accessCheck) options.errorHandler = refusingAccessFirst(dependencies, route, dialect);
  if (isStreamed) addStreamed(app, options);
  else app.route(options);
}

/** Checks access when the body is invalid or too large, so that 403 precedes 400 and 413. Other errors go to the usual error handler. */
function refusingAccessFirst(dependencies: RestDependencies, route: Route, dialect: Dialect) {
  return (failure: Error & { readonly statusCode?: number }, request: FastifyRequest, reply: FastifyReply): void => {
    const isUnreadable = [400, 413].includes(failure.statusCode ?? 0) || errorCode(failure) === 'BAD_REQUEST';
    // A request with wrong headers is refused before its token is read.
    const isAnonymous = dependencies.viewers.of(request).kind === 'anonymous';
    if (!isUnreadable || isAnonymous) return void reply.send(failure);
    dependencies.interpreter
      .accessRefusal(
        route,
        callOf(dependencies, route, { request, context: contextOf(dependencies, request, reply), body: {} }),
      )
      .then(
        (refusal) => (refusal ? send(reply, refusalAnswer(dialect, refusal, route)) : reply.send(failure)),
        () => reply.send(failure),
      );
  };
}

function contextOf(
  { viewers, isBillingBypassed }: RestDependencies,
  request: FastifyRequest,
  reply: FastifyReply,
): RequestContext {
  const viewer = viewers.of(request);
  return {
    viewer,
    requestId: request.id,
    clientAddress: request.ip,
    userAgent: userAgentOf(request),
    isBillingBypassed: isBillingBypassed(request),
    signal: clientSignal(reply.raw),
  };
}

/** The input of the interpreter. */
function callOf(
  dependencies: RestDependencies,
  route: Route,
  {
    request,
    context,
    body,
  }: { readonly request: FastifyRequest; readonly context: RequestContext; readonly body: RestRequest['body'] },
) {
  return {
    request: {
      viewer: context.viewer,
      path: { ...emptyParameters(route), ...(request.params as Record<string, string>) },
      query: request.query as Record<string, unknown>,
      body,
      headers: request.headers,
    },
    context,
    url: new URL(dependencies.publicUrl + request.url),
  };
}

/** The fields of the body, from which variables are read. */
async function bodyOf(route: Route, request: FastifyRequest, reply: FastifyReply): Promise<RestRequest['body']> {
  if (route.streamedBody !== undefined) return { [route.streamedBody]: bodyStream(request, reply) };
  if (route.forms) return readForm(route.forms, request, reply);
  return route.rawBody === undefined ? bodyObject(request.body) : { [route.rawBody]: request.body || undefined };
}

/** The unread body. A client that expects `100-continue` gets it when reading starts. */
function bodyStream(request: FastifyRequest, reply: FastifyReply): ByteSource {
  const header = request.headers['content-length'];
  const isChunked = request.headers['transfer-encoding'] !== undefined;
  const length = header === undefined ? (isChunked ? undefined : 0) : Number(header);
  return new ByteSource(request.raw, length, { onRead: () => sendContinue(request, reply) });
}

/** Adds a route in its own fastify scope, which does not parse bodies. */
function addStreamed(app: FastifyInstance, options: RouteOptions): void {
  void app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', (_request, _payload, done) => done(null, undefined));
    scope.route(options);
  });
}

/** Sends an answer as JSON. */
export function send(reply: FastifyReply, { status, body, headers }: Answer): FastifyReply {
  // Answers contain tokens and balances.
  reply.code(status).headers({ 'cache-control': 'no-store', ...headers });
  if (body === undefined) return reply.send();
  return reply.type('application/json; charset=utf-8').send(JSON.stringify(body));
}

function emptyParameters({ path, allowsEmptyLastParameter }: Route): Record<string, string> {
  const last = allowsEmptyLastParameter ? /\{(\w+)\}$/.exec(path)?.[1] : undefined;
  return last === undefined ? {} : { [last]: '' };
}

function methodsByUrl(routes: readonly Route[], interpreter: Interpreter): Map<string, Set<string>> {
  const methods = new Map<string, Set<string>>();
  for (const route of routes) {
    const served = route.method === 'GET' && !interpreter.isMutation(route) ? ['GET', 'HEAD'] : [route.method];
    for (const url of urlsOf(route)) methods.set(url, new Set([...(methods.get(url) ?? []), ...served]));
  }
  return methods;
}

/** Answers 405 with `Allow` to all other methods at the URL. */
export function refuseOtherMethods(
  app: FastifyInstance,
  { url, allowed, dialect = PLATFORM_DIALECT }: { url: string; allowed: ReadonlySet<string>; dialect?: Dialect },
): void {
  const refused = METHODS.filter((method) => !allowed.has(method));
  const allow = [...allowed].join(', ');
  app.route({
    method: refused,
    exposeHeadRoute: false,
    url,
    config: { dialect },
    onRequest: async (request, reply) => {
      reply.header('allow', allow);
      return send(
        reply,
        refusalAnswer(dialect, methodNotAllowed(`${request.method} is not served here; try ${allow}.`)),
      );
    },
    handler: () => undefined,
  });
}
