import { randomUUID } from 'node:crypto';
import type { JobDefinition } from '../../../kernel/jobs/jobs.js';
import { notFound } from '../../../kernel/errors.js';
import type { InfrastructureContext, InfrastructureRuntime } from '../services.js';
import type { OverlayCertificateRecord } from './certificate.js';
import { listCertificates } from './certificate.actions.js';
import { askNetwork, END_HOLDER } from './network.js';
import type { StepContext } from './step.actions.js';

const END_CERTIFICATE = 'end-certificate';

const REVOKE = `
  UPDATE infrastructure.overlay_certificate
     SET state = 'revoking', revoked_at = $3, sealed_key = NULL, wanted_key = NULL
   WHERE id = $1 AND user_id = $2 AND state = 'active' RETURNING reference`;

/**
 * Revokes a certificate on every machine of the private network. It stays `revoking` until network confirms. Safe to repeat.
 * @throws NOT_FOUND, also for certificates of other users
 */
export async function revokeCertificate(
  context: InfrastructureContext,
  userId: number,
  id: number,
): Promise<OverlayCertificateRecord> {
  const { database, jobs, now, log } = context;
  await database.change(async (transaction) => {
    const [revoked] = await transaction.execute(REVOKE, [id, userId, now()]);
    if (revoked) await jobs.enqueue(transaction, END_CERTIFICATE, { id }, { key: String(id) });
  });
  await endCertificate(context, id).catch((error: unknown) =>
    log.warn({ err: error, certificate: id }, 'a certificate is revoked as soon as network answers'),
  );
  const records = await listCertificates(database, userId, now());
  const record = records.find(({ certificateId }) => certificateId === id);
  if (!record) throw notFound('There is no such certificate.');
  return record;
}

const REVOKING = {
  name: 'overlay-certificate-revoking',
  text: `SELECT user_id AS "userId", reference FROM infrastructure.overlay_certificate WHERE id = $1 AND state = 'revoking'`,
};

/** Completes the revocation of a certificate in network. Safe to repeat. */
export async function endCertificate(context: StepContext, id: number): Promise<void> {
  const [found] = await context.database.rows<{ userId: number; reference: string }>(REVOKING, [id]);
  if (!found) return;
  await askNetwork(context, END_HOLDER, found);
  await context.database.change((transaction) =>
    transaction.execute(
      `UPDATE infrastructure.overlay_certificate SET state = 'revoked' WHERE id = $1 AND state = 'revoking'`,
      [id],
    ),
  );
}

/** Retries a revocation until network confirms it. */
export const END_CERTIFICATES: JobDefinition<InfrastructureRuntime> = {
  name: END_CERTIFICATE,
  lane: 'slow',
  work: ({ id }, runtime) => endCertificate({ ...runtime, requestId: randomUUID() }, Number(id)),
};
