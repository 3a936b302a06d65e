import { Webhook } from 'standardwebhooks';

/**
 * Verifies a delivery to a webhook endpoint and returns its event. Source: Standard Webhooks
 * @param secret the secret of the endpoint, `whsec_…` @param body the body as it arrived, not parsed
 * @throws Error when the signature is wrong or older than five minutes
 */
export function verifyWebhook(secret: string, headers: Readonly<Record<string, string>>, body: string): unknown {
  return new Webhook(secret).verify(body, headers);
}
