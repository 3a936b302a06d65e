import type { FastifyInstance } from 'fastify';
import { addStaticFolder, pageHeaders } from './assets.js';
import { encodeText, sendEncoded, type EncodedText } from './encoded-text.js';

const PREFIX = '/api/docs/';

const PAGE = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>REST API of Archipelago</title>
    <link rel="icon" type="image/png" sizes="32x32" href="/api/docs/assets/favicon-32x32.png" />
    <link rel="stylesheet" href="/api/docs/assets/swagger-ui.css" />
  </head>
  <body>
    <nav style="font: 14px sans-serif; padding: 1em 1.5em"><a href="/">Dashboard</a> · <a href="/api/openapi.json">openapi.json</a></nav>
    <main id="reference"></main>
    <noscript>This page needs JavaScript; <a href="/api/openapi.json">openapi.json</a> does not.</noscript>
    <script src="/api/docs/assets/swagger-ui-bundle.js"></script>
    <script type="module" src="/api/docs/start.js"></script>
  </body>
</html>
`;

// Requests go to the origin of the page: the policy allows no other one.
const START = `const spec = await (await fetch('/api/openapi.json')).json();
spec.servers = [{ url: location.origin }];
SwaggerUIBundle({
  spec,
  dom_id: '#reference',
  deepLinking: true,
  displayRequestDuration: true,
  docExpansion: 'list',
  validatorUrl: null,
});
`;

/**
 * Serves the OpenAPI document at /api/openapi.json and Swagger UI at /api/docs/.
 * @param openApi is called once, at the first request: writing the document takes a fiftieth of a start
 */
export async function addReference(app: FastifyInstance, openApi: () => object): Promise<void> {
  // Swagger UI sets style attributes.
  const headers = pageHeaders({ 'style-src': "'self' 'unsafe-inline'" });
  let document: Promise<EncodedText> | undefined;
  app.get('/api/openapi.json', async (request, reply) => {
    document ??= encodeText(JSON.stringify(openApi()));
    reply.header('cache-control', 'no-cache').type('application/json; charset=utf-8');
    return sendEncoded(request, reply, await document);
  });
  const page = await encodeText(PAGE);
  app.get(PREFIX, (request, reply) => {
    reply.headers(headers).type('text/html; charset=utf-8');
    return sendEncoded(request, reply, page);
  });
  app.get(`${PREFIX}start.js`, (_request, reply) =>
    reply.headers(headers).type('text/javascript; charset=utf-8').send(START),
  );
  await addStaticFolder(app, { prefix: `${PREFIX}assets/`, name: 'reference', headersOf: () => headers });
}
