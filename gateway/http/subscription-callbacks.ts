import type { FastifyInstance } from 'fastify';
import type { CallbackSubscriptions } from '../../kernel/subgraph/remote/callback-subscriptions.js';

/** The path of callbacks, before the id of the subscription. */
export const CALLBACK_PATH = '/subscription-callbacks';

/** Maximum size of an event. */
const MAX_EVENT_BYTES = 1024 * 1024;

/** Serves the requests by which subgraphs send events. */
export function addSubscriptionCallbacks(app: FastifyInstance, subscriptions: CallbackSubscriptions): void {
  app.post<{ Params: { id: string }; Body: string | undefined }>(
    `${CALLBACK_PATH}/:id`,
    { bodyLimit: MAX_EVENT_BYTES, config: { isRaw: true } },
    async ({ params: { id }, body = '' }, reply) =>
      reply.code(subscriptions.receive(id, body)).header('subscription-protocol', 'callback/1.0').send(),
  );
}
