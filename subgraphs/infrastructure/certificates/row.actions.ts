import { generateKeyPairSync, randomUUID } from 'node:crypto';
import type { Database } from '../../../kernel/database/database.js';
import { rateLimited } from '../../../kernel/errors.js';
import { pemOf } from '../../../kernel/security/host-key.js';
import type { InfrastructureContext } from '../services.js';
import { sealPurpose } from './certificate.rules.js';

/** A certificate row. The certificate itself is stored by network. */
export interface CertificateRow {
  readonly id: number;
  readonly reference: string;
  readonly userId: number;
  readonly state: 'pending' | 'active' | 'revoking' | 'revoked';
  readonly publicKey: Buffer;
  readonly sealedKey: string | null;
  readonly keyNumber: number;
  /** Replaces the key once network has issued a certificate for it. */
  readonly wantedKey: Buffer | null;
  readonly createdAt: Date;
}

/** The columns of a certificate under the names of its fields. */
export const CERTIFICATE_COLUMNS = `id, reference, user_id AS "userId", state, public_key AS "publicKey",
  sealed_key AS "sealedKey", key_number AS "keyNumber", wanted_key AS "wantedKey", created_at AS "createdAt"`;

const CERTIFICATE_OF_USER = {
  name: 'overlay-certificate-of-user',
  text: `SELECT ${CERTIFICATE_COLUMNS} FROM infrastructure.overlay_certificate
          WHERE user_id = $1 AND state IN ('pending', 'active')`,
};

/** The user's pending or active certificate. */
export async function certificateOfUser(database: Database, userId: number): Promise<CertificateRow | undefined> {
  const [row] = await database.rows<CertificateRow>(CERTIFICATE_OF_USER, [userId]);
  return row;
}

const DAY_MS = 24 * 3_600_000;

/** New certificates per user and day. A revoked certificate stays on every revocation list until it would have expired. */
const MAX_A_DAY = 24;

const ADD = `
  INSERT INTO infrastructure.overlay_certificate (reference, user_id, state, public_key, sealed_key, is_own_key, created_at)
  VALUES ($1, $2, 'pending', $3, $4, $5, $6)
  ON CONFLICT (user_id) WHERE state IN ('pending', 'active') DO NOTHING`;

/** The user's certificate row, added when there is none. Concurrent requests share one row. @throws RATE_LIMITED */
export async function openCertificate(
  { database, services, now }: InfrastructureContext,
  userId: number,
  publicKey: Buffer | undefined,
): Promise<CertificateRow> {
  const known = await certificateOfUser(database, userId);
  if (known) return known;
  const [reference, at] = [randomUUID(), now()];
  const pair = publicKey ? { publicKey, privateKey: null } : newPair();
  const sealed = pair.privateKey && services.secretBox.seal(pemOf('hostKey', pair.privateKey), sealPurpose(reference));
  return database.change(async (transaction) => {
    await transaction.execute(ADD, [reference, userId, pair.publicKey, sealed, sealed === null, at]);
    const [{ lately } = { lately: 0 }] = await transaction.execute<{ lately: number }>(
      'SELECT count(*)::integer AS lately FROM infrastructure.overlay_certificate WHERE user_id = $1 AND created_at > $2',
      [userId, new Date(at.getTime() - DAY_MS)],
    );
    if (lately > MAX_A_DAY)
      throw rateLimited(`At most ${MAX_A_DAY} certificates a day; renew your current certificate instead.`, {
        retryAfter: 3_600,
      });
    const [row] = await transaction.execute<CertificateRow>(CERTIFICATE_OF_USER.text, [userId]);
    if (!row) throw new Error('a certificate vanished while it was begun');
    return row;
  });
}

function newPair(): { readonly publicKey: Buffer; readonly privateKey: Buffer } {
  const { publicKey, privateKey } = generateKeyPairSync('x25519');
  return {
    publicKey: publicKey.export({ format: 'der', type: 'spki' }).subarray(-32),
    privateKey: privateKey.export({ format: 'der', type: 'pkcs8' }).subarray(-32),
  };
}
