import { randomUUID } from 'node:crypto';
import { query } from '../../../kernel/database/query.js';
import { errorCode } from '../../../kernel/errors.js';
import type { JobDefinition } from '../../../kernel/jobs/jobs.js';
import { NOTIFY_USER } from '../calls.js';
import type { Tables } from '../entities.js';
import type { OwnedRow } from '../owned-row.rules.js';
import type { InfrastructureRuntime } from '../services.js';
import { callNetwork, HOLDER_TERMS, type CertificateTerm } from './network.js';
import { endCertificate } from './revoke.actions.js';
import { CERTIFICATE_COLUMNS, type CertificateRow } from './certificate-row.actions.js';
import { markLost, storeTerm, settleCertificate, type StepContext } from './step.actions.js';

const NOTIFY_OWNER = 'tell-certificate-owner';

/** Certificates per query. */
const PAGE = 200;

/** Milliseconds for which a pending certificate is left to the request that created it. */
const TIMEOUT_MS = 60_000;

const PENDING_CERTIFICATES = query(
  'overlay-certificates-on-the-way',
  (db: Tables, value: { before: Date; after: number }) =>
    db
      .selectFrom('overlayCertificate')
      .select(CERTIFICATE_COLUMNS)
      .where((row) =>
        row.or([
          row.and([row('state', '=', 'pending'), row('createdAt', '<', value.before)]),
          row('state', '=', 'revoking'),
          row('requestedKey', 'is not', null),
        ]),
      )
      .where('id', '>', value.after)
      .orderBy('id')
      .limit(PAGE),
);
/** A user has at most one. */
const IN_USE = query('overlay-certificates-in-use', (db: Tables, value: { afterUser: number }) =>
  db
    .selectFrom('overlayCertificate')
    .select(CERTIFICATE_COLUMNS)
    .where('state', '=', 'active')
    .where('userId', '>', value.afterUser)
    .orderBy('userId')
    .limit(PAGE),
);

/** Completes interrupted steps, and notifies owners when renewal is due and when a certificate has expired. */
export const WATCH_CERTIFICATES: JobDefinition<InfrastructureRuntime> = {
  name: 'watch-certificates',
  cron: '*/10 * * * *',
  queue: 'slow',
  runsAtStart: true,
  work: (_data, runtime) => watchCertificates({ ...runtime, requestId: randomUUID() }),
};

/** Checks every certificate once. A failure is logged and left to the next run. */
export async function watchCertificates(context: StepContext): Promise<void> {
  const { database, now } = context;
  const before = new Date(now().getTime() - TIMEOUT_MS);
  await eachPage(
    ({ id }) => database.run(PENDING_CERTIFICATES, { before, after: id }),
    async (rows) => {
      for (const row of rows) await resumeStep(context, row);
    },
  );
  await eachPage(
    ({ userId }) => database.run(IN_USE, { afterUser: userId }),
    (rows) => watchTerms(context, rows),
  );
}

async function eachPage(
  read: (after: OwnedRow) => Promise<CertificateRow[]>,
  work: (rows: readonly CertificateRow[]) => Promise<void>,
): Promise<void> {
  for (let after: OwnedRow = { userId: 0, id: 0 }; ;) {
    const rows = await read(after);
    const last = rows.at(-1);
    if (!last) return;
    await work(rows);
    after = last;
  }
}

async function resumeStep(context: StepContext, row: CertificateRow): Promise<void> {
  const step = row.state === 'revoking' ? endCertificate(context, row) : settleCertificate(context, row);
  await step.catch((error: unknown) => {
    // Refused: the step was removed; the next request returns the reason.
    if (errorCode(error) !== 'CONFLICT')
      context.log.warn({ err: error, certificate: row.id }, 'a certificate waits for network');
  });
}

async function watchTerms(context: StepContext, rows: readonly CertificateRow[]): Promise<void> {
  const references = rows.map(({ reference }) => reference);
  const terms = await callNetwork(context, HOLDER_TERMS, { references });
  const byReference = new Map(terms.map((term) => [term.reference, term]));
  for (const row of rows) {
    const term = byReference.get(row.reference);
    if (term) await watchTerm(context, row, term);
    else await markLost(context, row);
  }
}

const NOTIFIED_DUE = query(
  'overlay-certificate-notified-due',
  (db: Tables, { userId, id, expiresAt }: OwnedRow & { expiresAt: Date }) =>
    db
      .updateTable('overlayCertificate')
      .set((row) => ({ renewalNotifiedFor: row.ref('expiresAt') }))
      .where((row) => row.and({ userId, id, state: 'active', expiresAt }))
      .whereRef('renewalNotifiedFor', 'is distinct from', 'expiresAt')
      .returning('id'),
);
const NOTIFIED_END = query(
  'overlay-certificate-notified-end',
  (db: Tables, { userId, id, expiresAt }: OwnedRow & { expiresAt: Date }) =>
    db
      .updateTable('overlayCertificate')
      .set((row) => ({ expiryNotifiedFor: row.ref('expiresAt'), renewalNotifiedFor: row.ref('expiresAt') }))
      .where((row) => row.and({ userId, id, state: 'active', expiresAt }))
      .whereRef('expiryNotifiedFor', 'is distinct from', 'expiresAt')
      .returning('id'),
);

async function watchTerm(context: StepContext, row: CertificateRow, term: CertificateTerm): Promise<void> {
  const { database, jobs, now } = context;
  const { reference, userId, id } = row;
  const expiresAt = new Date(term.expiresAt);
  await storeTerm(database, { userId, reference, expiresAt });
  const isOver = expiresAt <= now();
  if (!isOver && !term.isDue) return;
  const day = term.expiresAt.slice(0, 10);
  await database.change(async (transaction) => {
    const [marked] = await transaction.run(isOver ? NOTIFIED_END : NOTIFIED_DUE, { userId, id, expiresAt });
    if (!marked) return;
    const notice = {
      userId,
      key: `certificate:${reference}:${isOver ? 'end' : 'due'}:${term.expiresAt}`,
      title: isOver ? 'Your overlay certificate has expired' : `Renew your overlay certificate before ${day}`,
      text: isOver
        ? 'The machine that uses it can no longer reach your private network. Renew it: its address stays the same.'
        : `It is valid until ${term.expiresAt}. Renew it in time and copy the new files to your machine: its address stays the same.`,
    };
    await jobs.enqueue(
      transaction,
      NOTIFY_OWNER,
      { ...notice, ...(isOver && { severity: 'critical' }) },
      { key: notice.key },
    );
  });
}

/** Notifies the owner of a certificate, once per key. */
export const NOTIFY_CERTIFICATE_OWNER: JobDefinition<InfrastructureRuntime> = {
  name: NOTIFY_OWNER,
  async work({ userId, key, title, text, severity }, { callSubgraph }) {
    const notice = {
      key: String(key),
      title: String(title),
      text: String(text),
      link: '/network',
      severity: severity === 'critical' ? severity : null,
    } as const;
    await callSubgraph(NOTIFY_USER, { userId: Number(userId), kind: 'account', ...notice }, randomUUID());
  },
};
