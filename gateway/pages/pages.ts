import type { FastifyInstance } from 'fastify';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { packageRoot } from '../../kernel/package-root.js';
import { addFolder, pageHeaders } from './assets.js';
import { addExplorer, type SendExplorer } from './explorer.js';
import { addReference } from './reference.js';

/** Where the dashboard is: notifications and hosted pages lead to its billing part. */
export const DASHBOARD_PATHS = ['/', '/billing'];

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
  // What the page names stands beside it; seen from below a slash, one step up.
  const deeper = html.replaceAll(/(href|src)="(?!#)/g, '$1="../');
  for (const url of DASHBOARD_PATHS) {
    app.get(url, (request, reply) => {
      const isDeeper = /^\/.+\/(?:\?|$)/.test(request.url);
      return reply
        .headers(headers)
        .type('text/html; charset=utf-8')
        .send(isDeeper ? deeper : html);
    });
  }
  await addFolder(app, { prefix: '/dashboard/', root, headers });
}
