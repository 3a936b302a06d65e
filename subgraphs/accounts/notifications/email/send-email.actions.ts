import type { AccountsRuntime } from '../../services.js';
import type { ClaimedDelivery, Outcome } from '../delivery/delivery.js';
import { htmlEmail, plainEmail } from './email.rules.js';

/** Sends a notification by e-mail. A permanent SMTP error is final; other errors are retried. */
export async function emailNotification(
  { services, publicUrl, log }: AccountsRuntime,
  { email, messageId, title, text, link }: ClaimedDelivery,
): Promise<Outcome> {
  if (!services.mailer || email === null)
    return { isSent: false, isFinal: true, error: 'The user has no e-mail address, or no mail server is configured.' };
  const writing = { title, text, url: link === null ? undefined : `${publicUrl}${link}` };
  try {
    const bodies = { text: plainEmail(writing), html: htmlEmail(writing) };
    await services.mailer.send({ to: email, id: messageId, subject: title, ...bodies });
    return { isSent: true };
  } catch (error) {
    log.warn({ err: error, messageId }, 'the mail server rejected a notification');
    return {
      isSent: false,
      error: 'The mail server rejected the message.',
      ...(isRefusedForGood(error) && { isFinal: true }),
    };
  }
}

/** Source: RFC 5321, 4.2.1: 5yz are permanent */
function isRefusedForGood(error: unknown): boolean {
  return (
    error instanceof Error &&
    'responseCode' in error &&
    typeof error.responseCode === 'number' &&
    error.responseCode >= 500
  );
}
