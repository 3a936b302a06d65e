import type { FastifyInstance } from 'fastify';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { packageRoot } from '../../kernel/package-root.js';
import { addFolder, pageHeaders } from './assets.js';
import type { SendExplorer } from '../graphql/handler.js';
import { encodeText, sendEncoded } from './encoded-text.js';
import { addExplorer } from './explorer.js';
import { addReference } from './reference.js';

/** Where the dashboard is: notifications and hosted pages lead to its billing part. */
export const DASHBOARD_PATHS = ['/', '/billing'];

const KEPT_FOR_A_DAY = 'public, max-age=86400';

/** A picture runs nothing and loads nothing, also where it is opened by itself; pages of others may show it. */
const PICTURE_HEADERS = {
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'cross-origin',
  'cache-control': KEPT_FOR_A_DAY,
};

export interface PagesOptions {
  /** The OpenAPI document of the REST routes. */
  readonly openApi: object;
}

/** Adds what people look at: the dashboard, the reference of the REST API, the GraphQL explorer. Returns how to send the last. */
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
  // What the page names stands beside it; seen from below a slash, one step up.
  const deeper = await encodeText(html.replaceAll(/(href|src)="(?!#)/g, '$1="../'));
  for (const url of DASHBOARD_PATHS) {
    app.get(url, (request, reply) => {
      const isDeeper = /^\/.+\/(?:\?|$)/.test(request.url);
      reply.headers(headers).type('text/html; charset=utf-8');
      return sendEncoded(request, reply, isDeeper ? deeper : page);
    });
  }
  const icon = await readFile(join(root, 'favicon.ico'));
  app.get('/favicon.ico', (_request, reply) =>
    reply.header('cache-control', KEPT_FOR_A_DAY).type('image/vnd.microsoft.icon').send(icon),
  );
  await addFolder(app, { prefix: '/dashboard/', name: 'dashboard', headers });
  await addFolder(app, { prefix: '/logos/', name: 'logos', headers: PICTURE_HEADERS });
}
