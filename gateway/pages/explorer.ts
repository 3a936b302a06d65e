import type { FastifyInstance, FastifyRequest } from 'fastify';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { SendExplorer } from '../graphql/handler.js';
import { acceptsHtml, addStaticFolder, pageHeaders } from './assets.js';
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

const FIRST_QUERY = `# If you are signed in to the dashboard in this browser, so you are here.
# Else set the header  Authorization: Token <API token>  to see your own data;
# a subscription takes it from "Request handlers", connection parameters.
{
  vmFlavors {
    displayName
    creditsPerHour
  }
}
`;

/** What the explorer sends for a subscription while the user has set no token. */
const NO_TOKEN = 'Token <API token>';

/**
 * Adds the access token of the dashboard's session to requests that have none. Altair stores headers; this token is only
 * in memory. Tabs refresh it in turn and tell each other, as in dashboard/session/access-token.ts.
 */
const SIGN_IN = `
const NAME = 'archipelago.session';
const channel = new BroadcastChannel(NAME);
let present = null;
channel.onmessage = ({ data }) => { present = data; };
const isFresh = () => present !== null && present.expiresAt - 30000 > Date.now();
async function refresh() {
  if (isFresh()) return;
  const headers = { 'x-requested-with': 'XMLHttpRequest' };
  const answer = await send('/dashboard/session/refresh', { method: 'POST', headers });
  if (!answer.ok) return void (present = null);
  const { access_token: text, expires_in: seconds } = await answer.json();
  const claims = text.split('.')[1].replaceAll('-', '+').replaceAll('_', '/');
  present = { text, sessionId: JSON.parse(atob(claims)).sid, expiresAt: Date.now() + seconds * 1000 };
  channel.postMessage(present);
}
async function authorization() {
  if (!isFresh()) await (navigator.locks ? navigator.locks.request(NAME, refresh) : refresh());
  return present && 'Bearer ' + present.text;
}
const send = window.fetch.bind(window);
window.fetch = async (input, init = {}) => {
  const headers = new Headers(init.headers);
  const isOurs = typeof input === 'string' && new URL(input, location.href).href === location.origin + '/graphql';
  const value = isOurs && !headers.has('authorization') ? await authorization().catch(() => null) : null;
  if (!value) return send(input, init);
  headers.set('authorization', value);
  return send(input, { ...init, headers });
};
window.WebSocket = class extends WebSocket {
  send(data) {
    const isBlank = typeof data === 'string' && data.includes('"connection_init"') && data.includes(${JSON.stringify(NO_TOKEN)});
    if (!isBlank || new URL(this.url).host !== location.host) return super.send(data);
    const payload = (value) => (value ? { Authorization: value } : {});
    void authorization().catch(() => null)
      .then((value) => super.send(JSON.stringify({ type: 'connection_init', payload: payload(value) })));
  }
};`;

// Altair accounts are disabled, so the page loads nothing from other hosts.
const START = `${SIGN_IN}
AltairGraphQL.init(${JSON.stringify({
  endpointURL: '/graphql',
  subscriptionsEndpoint: '/graphql',
  initialSubscriptionRequestHandlerId: 'graphql-ws',
  initialSubscriptionsPayload: { Authorization: NO_TOKEN },
  initialQuery: FIRST_QUERY,
  initialName: 'Archipelago',
  instanceStorageNamespace: 'archipelago_',
  disableAccount: true,
})});\n`;

// Altair's banners advertise add-ons from a CDN, which the policy blocks.
const STYLE = '<style>app-banner-container { display: none; }</style>';

/** Whether a browser requests the page: a GET that accepts HTML and has no query. */
function wantsExplorer(request: FastifyRequest): boolean {
  return request.method === 'GET' && acceptsHtml(request) && !Object.hasOwn(request.query as object, 'query');
}

/** Serves the files of the explorer. Returns the function that sends the explorer page for GET /graphql. */
export async function addExplorer(app: FastifyInstance): Promise<SendExplorer> {
  const page = await encodeText(await explorerPage());
  app.get(`${PREFIX}start.js`, (_request, reply) =>
    reply.headers(HEADERS).type('text/javascript; charset=utf-8').send(START),
  );
  await addStaticFolder(app, { prefix: PREFIX, name: 'explorer', headersOf: () => HEADERS });
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
