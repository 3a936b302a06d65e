import { randomInt, randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { unaudited } from '../../../../kernel/audit/audited.js';
import { query } from '../../../../kernel/database/query.js';
import { hashToken } from '../../../../kernel/security/credentials.js';
import { badRequest, unavailable } from '../../../../kernel/errors.js';
import type { Tables } from '../../entities.js';
import { countAttempt, tryCountAttempt, type RateLimit } from '../../identity/rate-limit/rate.actions.js';
import type { AccountsRuntime } from '../../services.js';
import type { EmailConfirmationRow } from '../rows.js';
import { htmlEmail, plainEmail } from './email.rules.js';

/** Lifetime of a code in milliseconds, and maximum attempts. */
const CODE_TTL_MS = 15 * 60_000;
const MAX_TRIES = 5;

/** Codes per hour: for one user (more are refused), and to one address (more are silently not sent). */
const PER_USER: RateLimit = { scope: 'email-code-user', max: 5, windowSeconds: 3_600 };
const PER_ADDRESS: RateLimit = { scope: 'email-code-address', max: 20, windowSeconds: 3_600 };

/** Without characters that look alike. */
const ALPHABET = '23456789ABCDEFGHJKLMNPQRSTUVWXYZ';
const CODE_LENGTH = 8;

const SAVE_CODE = query(
  'save-email-code',
  (db: Tables, { userId, email, codeHash, expiresAt }: Omit<EmailConfirmationRow, 'tries'>) =>
    db
      .insertInto('emailConfirmation')
      .values({ userId, email, codeHash, expiresAt })
      .onConflict((on) => on.column('userId').doUpdateSet({ email, codeHash, expiresAt, tries: sql.lit(0) })),
);

/** Sends a code to an address, which becomes the user's when it is confirmed. @throws UNAVAILABLE, RATE_LIMITED */
export async function sendEmailCode(runtime: AccountsRuntime, userId: number, email: string): Promise<void> {
  const { database, services, log } = runtime;
  const now = runtime.now();
  if (!services.mailer) throw unavailable('No mail server is configured: SMTP_URL is not set.');
  await countAttempt(database, PER_USER, `${userId}`, now);
  const isFull = (await tryCountAttempt(database, PER_ADDRESS, { key: hashToken(email.toLowerCase()), now })) > 0;
  const code = Array.from({ length: CODE_LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');
  const saved = { userId, email, codeHash: hashToken(code), expiresAt: new Date(now.getTime() + CODE_TTL_MS) };
  await database.change((transaction) => transaction.run(SAVE_CODE, saved));
  // No error, so that the limit of an address cannot be observed.
  if (isFull) return;
  const title = 'Confirm your e-mail address';
  const text = `The code is ${code}\n\nIt works for 15 minutes. If you did not ask for it, do nothing.`;
  const content = { title, text, url: undefined };
  const message = { to: email, id: randomUUID(), subject: title, text: plainEmail(content), html: htmlEmail(content) };
  await services.mailer.send(message).catch((error: unknown) => {
    log.warn({ err: error }, 'a confirmation code could not be sent by e-mail');
    throw unavailable('The mail server did not accept the message; try again later.');
  });
}

const TRY_CODE = query('try-email-code', (db: Tables, value: { userId: number; codeHash: string; now: Date }) =>
  db
    .updateTable('emailConfirmation')
    .set({ tries: sql`tries + 1` })
    .where('userId', '=', value.userId)
    .where('expiresAt', '>', value.now)
    .where('tries', '<', sql.lit(MAX_TRIES))
    .returning(sql<boolean>`code_hash = ${value.codeHash}`.as('isRight')),
);

const TAKE_CODE = query('take-email-code', (db: Tables, value: { userId: number; codeHash: string }) =>
  db
    .deleteFrom('emailConfirmation')
    .where('userId', '=', value.userId)
    .where('codeHash', '=', value.codeHash)
    .returning('email'),
);

const SET_EMAIL = query('set-confirmed-email', (db: Tables, value: { userId: number; email: string }) =>
  db.updateTable('user').set({ email: value.email }).where('id', '=', value.userId),
);

/** Confirms the address that received the code. @throws BAD_REQUEST for a wrong or expired code */
export async function confirmEmail({ database, now }: AccountsRuntime, userId: number, code: string): Promise<string> {
  const codeHash = hashToken(code.trim().toUpperCase());
  // A refusal must not roll back the counted attempt.
  const [tried] = await unaudited(database).run(TRY_CODE, { userId, codeHash, now: now() });
  if (!tried?.isRight) throw wrongCode();
  return database.change(async (transaction) => {
    const [taken] = await transaction.run(TAKE_CODE, { userId, codeHash });
    // A concurrent request took it.
    if (!taken) throw wrongCode();
    await transaction.run(SET_EMAIL, { userId, email: taken.email });
    return taken.email;
  });
}

const REMOVE_EMAIL = query('remove-email', (db: Tables, value: { userId: number }) =>
  db.updateTable('user').set({ email: null }).where('id', '=', value.userId),
);

const REMOVE_CODE = query('remove-email-code', (db: Tables, value: { userId: number }) =>
  db.deleteFrom('emailConfirmation').where('userId', '=', value.userId),
);

/** Removes the user's address, and a code that was sent to another one. */
export async function removeEmail({ database }: AccountsRuntime, userId: number): Promise<void> {
  await database.change(async (transaction) => {
    await transaction.run(REMOVE_CODE, { userId });
    await transaction.run(REMOVE_EMAIL, { userId });
  });
}

function wrongCode(): Error {
  return badRequest('The code is wrong or expired; request a new one.');
}
