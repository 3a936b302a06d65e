import { Arg, Ctx, Directive, Int, Mutation, Query, Resolver } from 'type-graphql';
import { listSize } from '../../../../kernel/paging/page.js';
import { notFound } from '../../../../kernel/errors.js';
import { checkCursor, firstOf, isRowId } from '../../../../kernel/paging/paging.js';
import { checkText, uuidOf } from '../../../../kernel/scalars/text.js';
import { requireUser } from '../../../../kernel/security/viewer.js';
import { countAttempt, type RateLimit } from '../../identity/rate-limit/rate.actions.js';
import type { AccountsContext } from '../../services.js';
import { NoticeKindEnum, type NoticeKind } from '../notification/notification.js';
import { listDeliveries, replayDelivery } from './log.actions.js';
import { testEndpoint } from './test-event.actions.js';
import { addEndpoint, enableEndpoint, listEndpoints, removeEndpoint, rotateSecret } from './webhook.actions.js';
import { allowedAddresses, WebhookDelivery, WebhookDeliveryPage, WebhookEndpoint, WebhookSecret } from './webhook.js';
import { checkEndpointUrl } from './webhook.rules.js';

/** Limits per minute of endpoint changes, replays and test events. */
const CHANGES: RateLimit = { scope: 'webhook-change', max: 30, windowSeconds: 60 };
const REPLAYS: RateLimit = { scope: 'webhook-replay', max: 20, windowSeconds: 60 };
const TESTS: RateLimit = { scope: 'webhook-test', max: 10, windowSeconds: 60 };

@Resolver()
export class WebhookEndpointResolver {
  @Query(() => [WebhookEndpoint], { description: 'Your webhook endpoints, oldest first.' })
  webhookEndpoints(@Ctx() { viewer, database }: AccountsContext): Promise<WebhookEndpoint[]> {
    return listEndpoints(database, requireUser(viewer).userId);
  }

  @Mutation(() => WebhookSecret, {
    description:
      'Adds a webhook endpoint: notifications are sent to it by POST, signed according to Standard Webhooks. Maximum 10, else CONFLICT.',
  })
  async addWebhookEndpoint(
    @Arg('url', () => String, { description: 'An https URL with a public address; up to 2048 characters.' })
    url: string,
    @Arg('kinds', () => [NoticeKindEnum], {
      nullable: true,
      description: 'Kinds of notifications to send; empty sends all kinds.',
    })
    kinds: NoticeKind[] | null,
    @Ctx() context: AccountsContext,
  ): Promise<WebhookSecret> {
    requireUser(context.viewer);
    const checked = checkEndpointUrl(url, allowedAddresses(context.services.config));
    const userId = await countedUser(context, CHANGES);
    return addEndpoint(context, userId, { url: checked, kinds: kinds ?? [] });
  }

  @Mutation(() => Boolean, { description: 'Deletes one of your endpoints and its deliveries. Error NOT_FOUND.' })
  async removeWebhookEndpoint(
    @Arg('id', () => String, { description: 'The id of the endpoint.' }) id: string,
    @Ctx() context: AccountsContext,
  ): Promise<boolean> {
    await removeEndpoint(context.database, await countedUser(context, CHANGES), endpointId(id));
    return true;
  }

  @Mutation(() => WebhookSecret, {
    description:
      'Creates a new secret. For 24 hours deliveries are signed with both the new and the previous secret. Each replaced secret signs for 24 hours, also when the secret is rotated again. Errors NOT_FOUND, RATE_LIMITED while three replaced secrets still sign.',
  })
  async rotateWebhookSecret(
    @Arg('id', () => String, { description: 'The id of the endpoint.' }) id: string,
    @Ctx() context: AccountsContext,
  ): Promise<WebhookSecret> {
    return rotateSecret(context, await countedUser(context, CHANGES), endpointId(id));
  }

  @Mutation(() => WebhookEndpoint, { description: 'Enables or disables an endpoint. Error NOT_FOUND.' })
  async enableWebhookEndpoint(
    @Arg('id', () => String, { description: 'The id of the endpoint.' }) id: string,
    @Arg('isEnabled', () => Boolean, { description: 'Whether the endpoint receives notifications.' })
    isEnabled: boolean,
    @Ctx() context: AccountsContext,
  ): Promise<WebhookEndpoint> {
    return enableEndpoint(context.database, await countedUser(context, CHANGES), { id: endpointId(id), isEnabled });
  }

  @Mutation(() => WebhookDelivery, {
    description:
      'Sends a test event to one of your endpoints, whatever its kinds: `type` is `test`, and it adds no notification. It is signed, tried again and listed as any delivery. Errors NOT_FOUND; CONFLICT while the endpoint is disabled; RATE_LIMITED above 10 per minute.',
  })
  async testWebhookEndpoint(
    @Arg('id', () => String, { description: 'The id of the endpoint.' }) id: string,
    @Arg('idempotencyKey', () => String, {
      nullable: true,
      description: 'Repeating a request with the same key returns the delivery of the first and sends nothing more.',
    })
    key: string | null,
    @Ctx() context: AccountsContext,
  ): Promise<WebhookDelivery> {
    requireUser(context.viewer);
    if (key != null) checkText('idempotencyKey', key, 200);
    const userId = await countedUser(context, TESTS);
    return testEndpoint(context, { userId, id: endpointId(id) }, key ?? undefined);
  }

  @Directive(listSize('first'))
  @Query(() => WebhookDeliveryPage, {
    description: 'Sent and pending deliveries of one of your endpoints, newest first. Error NOT_FOUND.',
  })
  webhookDeliveries(
    @Arg('endpointId', () => String, { description: 'The id of the endpoint.' }) id: string,
    @Arg('first', () => Int, { nullable: true, description: 'Page size: default 50, maximum 200.' })
    first: number | null,
    @Arg('after', () => String, { nullable: true, description: 'The `nextCursor` of the previous page.' })
    after: string | null,
    @Ctx() { viewer, database }: AccountsContext,
  ): Promise<WebhookDeliveryPage> {
    const { userId } = requireUser(viewer);
    const page = { first: firstOf(first), after: checkCursor(after) };
    return listDeliveries(database, { userId, endpointId: endpointId(id) }, page);
  }

  @Mutation(() => WebhookDelivery, {
    description:
      'Repeats a sent or failed delivery with the same `webhook-id`. Errors NOT_FOUND; CONFLICT while it is pending; RATE_LIMITED within seconds of the last attempt and above 20 per minute.',
  })
  async replayWebhookDelivery(
    @Arg('id', () => String, { description: 'The id of the delivery.' }) id: string,
    @Ctx() context: AccountsContext,
  ): Promise<WebhookDelivery> {
    const userId = await countedUser(context, REPLAYS);
    if (!isRowId(id)) throw notFound('There is no such delivery.');
    return replayDelivery(context, userId, id);
  }
}

/** The user of the request, rate limited. @throws UNAUTHENTICATED, FORBIDDEN, RATE_LIMITED */
async function countedUser({ viewer, database, now }: AccountsContext, limit: RateLimit): Promise<number> {
  const { userId } = requireUser(viewer);
  await countAttempt(database, limit, `${userId}`, now());
  return userId;
}

function endpointId(id: string): string {
  const uuid = uuidOf(id);
  if (uuid === null) throw notFound('There is no such endpoint.');
  return uuid;
}
