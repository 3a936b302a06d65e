// node scripts/healthy.js: the health check of containers. Exits 0 when the platform or the subgraph of this container is ready.
import { readFileSync } from 'node:fs';

/** Shorter than the health check timeout of the containers. */
const TIMEOUT_MS = 4_000;

const { PORT = '4000', SUBGRAPH_SECRET = '', SUBGRAPH_SECRET_FILE = '' } = process.env;
const secrets = SUBGRAPH_SECRET_FILE === '' ? SUBGRAPH_SECRET : readFileSync(SUBGRAPH_SECRET_FILE, 'utf8');

try {
  const response = await fetch(`http://127.0.0.1:${PORT}/health/ready`, {
    headers: { 'x-subgraph-secret': secrets.split(',')[0].trim() },
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  console.log(response.status, await response.text());
  process.exitCode = response.ok ? 0 : 1;
} catch (error) {
  console.log(error.cause?.message ?? error.message);
  process.exitCode = 1;
}
