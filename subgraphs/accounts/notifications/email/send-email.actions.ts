import type { AccountsRuntime } from '../../services.js';
import type { ClaimedDelivery, Outcome } from '../delivery/delivery.js';
import { NOTICE_KINDS } from '../notification/notification.js';
import { htmlEmail, isFaultOfMessage, plainEmail } from './email.rules.js';

/** The page of the dashboard with the preferences. */
const SETTINGS_PATH = '/notifications';

/** Sends a notification by e-mail. A permanent refusal of the message or its recipient is final; other errors are retried. */
export async function emailNotification(
  { services, publicUrl, log }: AccountsRuntime,
  { email, messageId, notification }: ClaimedDelivery,
): Promise<Outcome> {
  if (!services.mailer || email === null || notification === null)
    return { isSent: false, isFinal: true, error: 'The user has no e-mail address, or no mail server is configured.' };
  const { kind, title, text, link } = notification;
  const settingsUrl = 'field' in NOTICE_KINDS[kind] ? `${publicUrl}${SETTINGS_PATH}` : undefined;
  const content = { title, text, url: link === null ? undefined : `${publicUrl}${link}`, settingsUrl };
  try {
    const bodies = { text: plainEmail(content), html: htmlEmail(content) };
    await services.mailer.send({ to: email, id: messageId, subject: title, settingsUrl, ...bodies });
    return { isSent: true };
  } catch (error) {
    log.warn({ err: error, messageId }, 'a notification could not be sent by e-mail');
    return {
      isSent: false,
      error: 'The mail server did not accept the message.',
      ...(isPermanent(error) && { isFinal: true }),
    };
  }
}

/** A refusal of the message or of its recipient. A refusal of the connection, the password or `MAIL FROM` has another command. */
function isPermanent(error: unknown): boolean {
  if (!(error instanceof Error && 'command' in error && 'response' in error)) return false;
  const isOfMessage = error.command === 'RCPT TO' || error.command === 'DATA';
  return isOfMessage && isFaultOfMessage(String(error.response));
}
