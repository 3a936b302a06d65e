import type { FastifyInstance } from 'fastify';
import { isSubgraphName } from '../../kernel/config/config.js';
import { notFound } from '../../kernel/errors.js';
import { SubgraphEndpoint } from '../../kernel/subgraph/subgraph-endpoint.js';
import type { SubgraphClients } from '../composition/subgraph-clients.js';

/**
 * Lets subgraphs that run elsewhere ask those in this process at `/_subgraphs/NAME`; who does not know the secret is
 * refused. Without a secret there are no such endpoints. Returns how to end their streams.
 */
export function addSubgraphEndpoints(
  app: FastifyInstance,
  sources: SubgraphClients,
  secrets: readonly string[],
): () => void {
  if (secrets.length === 0) return () => undefined;
  const endpoints = new Map([...sources].map(([name, source]) => [name, new SubgraphEndpoint(source, secrets)]));
  app.route<{ Params: { name: string } }>({
    method: ['GET', 'POST'],
    url: '/_subgraphs/:name',
    // The endpoint reads the body itself: it belongs to the platform and has a limit of its own.
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
