import type { FastifyInstance, FastifyRequest } from 'fastify';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { SendExplorer } from '../graphql/handler.js';
import { addStaticFolder, pageHeaders } from './assets.js';
import { encodeText, sendEncoded } from './encoded-text.js';

const require = createRequire(import.meta.url);

const PREFIX = '/graphql-explorer/';

/** Altair creates style elements at run time and shows script results in a frame. */
const HEADERS = pageHeaders({
  'style-src': "'self' 'unsafe-inline'",
  'font-src': "'self' data:",
  'img-src': "'self' data: blob:",
  'worker-src': "'self' blob:",
  'frame-src': "'self'",
  'frame-ancestors': "'self'",
  'base-uri': "'self'",
});

const FIRST_QUERY = `# Set the header  Authorization: Token <API token>  to see your own data.
# A subscription takes it from "Request handlers", connection parameters.
{
  vmFlavors {
    displayName
    creditsPerHour
  }
}
`;

// Altair accounts are disabled, so the page loads nothing from other hosts.
const START = `AltairGraphQL.init(${JSON.stringify({
  endpointURL: '/graphql',
  subscriptionsEndpoint: '/graphql',
  initialSubscriptionRequestHandlerId: 'graphql-ws',
  initialSubscriptionsPayload: { Authorization: 'Token <API token>' },
  initialQuery: FIRST_QUERY,
  initialName: 'Archipelago',
  instanceStorageNamespace: 'archipelago_',
  disableAccount: true,
})});\n`;

// Altair's banners advertise add-ons from a CDN, which the policy blocks.
const STYLE = '<style>app-banner-container { display: none; }</style>';

/** Whether a browser requests the page: a GET that accepts HTML and has no query. */
function wantsExplorer({ method, headers, query }: FastifyRequest): boolean {
  const takesHtml = /(?:^|,)\s*text\/html/i.test(headers.accept ?? '');
  return method === 'GET' && takesHtml && !Object.hasOwn(query as object, 'query');
}

/** Serves the files of the explorer. Returns the function that sends the explorer page for GET /graphql. */
export async function addExplorer(app: FastifyInstance): Promise<SendExplorer> {
  const page = await encodeText(await explorerPage());
  app.get(`${PREFIX}start.js`, (_request, reply) =>
    reply.headers(HEADERS).type('text/javascript; charset=utf-8').send(START),
  );
  await addStaticFolder(app, { prefix: PREFIX, name: 'explorer', headers: HEADERS });
  return (request, reply) => {
    if (!wantsExplorer(request)) return false;
    reply.headers({ ...HEADERS, vary: 'accept' }).type('text/html; charset=utf-8');
    void sendEncoded(request, reply, page);
    return true;
  };
}

async function explorerPage(): Promise<string> {
  const html = await readFile(join(assets(), 'index.html'), 'utf8');
  return html
    .replace(/<base [^>]*>/, `<base href="${PREFIX}" />`)
    .replace(/<title>[^<]*/, '<title>GraphQL explorer')
    .replace('</head>', `${STYLE}</head>`)
    .replace('</body>', '<script type="module" src="start.js"></script></body>');
}

function assets(): string {
  return join(dirname(require.resolve('altair-static/package.json')), 'build/dist');
}
