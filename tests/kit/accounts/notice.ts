import { Webhook } from 'standardwebhooks';
import { until } from '../watch.js';
import { asAdmin, graphql, platform, type Json } from '../platform.js';
import type { Received } from './receiver.js';
import type { SignedIn } from './wallet.js';

/** Optional fields of a notification. */
interface NotificationOptions {
  readonly kind?: string;
  readonly title?: string;
  readonly text?: string;
  readonly link?: string;
  readonly key?: string;
  readonly severity?: string;
  readonly url?: string;
}

/** Sends a notification to a user, as an administrator. @returns whether it was new */
export async function tell(user: SignedIn, options: NotificationOptions = {}): Promise<boolean> {
  const { url = platform().url, kind = 'account', title = 'A title', text = 'A text', link, key, severity } = options;
  const variables = { to: user.substrateAddress, kind, title, text, link, key, severity };
  const { adminNotify } = await asAdmin(
    `mutation ($to: String!, $kind: NotificationKind!, $title: String!, $text: String!, $link: String, $key: String, $severity: NotificationSeverity) {
       adminNotify(substrateAddress: $to, kind: $kind, title: $title, text: $text, link: $link, idempotencyKey: $key, severity: $severity)
     }`,
    variables,
    url,
  );
  return adminNotify;
}

/** Returns the notifications of the user, newest first, with the count of unread ones. */
export async function notificationsOf(user: SignedIn, args = '', url = platform().url): Promise<Json> {
  const { data } = await graphql(
    `{ notifications${args} { unreadCount nextCursor results { id kind severity title text link createdAt readAt } } }`,
    { token: user.token, url },
  );
  return data.notifications;
}

/** Adds a webhook endpoint of the user. */
export async function addEndpoint(
  user: SignedIn,
  endpoint: { readonly url: string; readonly kinds?: readonly string[] },
  url = platform().url,
): Promise<{ readonly id: string; readonly secret: string }> {
  const { data, errors } = await graphql(
    'mutation ($url: String!, $kinds: [NotificationKind!]) { addWebhookEndpoint(url: $url, kinds: $kinds) { secret endpoint { id } } }',
    { token: user.token, variables: { url: endpoint.url, kinds: endpoint.kinds }, url },
  );
  if (errors) throw new Error(JSON.stringify(errors));
  const { secret, endpoint: added } = data.addWebhookEndpoint;
  return { id: added.id, secret };
}

/** Returns the deliveries to an endpoint, newest first. */
export async function deliveriesTo(
  user: SignedIn,
  endpointId: string,
  { args = '', url = platform().url }: { readonly args?: string; readonly url?: string } = {},
): Promise<Json> {
  const { data } = await graphql(
    `query ($id: String!) { webhookDeliveries(endpointId: $id ${args}) {
       nextCursor
       results { id messageId notificationId kind state attempts nextAttemptAt lastError responseStatus responseBody createdAt sentAt }
     } }`,
    { token: user.token, variables: { id: endpointId }, url },
  );
  return data.webhookDeliveries;
}

/** Verifies the signature of a delivery and parses its body. @throws for an invalid signature */
export function verified(secret: string, { body, headers }: Received): Json {
  return new Webhook(secret).verify(body, headers as Record<string, string>);
}

/** Waits until the last delivery to an endpoint was attempted, and returns it. */
export async function settledDelivery(user: SignedIn, endpointId: string): Promise<Json> {
  let delivery: Json;
  await until(async () => {
    [delivery] = (await deliveriesTo(user, endpointId)).results;
    return delivery !== undefined && (delivery.state !== 'pending' || delivery.responseStatus !== null);
  });
  return delivery;
}
