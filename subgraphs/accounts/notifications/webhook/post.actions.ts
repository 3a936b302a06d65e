import { Webhook } from 'standardwebhooks';
import type { AccountsRuntime } from '../../services.js';
import type { ClaimedDelivery, Outcome } from '../delivery/delivery.js';
import { post, NoResponse } from './post.js';
import { allowedAddresses, sealedFor } from './webhook.js';

/** Sends a notification or a test event to an endpoint, signed by its secrets. Source: Standard Webhooks */
export async function postEvent(runtime: AccountsRuntime, claimed: ClaimedDelivery): Promise<Outcome> {
  if (!claimed.isEnabled || claimed.url === null)
    return { isSent: false, isFinal: true, error: 'The endpoint is disabled.' };
  const body = JSON.stringify(bodyOf(claimed, runtime.publicUrl));
  try {
    const headers = signedHeaders(runtime, claimed, body);
    const { status, body: responseBody } = await post(
      { url: claimed.url, headers, body },
      allowedAddresses(runtime.services.config),
    );
    const isSent = status >= 200 && status < 300;
    if (isSent) return { isSent, status, body: responseBody };
    const error = `The endpoint responded with status ${status}.`;
    return { isSent, status, body: responseBody, error, ...(status === 410 && { isFinal: true, isGone: true }) };
  } catch (error) {
    if (error instanceof NoResponse) return { isSent: false, error: error.message };
    throw error;
  }
}

/** The body of a delivery: its type is the kind of the notification, or `test`. */
function bodyOf({ notification, messageId, endpointId, createdAt }: ClaimedDelivery, publicUrl: string): object {
  const { id, kind, title, text, link } = notification ?? {
    id: `test_${messageId}`,
    kind: 'test',
    title: 'Test event',
    text: 'Nothing has happened: this event tests your endpoint.',
    link: `/notifications/webhooks/${endpointId}`,
  };
  return {
    type: kind,
    timestamp: createdAt.toISOString(),
    data: { id, title, text, link: link === null ? null : `${publicUrl}${link}` },
  };
}

function signedHeaders(
  { services, now }: AccountsRuntime,
  { messageId, endpointId, sealedSecret, sealedPrevious, sealedEarlier }: ClaimedDelivery,
  body: string,
): Record<string, string> {
  const sentAt = now();
  const id = `msg_${messageId}`;
  const sealed = [sealedSecret, sealedPrevious, ...sealedEarlier].filter((text) => text !== null);
  const secrets = sealed.map((text) => services.secretBox.open(text, sealedFor(endpointId ?? '')));
  return {
    'content-type': 'application/json',
    'user-agent': 'Archipelago-Webhooks/1',
    'webhook-id': id,
    'webhook-timestamp': `${Math.floor(sentAt.getTime() / 1000)}`,
    'webhook-signature': secrets.map((secret) => new Webhook(secret).sign(id, sentAt, body)).join(' '),
  };
}
