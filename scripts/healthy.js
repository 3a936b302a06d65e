// node scripts/healthy.js: the health check of containers. Exits 0 when the platform or the subgraph of this container is ready.
// With `lighthouse`: exits 0 when the lighthouse has read its networks from the database within the last 15 s.
import { readFileSync, statSync } from 'node:fs';
import path from 'node:path';

/** Shorter than the health check timeout of the containers. */
const TIMEOUT_MS = 4_000;
const UPDATE_LIMIT_MS = 15_000;

const { PORT = '4000', DATA_DIR = '', SUBGRAPH_SECRET = '', SUBGRAPH_SECRET_FILE = '' } = process.env;

try {
  process.exitCode = (process.argv[2] === 'lighthouse' ? isUpdated() : await isReady()) ? 0 : 1;
} catch (error) {
  console.log(error.cause?.message ?? error.message);
  process.exitCode = 1;
}

async function isReady() {
  const secrets = SUBGRAPH_SECRET_FILE === '' ? SUBGRAPH_SECRET : readFileSync(SUBGRAPH_SECRET_FILE, 'utf8');
  const response = await fetch(`http://127.0.0.1:${PORT}/health/ready`, {
    headers: { 'x-subgraph-secret': secrets.split(',')[0].trim() },
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  console.log(response.status, await response.text());
  return response.ok;
}

function isUpdated() {
  const { mtime } = statSync(path.join(DATA_DIR, 'lighthouse', 'updated'));
  console.log(`updated ${mtime.toISOString()}`);
  return Date.now() - mtime < UPDATE_LIMIT_MS;
}
