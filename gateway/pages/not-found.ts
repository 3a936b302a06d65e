import type { FastifyInstance, FastifyRequest } from 'fastify';
import { acceptsHtml, pageHeaders } from './assets.js';

const PAGE = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="color-scheme" content="light dark" />
    <title>Not found · Archipelago</title>
    <link rel="icon" href="/favicon.ico" />
  </head>
  <body style="font: 16px/1.5 sans-serif; margin: 15vh auto; max-width: 30em; padding: 0 1.5em">
    <main>
      <h1>There is nothing at this address</h1>
      <p>Check its spelling, or begin at the <a href="/">dashboard</a>.</p>
    </main>
  </body>
</html>
`;

/** Answers a browser that opens an address of no route with a page. Programs get the error of the API. */
export function addNotFoundPage(app: FastifyInstance): void {
  const headers = { ...pageHeaders({ 'style-src': "'unsafe-inline'" }), 'cache-control': 'no-store' };
  app.addHook('onSend', (request, reply, payload, done) => {
    if (!request.is404 || reply.statusCode !== 404 || !isNavigation(request)) return done(null, payload);
    reply.headers(headers).type('text/html; charset=utf-8');
    done(null, PAGE);
  });
}

/**
 * Whether a person opens the address in a browser. Accept alone does not say so: some HTTP libraries accept HTML by default.
 * Without TLS browsers send no Sec-Fetch-Mode, but Upgrade-Insecure-Requests. Sources: Fetch Metadata; Upgrade Insecure Requests
 */
function isNavigation(request: FastifyRequest): boolean {
  const { method, headers } = request;
  const isOpened = headers['sec-fetch-mode'] === 'navigate' || headers['upgrade-insecure-requests'] === '1';
  return (method === 'GET' || method === 'HEAD') && isOpened && acceptsHtml(request);
}
