import type { FastifyInstance } from 'fastify';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { packageRoot } from '../../kernel/package-root.js';
import { addStaticFolder, pageHeaders } from './assets.js';
import type { SendExplorer } from '../graphql/handler.js';
import { encodeText, sendEncoded } from './encoded-text.js';
import { addExplorer } from './explorer.js';
import { addNotFoundPage } from './not-found.js';
import { addReference } from './reference.js';
import { addSession, type SessionDependencies } from './session.js';

/**
 * First segments of the dashboard's paths. Each is served with everything below it, so no path of an API may begin with one.
 * Notifications and hosted payment pages link to /billing.
 */
const DASHBOARD_SECTIONS = [
  'account',
  'admin',
  'billing',
  'buckets',
  'certificates',
  'developer',
  'files',
  'machines',
  'models',
  'network',
  'notifications',
];

/** Paths that answer the page of the dashboard. */
export const DASHBOARD_PATHS = ['/', ...DASHBOARD_SECTIONS.flatMap((name) => [`/${name}`, `/${name}/*`])];

const CACHE_FOR_A_DAY = 'public, max-age=86400';

/** Images must not run scripts or load resources; pages of other origins may show them. */
const IMAGE_HEADERS = {
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'cross-origin',
  'cache-control': CACHE_FOR_A_DAY,
};

/** The names of assets change with their contents. */
const CACHE_FOR_EVER = { 'cache-control': 'public, max-age=31536000, immutable' };
const ASSET_HEADERS = { ...pageHeaders(), ...CACHE_FOR_EVER };

/** The worker that hashes files in WebAssembly. A worker has the policy of its own response, so pages stay without WebAssembly. */
const WASM_WORKER = /\/vault\.worker-[^/]+$/;
const WASM_WORKER_HEADERS = { ...pageHeaders({ 'script-src': "'self' 'wasm-unsafe-eval'" }), ...CACHE_FOR_EVER };

export interface PagesOptions extends SessionDependencies {
  /** Writes the OpenAPI document of the REST routes. */
  readonly openApi: () => object;
}

/** Adds the dashboard with its sessions, the REST API reference and the GraphQL explorer. Returns the function that sends the explorer. */
export async function addPages(app: FastifyInstance, { openApi, ...session }: PagesOptions): Promise<SendExplorer> {
  await addReference(app, openApi);
  await addDashboard(app);
  addSession(app, session);
  addNotFoundPage(app);
  return addExplorer(app);
}

async function addDashboard(app: FastifyInstance): Promise<void> {
  const root = join(packageRoot(), 'dist/static/dashboard');
  const headers = pageHeaders();
  const page = await encodeText(await readFile(join(root, 'index.html'), 'utf8'));
  for (const url of DASHBOARD_PATHS) {
    app.get(url, (request, reply) => {
      reply.headers(headers).type('text/html; charset=utf-8');
      return sendEncoded(request, reply, page);
    });
  }
  const icon = await readFile(join(root, 'favicon.ico'));
  app.get('/favicon.ico', (_request, reply) =>
    reply.header('cache-control', CACHE_FOR_A_DAY).type('image/vnd.microsoft.icon').send(icon),
  );
  const headersOf = (path: string) => (WASM_WORKER.test(path) ? WASM_WORKER_HEADERS : ASSET_HEADERS);
  await addStaticFolder(app, { prefix: '/dashboard/assets/', name: 'dashboard/assets', headersOf });
  await addStaticFolder(app, { prefix: '/dashboard/', name: 'dashboard', headersOf: () => headers });
  await addStaticFolder(app, { prefix: '/logos/', name: 'logos', headersOf: () => IMAGE_HEADERS });
}
