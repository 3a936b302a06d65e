import type { FastifyInstance } from 'fastify';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { packageRoot } from '../../kernel/package-root.js';
import { addFolder, pageHeaders } from './assets.js';
import { addExplorer } from './explorer.js';
import { addReference } from './reference.js';

export interface PagesOptions {
  /** The OpenAPI document of the REST routes. */
  readonly openApi: object;
}

/** Adds what people look at: the dashboard, the reference of the REST API, and what the GraphQL explorer is made of. */
export async function addPages(app: FastifyInstance, { openApi }: PagesOptions): Promise<void> {
  await addReference(app, openApi);
  await addExplorer(app);
  await addDashboard(app);
}

async function addDashboard(app: FastifyInstance): Promise<void> {
  const root = join(packageRoot(), 'dashboard');
  const headers = pageHeaders();
  app.get('/', async (_request, reply) => {
    const html = await readFile(join(root, 'index.html'), 'utf8');
    return reply.headers(headers).type('text/html; charset=utf-8').send(html);
  });
  await addFolder(app, { prefix: '/dashboard/', root, headers });
}
