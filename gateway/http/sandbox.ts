import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { SubgraphClient } from '../../kernel/subgraph/subgraph-client.js';

const EXCHANGE = `mutation ExchangeWithSandbox(
  $method: String!, $path: String!, $query: String!, $authorization: String, $idempotencyKey: String, $body: String!
) {
  exchangeWithSandbox(
    method: $method, path: $path, query: $query, authorization: $authorization, idempotencyKey: $idempotencyKey, body: $body
  ) { status headers { name value } body }
}`;

interface SandboxResponse {
  readonly status: number;
  readonly headers: readonly { readonly name: string; readonly value: string }[];
  readonly body: string;
}

/** The response, in the error format of the payment processor, when accounts does not answer. */
const UNAVAILABLE = { error: { type: 'api_error', message: 'The sandbox is not available. Try again later.' } };

/** Serves the sandbox payment processor below /sandbox: its API and its hosted pages. */
export function addSandbox(app: FastifyInstance, accounts: SubgraphClient): void {
  app.route({
    method: ['GET', 'POST', 'DELETE'],
    url: '/sandbox/*',
    config: { isRaw: true },
    handler: (request, reply) => exchange(accounts, request, reply),
  });
}

async function exchange(accounts: SubgraphClient, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const [path = '', query = ''] = request.url.slice('/sandbox'.length).split(/\?(.*)/s);
  const idempotencyKey = request.headers['idempotency-key'];
  const { data } = await accounts.execute({
    query: EXCHANGE,
    variables: {
      method: request.method === 'HEAD' ? 'GET' : request.method,
      path: path.replace(/(?<=.)\/$/, ''),
      query,
      authorization: request.headers.authorization ?? null,
      idempotencyKey: typeof idempotencyKey === 'string' ? idempotencyKey : null,
      body: typeof request.body === 'string' ? request.body : '',
    },
    viewer: { kind: 'platform', subgraph: 'gateway' },
    requestId: request.id,
  });
  const response = data?.exchangeWithSandbox as SandboxResponse | undefined;
  if (!response) return reply.code(503).send(UNAVAILABLE);
  for (const { name, value } of response.headers) reply.header(name, value);
  return reply.code(response.status).send(response.body);
}
