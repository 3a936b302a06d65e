import type { FastifyInstance } from 'fastify';
import { isSubgraphName } from '../../kernel/config/config.js';
import { notFound } from '../../kernel/errors.js';
import type { SubgraphClient } from '../../kernel/subgraph/subgraph-client.js';
import { SubgraphEndpoint } from '../../kernel/subgraph/endpoint/subgraph-endpoint.js';
import type { SubgraphClients } from '../composition/subgraph-clients.js';

/**
 * Serves the subgraphs of this process to remote ones at `/_subgraphs/NAME`; callers must send the secret. Adds nothing
 * without a secret. Returns a function that closes the streams.
 */
export function addSubgraphEndpoints(
  app: FastifyInstance,
  clients: SubgraphClients,
  secrets: readonly string[],
): () => void {
  if (secrets.length === 0) return () => undefined;
  const endpointOf = (name: string, client: SubgraphClient) =>
    new SubgraphEndpoint(client, secrets, { log: app.log.child({ subgraph: name }) });
  const endpoints = new Map([...clients].map(([name, client]) => [name, endpointOf(name, client)]));
  app.route<{ Params: { name: string } }>({
    method: ['GET', 'POST'],
    url: '/_subgraphs/:name',
    // The endpoint reads the body itself and has its own size limit.
    onRequest: async (request, reply) => {
      const { name } = request.params;
      const endpoint = isSubgraphName(name) ? endpoints.get(name) : undefined;
      if (!endpoint) throw notFound('There is nothing at this address.');
      reply.hijack();
      await endpoint.handle(request.raw, reply.raw);
    },
    handler: () => undefined,
  });
  return () => {
    for (const endpoint of endpoints.values()) endpoint.close();
  };
}
