import { randomInt, randomUUID } from 'node:crypto';
import { hashToken } from '../../../../kernel/security/credentials.js';
import { badRequest, unavailable } from '../../../../kernel/errors.js';
import { countAttempt, secondsToWait, type RateLimit } from '../../identity/rate-limit/rate.actions.js';
import type { AccountsRuntime } from '../../services.js';
import { htmlEmail, plainEmail } from './email.rules.js';

/** Lifetime of a code in milliseconds, and maximum attempts. */
const CODE_TTL_MS = 15 * 60_000;
const MAX_TRIES = 5;

/** Codes per hour: for one user (more are refused), and to one address (more are silently not sent). */
const PER_USER: RateLimit = { scope: 'email-code-user', most: 5, windowSeconds: 3_600 };
const PER_ADDRESS: RateLimit = { scope: 'email-code-address', most: 20, windowSeconds: 3_600 };

/** Without characters that look alike. */
const ALPHABET = '23456789ABCDEFGHJKLMNPQRSTUVWXYZ';
const CODE_LENGTH = 8;

/** Sends a code to an address, which becomes the user's when it is confirmed. @throws UNAVAILABLE, RATE_LIMITED */
export async function sendEmailCode(runtime: AccountsRuntime, userId: number, email: string): Promise<void> {
  const { database, services, log } = runtime;
  const now = runtime.now();
  if (!services.mailer) throw unavailable('No mail server is configured.');
  await countAttempt(database, PER_USER, `${userId}`, now);
  const isFull = (await secondsToWait(database, PER_ADDRESS, { key: hashToken(email.toLowerCase()), now })) > 0;
  const code = Array.from({ length: CODE_LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');
  await database.change((transaction) =>
    transaction.execute(
      `INSERT INTO accounts.email_confirmation (user_id, email, code_hash, expires_at) VALUES ($1, $2, $3, $4)
       ON CONFLICT (user_id) DO UPDATE SET email = $2, code_hash = $3, expires_at = $4, tries = 0`,
      [userId, email, hashToken(code), new Date(now.getTime() + CODE_TTL_MS)],
    ),
  );
  // No error, so that the limit of an address cannot be observed.
  if (isFull) return;
  const title = 'Confirm your e-mail address';
  const text = `The code is ${code}\n\nIt works for 15 minutes. If you did not ask for it, do nothing.`;
  const writing = { title, text, url: undefined };
  const letter = { to: email, id: randomUUID(), subject: title, text: plainEmail(writing), html: htmlEmail(writing) };
  await services.mailer.send(letter).catch((error: unknown) => {
    log.warn({ err: error }, 'the mail server rejected a confirmation code');
    throw unavailable('The mail server rejected the message; try again later.');
  });
}

/** Confirms the address that received the code. @throws BAD_REQUEST for a wrong or expired code */
export async function confirmEmail({ database, now }: AccountsRuntime, userId: number, code: string): Promise<string> {
  // A refusal must not roll back the counted attempt.
  const email = await database.change(async (transaction) => {
    const [tried] = await transaction.execute<{ email: string; isRight: boolean }>(
      `UPDATE accounts.email_confirmation SET tries = tries + 1
        WHERE user_id = $1 AND expires_at > $2 AND tries < ${MAX_TRIES}
       RETURNING email, code_hash = $3 AS "isRight"`,
      [userId, now(), hashToken(code.trim().toUpperCase())],
    );
    if (!tried?.isRight) return undefined;
    await transaction.execute('DELETE FROM accounts.email_confirmation WHERE user_id = $1', [userId]);
    await transaction.execute('UPDATE accounts.user SET email = $2 WHERE id = $1', [userId, tried.email]);
    return tried.email;
  });
  if (email === undefined) throw badRequest('The code is wrong or expired; request a new one.');
  return email;
}
