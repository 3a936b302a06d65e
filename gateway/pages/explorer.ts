import type { FastifyInstance, FastifyRequest } from 'fastify';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { SendExplorer } from '../graphql/handler.js';
import { addFolder, pageHeaders } from './assets.js';
import { encodeText, sendEncoded } from './encoded-text.js';

const require = createRequire(import.meta.url);

const PREFIX = '/graphql-explorer/';

/** Altair makes style elements as it runs, and shows results of scripts in a frame of its own. */
const HEADERS = pageHeaders({
  'style-src': "'self' 'unsafe-inline'",
  'font-src': "'self' data:",
  'img-src': "'self' data: blob:",
  'worker-src': "'self' blob:",
  'frame-src': "'self'",
  'frame-ancestors': "'self'",
  'base-uri': "'self'",
});

const FIRST_QUERY = `# Set the header  Authorization: Token <API token>  to see what is yours.
# A subscription takes it from "Request handlers", connection parameters.
{
  vmFlavors {
    displayName
    creditsPerHour
  }
}
`;

// The loading of accounts, and with it every address that is not ours, is off.
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

// Its banners advertise add-ons, which come from a CDN and would be refused.
const STYLE = '<style>app-banner-container { display: none; }</style>';

/** Whether a browser asks for a page: a GET that takes HTML and brings no query. */
function wantsExplorer({ method, headers, query }: FastifyRequest): boolean {
  const takesHtml = /(?:^|,)\s*text\/html/i.test(headers.accept ?? '');
  return method === 'GET' && takesHtml && !Object.hasOwn(query as object, 'query');
}

/** Serves what the explorer is made of, and returns how to answer a browser's GET /graphql with it. */
export async function addExplorer(app: FastifyInstance): Promise<SendExplorer> {
  const page = await encodeText(await explorerPage());
  app.get(`${PREFIX}start.js`, (_request, reply) =>
    reply.headers(HEADERS).type('text/javascript; charset=utf-8').send(START),
  );
  await addFolder(app, { prefix: PREFIX, name: 'explorer', headers: HEADERS });
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
