import type { FastifyInstance } from 'fastify';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { packageRoot } from '../../kernel/package-root.js';
import { addStaticFolder, pageHeaders } from './assets.js';
import type { SendExplorer } from '../graphql/handler.js';
import { encodeText, sendEncoded } from './encoded-text.js';
import { addExplorer } from './explorer.js';
import { addReference } from './reference.js';

/** Paths of the dashboard. Notifications and hosted payment pages link to /billing. */
export const DASHBOARD_PATHS = ['/', '/billing'];

const CACHE_FOR_A_DAY = 'public, max-age=86400';

/** Images must not run scripts or load resources; pages of other origins may show them. */
const IMAGE_HEADERS = {
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'cross-origin',
  'cache-control': CACHE_FOR_A_DAY,
};

export interface PagesOptions {
  /** The OpenAPI document of the REST routes. */
  readonly openApi: object;
}

/** Adds the dashboard, the REST API reference and the GraphQL explorer. Returns the function that sends the explorer. */
export async function addPages(app: FastifyInstance, { openApi }: PagesOptions): Promise<SendExplorer> {
  await addReference(app, openApi);
  await addDashboard(app);
  return addExplorer(app);
}

async function addDashboard(app: FastifyInstance): Promise<void> {
  const root = join(packageRoot(), 'dashboard');
  const headers = pageHeaders();
  const html = await readFile(join(root, 'index.html'), 'utf8');
  const page = await encodeText(html);
  // The page has relative links; with a trailing slash in the URL they need `../`.
  const slashedPage = await encodeText(html.replaceAll(/(href|src)="(?!#)/g, '$1="../'));
  for (const url of DASHBOARD_PATHS) {
    app.get(url, (request, reply) => {
      const hasTrailingSlash = /^\/.+\/(?:\?|$)/.test(request.url);
      reply.headers(headers).type('text/html; charset=utf-8');
      return sendEncoded(request, reply, hasTrailingSlash ? slashedPage : page);
    });
  }
  const icon = await readFile(join(root, 'favicon.ico'));
  app.get('/favicon.ico', (_request, reply) =>
    reply.header('cache-control', CACHE_FOR_A_DAY).type('image/vnd.microsoft.icon').send(icon),
  );
  await addStaticFolder(app, { prefix: '/dashboard/', name: 'dashboard', headers });
  await addStaticFolder(app, { prefix: '/logos/', name: 'logos', headers: IMAGE_HEADERS });
}
