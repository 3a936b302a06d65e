/**
 * Serves Hive Gateway. Arguments: `js` or `rust` for its query planner, `shared` if equal fetches at the same time are one fetch
 * (its default) else `own`, the file of the supergraph, the port.
 */
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { createGatewayRuntime } from '@graphql-hive/gateway';
import { unifiedGraphHandler } from '@graphql-hive/router-runtime';

const [planner, fetches, supergraphFile = '', port] = process.argv.slice(2);
const gateway = createGatewayRuntime({
  supergraph: await readFile(supergraphFile, 'utf8'),
  logging: false,
  ...(planner === 'rust' && { unifiedGraphHandler }),
  ...(fetches === 'own' && { transportEntries: { '*.http': { options: { deduplicateInflightRequests: false } } } }),
});
process.once('SIGTERM', () => process.exit());
const server = createServer((request, response) => void gateway(request, response));
server.listen(Number(port), '127.0.0.1', () => process.stdout.write('ready\n'));
