/** Runs Grafbase until SIGTERM. Arguments: the folder of its grafbase.toml, the port. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const BINARY = new URL('node_modules/@grafbase/cli-x86_64-unknown-linux-musl/grafbase', import.meta.url);
const POLL_MS = 50;

const [folder, port = ''] = process.argv.slice(2);
const grafbase = spawn(fileURLToPath(BINARY), ['dev', '--port', port], {
  cwd: folder,
  env: { HOME: folder, DO_NOT_TRACK: '1', GRAFBASE_TELEMETRY: 'off' },
  stdio: ['ignore', 'ignore', 'inherit'],
});
process.once('SIGTERM', () => grafbase.kill());
void once(grafbase, 'exit').then(() => process.exit());

/** Whether it answers. */
async function isReady() {
  const headers = { 'content-type': 'application/json' };
  const request = { method: 'POST', headers, body: '{"query":"{ __typename }"}' };
  const response = await fetch(`http://127.0.0.1:${port}/graphql`, request).catch(() => undefined);
  return response?.ok === true;
}

while (!(await isReady())) await setTimeout(POLL_MS);
process.stdout.write('ready\n');
