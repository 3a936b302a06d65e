import { Webhook } from 'standardwebhooks';
import type { AccountsRuntime } from '../../services.js';
import type { ClaimedDelivery, Outcome } from '../delivery/delivery.js';
import { post, NoResponse } from './post.js';
import { allowedAddresses, sealedFor } from './webhook.js';

/** Sends a notification to an endpoint, signed by its secrets. Source: Standard Webhooks */
export async function postNotification(runtime: AccountsRuntime, claimed: ClaimedDelivery): Promise<Outcome> {
  if (!claimed.isEnabled || claimed.url === null)
    return { isSent: false, isFinal: true, error: 'The endpoint is disabled.' };
  const body = JSON.stringify({
    type: claimed.kind,
    timestamp: claimed.createdAt.toISOString(),
    data: {
      id: claimed.notificationId,
      title: claimed.title,
      text: claimed.text,
      link: claimed.link === null ? null : `${runtime.publicUrl}${claimed.link}`,
    },
  });
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
