import { randomUUID } from 'node:crypto';
import { query } from '../../../kernel/database/query.js';
import type { JobDefinition } from '../../../kernel/jobs/jobs.js';
import { notFound } from '../../../kernel/errors.js';
import type { Tables } from '../entities.js';
import { ownedRow, type OwnedRow } from '../owned-row.rules.js';
import type { InfrastructureContext, InfrastructureRuntime } from '../services.js';
import type { OverlayCertificateRecord } from './certificate.js';
import { listCertificates } from './certificate.actions.js';
import { callNetwork, END_HOLDER } from './network.js';
import type { StepContext } from './step.actions.js';

const END_CERTIFICATE = 'end-certificate';

const REVOKE = query('revoke-overlay-certificate', (db: Tables, value: { id: number; userId: number; now: Date }) =>
  db
    .updateTable('overlayCertificate')
    .set({ state: 'revoking', revokedAt: value.now, sealedKey: null, requestedKey: null })
    .where((row) => row.and({ id: value.id, userId: value.userId, state: 'active' }))
    .returning('reference'),
);

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
    const [revoked] = await transaction.run(REVOKE, { id, userId, now: now() });
    if (revoked) await jobs.enqueue(transaction, END_CERTIFICATE, { userId, id }, { key: String(id) });
  });
  await endCertificate(context, { userId, id }).catch((error: unknown) =>
    log.warn({ err: error, certificate: id }, 'a certificate is revoked as soon as network answers'),
  );
  const records = await listCertificates(database, userId, now());
  const record = records.find(({ certificateId }) => certificateId === id);
  if (!record) throw notFound('There is no such certificate.');
  return record;
}

const REVOKING = query('overlay-certificate-revoking', (db: Tables, { userId, id }: OwnedRow) =>
  db
    .selectFrom('overlayCertificate')
    .select(['userId', 'reference'])
    .where((row) => row.and({ userId, id, state: 'revoking' })),
);

const REVOKED = query('overlay-certificate-revoked', (db: Tables, { userId, id }: OwnedRow) =>
  db
    .updateTable('overlayCertificate')
    .set({ state: 'revoked' })
    .where((row) => row.and({ userId, id, state: 'revoking' })),
);

/** Completes the revocation of a certificate in network. Safe to repeat. */
export async function endCertificate(context: StepContext, row: OwnedRow): Promise<void> {
  const [found] = await context.database.run(REVOKING, row);
  if (!found) return;
  await callNetwork(context, END_HOLDER, found);
  await context.database.change((transaction) => transaction.run(REVOKED, row));
}

/** Retries a revocation until network confirms it. */
export const END_CERTIFICATES: JobDefinition<InfrastructureRuntime> = {
  name: END_CERTIFICATE,
  queue: 'slow',
  work: (data, runtime) => endCertificate({ ...runtime, requestId: randomUUID() }, ownedRow(data)),
};
