import type { FastifyInstance, FastifyReply, FastifyRequest, HTTPMethods, RouteOptions } from 'fastify';
import { errorCode, methodNotAllowed } from '../../../kernel/errors.js';
import type { RequestContext } from '../../engine/engine.js';
import { FOLDER_DIALECT, PLATFORM_DIALECT, refusalAnswer, type Answer, type Dialect } from './answers.js';
import { FOLDER_ROUTES, PLATFORM_ROUTES, SITE_ROUTES } from '../contract.js';
import { bodyObject, type Interpreter } from './interpreter.js';
import { admitTo, type RestRequest, type Route } from '../route.js';
import { sendDownload, type DownloadDependencies } from './download.js';
import { readForm } from './form.js';
import { wholeBody } from './upload.js';
import type { BillingBypass } from '../../http/billing-bypass.js';
import type { ViewerQueue } from '../../graphql/viewer-queue.js';
import type { Viewers } from '../../graphql/viewer.js';

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const satisfies HTTPMethods[];

export interface RestDependencies {
  readonly interpreter: Interpreter;
  readonly downloads: DownloadDependencies;
  readonly publicUrl: string;
  readonly viewers: Viewers;
  readonly turns: ViewerQueue;
  readonly isBillingBypassed: BillingBypass;
}

/** Whether a path belongs to the platform document; all others are the folder-sync document's. */
export function isPlatformPath(url: string): boolean {
  return /^\/api(?:[/?]|$)/.test(url);
}

/** Whether a path begins like one of those beside the two documents. */
function isSitePath(url: string): boolean {
  const [, first = ''] = url.split(/[/?]/);
  return SITE_ROUTES.some(({ path }) => path.split('/')[1] === first);
}

/** The document whose words a refusal at this path has to use. */
export function dialectOf(url: string): Dialect {
  return isPlatformPath(url) || isSitePath(url) ? PLATFORM_DIALECT : FOLDER_DIALECT;
}

/** Adds every route of both documents; other methods at a documented path are refused with those it has. */
export function addRoutes(app: FastifyInstance, dependencies: RestDependencies): void {
  const documents = [
    { prefix: '/api', routes: PLATFORM_ROUTES, dialect: PLATFORM_DIALECT },
    { prefix: '', routes: SITE_ROUTES, dialect: PLATFORM_DIALECT },
    { prefix: '', routes: FOLDER_ROUTES, dialect: FOLDER_DIALECT },
  ];
  for (const { prefix, routes, dialect } of documents) {
    for (const route of routes) {
      for (const url of urlsOf(route)) addRoute(app, dependencies, { route, dialect, url: prefix + url });
    }
    for (const [url, allowed] of methodsByUrl(routes)) refuseOtherMethods(app, { url: prefix + url, allowed, dialect });
  }
}

/** The word for the payment processor in paths and the one that older clients use. Source: operating contract, Doors */
const PROCESSOR_WORDS = ['/payproc/', '/stripe/'] as const;

function urlsOf({ path, lastMayBeEmpty }: Route): string[] {
  const url = path.replace(/\{(\w+)\}/g, ':$1');
  if (url.includes(PROCESSOR_WORDS[0])) return PROCESSOR_WORDS.map((word) => url.replace(PROCESSOR_WORDS[0], word));
  return lastMayBeEmpty ? [url, url.replace(/:\w+$/, '')] : [url];
}

function addRoute(
  app: FastifyInstance,
  dependencies: RestDependencies,
  { route, dialect, url }: { route: Route; dialect: Dialect; url: string },
): void {
  const isStreamed = route.bytes !== undefined || route.forms !== undefined;
  const options: RouteOptions = {
    // Of bytes the headers tell more than a length of nothing, which is what is made up for HEAD elsewhere.
    method: route.download ? ['GET', 'HEAD'] : route.method,
    exposeHeadRoute: !route.download,
    url,
    config: { isRaw: route.rawBody !== undefined, isStreamed, route },
    ...(route.mostBodyBytes !== undefined && { bodyLimit: route.mostBodyBytes }),
    // Before anything that was sent is read: first 401, then 403, then 400.
    ...(route.isPublic
      ? {}
      : { onRequest: async (request: FastifyRequest) => admitTo(route, await dependencies.viewers.admit(request)) }),
    handler: async (request: FastifyRequest, reply: FastifyReply) => {
      const viewer = dependencies.viewers.of(request);
      const { download, headers } = route;
      const context = contextOf(dependencies, request);
      if (download) return sendDownload(dependencies.downloads, { download, context, headers }, request, reply);
      const call = callOf(dependencies, route, { request, body: await bodyOf(route, request, reply) });
      const serve = () => dependencies.interpreter.serve(route, dialect, call);
      // Bytes come in as fast as their sender lets them, and have limits of their own.
      const answer = await (isStreamed ? serve() : dependencies.turns.take(viewer, serve));
      return reply.sent ? reply : send(reply, answer);
    },
  };
  if (route.owner || route.gate) options.errorHandler = forbiddingFirst(dependencies, route, dialect);
  if (isStreamed) addStreamed(app, options);
  else app.route(options);
}

/** Refuses a body that cannot be read: first 403, then 400 or 413. All else goes on to where every error does. */
function forbiddingFirst(dependencies: RestDependencies, route: Route, dialect: Dialect) {
  return (fault: Error & { readonly statusCode?: number }, request: FastifyRequest, reply: FastifyReply): void => {
    const isUnreadable = [400, 413].includes(fault.statusCode ?? 0) || errorCode(fault) === 'BAD_REQUEST';
    if (!isUnreadable) return void reply.send(fault);
    dependencies.interpreter.forbids(route, callOf(dependencies, route, { request, body: {} })).then(
      (first) => (first ? send(reply, refusalAnswer(dialect, first, route)) : reply.send(fault)),
      () => reply.send(fault),
    );
  };
}

function contextOf({ viewers, isBillingBypassed }: RestDependencies, request: FastifyRequest): RequestContext {
  const viewer = viewers.of(request);
  return {
    viewer,
    requestId: request.id,
    clientAddress: request.ip,
    isBillingBypassed: isBillingBypassed(request),
  };
}

/** The request as the interpreter takes it. */
function callOf(
  dependencies: RestDependencies,
  route: Route,
  { request, body }: { readonly request: FastifyRequest; readonly body: RestRequest['body'] },
) {
  const context = contextOf(dependencies, request);
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

/** The body as fields for the operation's variables. */
async function bodyOf(route: Route, request: FastifyRequest, reply: FastifyReply): Promise<RestRequest['body']> {
  if (route.bytes !== undefined) return { [route.bytes]: wholeBody(request, reply) };
  if (route.forms) return readForm(route.forms, request, reply);
  return route.rawBody === undefined ? bodyObject(request.body) : { [route.rawBody]: request.body || undefined };
}

/** A scope of its own, in which bodies are left to whoever serves the route. */
function addStreamed(app: FastifyInstance, options: RouteOptions): void {
  void app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', (_request, _payload, done) => done(null, undefined));
    scope.route(options);
  });
}

/** Sends an answer of the REST routes. */
export function send(reply: FastifyReply, { status, body, headers }: Answer): FastifyReply {
  // What a caller is told is theirs alone, tokens and balances among it.
  reply.code(status).headers({ 'cache-control': 'no-store', ...headers });
  if (body === undefined) return reply.send();
  return reply.type('application/json; charset=utf-8').send(JSON.stringify(body));
}

function emptyParameters({ path, lastMayBeEmpty }: Route): Record<string, string> {
  const last = lastMayBeEmpty ? /\{(\w+)\}$/.exec(path)?.[1] : undefined;
  return last === undefined ? {} : { [last]: '' };
}

function methodsByUrl(routes: readonly Route[]): Map<string, Set<string>> {
  const methods = new Map<string, Set<string>>();
  for (const route of routes) {
    for (const url of urlsOf(route)) methods.set(url, (methods.get(url) ?? new Set<string>()).add(route.method));
  }
  return methods;
}

/** Answers 405 with `Allow` to every method that is not served at the URL. */
export function refuseOtherMethods(
  app: FastifyInstance,
  { url, allowed, dialect }: { url: string; allowed: ReadonlySet<string>; dialect: Dialect },
): void {
  const refused = METHODS.filter((method) => !allowed.has(method));
  // Where GET is served, HEAD is.
  const allow = [...allowed].flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method])).join(', ');
  app.route({
    method: refused,
    url,
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
