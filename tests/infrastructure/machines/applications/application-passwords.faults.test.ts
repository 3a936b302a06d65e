import { beforeAll, expect, it } from '@jest/globals';
import { spawnSync } from 'node:child_process';
import { projectFile } from '../../../kit/compose.js';
import { newDatabase } from '../../../kit/database/own-database.js';
import { ask } from '../../../kit/watch.js';

const MIGRATION = 'subgraphs/infrastructure/migrations/20261129210200_application_passwords.sql';

let databaseUrl: string;
let scripts: Record<string, string>;
beforeAll(async () => {
  databaseUrl = await newDatabase();
  scripts = (await ask(
    databaseUrl,
    'SELECT json_object_agg(slug, user_data) FROM infrastructure.vm_application',
  )) as typeof scripts;
}, 60_000);

it.each(['nextcloud', 'gitea', 'grafana'])('%s has a random password, in a file of its owner only', (slug) => {
  expect(scripts[slug]).toMatch(/^password=\$\(openssl rand -hex 16\)$/m);
  expect(scripts[slug]).toContain(`install -m 600 -o cloud -g cloud /dev/null /home/cloud/${slug}-password\n`);
  expect(scripts[slug]).toContain('install -y --no-install-recommends docker.io openssl\n');
  expect(scripts[slug]).toMatch(/(?:ADMIN_PASSWORD=|--password )"\$password"/);
});

it('the page of WireGuard, which has no TLS, answers on the machine only', async () => {
  expect(scripts.wireguard).toContain('-p 127.0.0.1:51821:51821/tcp');
  const probe = `SELECT probe_port IS NULL AND probe_path IS NULL FROM infrastructure.vm_application WHERE slug = 'wireguard'`;
  expect(await ask(databaseUrl, probe)).toBe(true);
});

it('each script is one that a shell can read', () => {
  for (const script of Object.values(scripts))
    expect(spawnSync('sh', ['-n'], { input: script, encoding: 'utf8' })).toMatchObject({ status: 0, stderr: '' });
});

it('a script that an administrator changed stays', async () => {
  const script = `SELECT user_data FROM infrastructure.vm_application WHERE slug = 'grafana'`;
  const own = '#!/bin/sh\necho mine\n';
  await ask(databaseUrl, `UPDATE infrastructure.vm_application SET user_data = '${own}' WHERE slug = 'grafana'`);
  await ask(databaseUrl, projectFile(MIGRATION));
  expect(await ask(databaseUrl, script)).toBe(own);
});
