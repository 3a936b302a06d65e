import { randomUUID } from 'node:crypto';
import { query } from '../../../kernel/database/query.js';
import { errorCode } from '../../../kernel/errors.js';
import type { JobDefinition } from '../../../kernel/jobs/jobs.js';
import { NOTIFY_USER } from '../calls.js';
import type { Tables } from '../entities.js';
import type { InfrastructureRuntime } from '../services.js';
import { callNetwork, HOLDER_TERMS, type CertificateTerm } from './network.js';
import { endCertificate } from './revoke.actions.js';
import { CERTIFICATE_COLUMNS, type CertificateRow } from './row.actions.js';
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
          row('wantedKey', 'is not', null),
        ]),
      )
      .where('id', '>', value.after)
      .orderBy('id')
      .limit(PAGE),
);
const IN_USE = query('overlay-certificates-in-use', (db: Tables, value: { after: number }) =>
  db
    .selectFrom('overlayCertificate')
    .select(CERTIFICATE_COLUMNS)
    .where('state', '=', 'active')
    .where('id', '>', value.after)
    .orderBy('id')
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
    (after) => database.run(PENDING_CERTIFICATES, { before, after }),
    async (rows) => {
      for (const row of rows) await resumeStep(context, row);
    },
  );
  await eachPage(
    (after) => database.run(IN_USE, { after }),
    (rows) => watchTerms(context, rows),
  );
}

async function eachPage(
  read: (after: number) => Promise<CertificateRow[]>,
  work: (rows: readonly CertificateRow[]) => Promise<void>,
): Promise<void> {
  for (let after = 0; ;) {
    const rows = await read(after);
    const last = rows.at(-1);
    if (!last) return;
    await work(rows);
    after = last.id;
  }
}

async function resumeStep(context: StepContext, row: CertificateRow): Promise<void> {
  const step = row.state === 'revoking' ? endCertificate(context, row.id) : settleCertificate(context, row);
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
    else await markLost(context, row.id);
  }
}

const NOTIFIED_DUE = query('overlay-certificate-notified-due', (db: Tables, value: { id: number; expiresAt: Date }) =>
  db
    .updateTable('overlayCertificate')
    .set((row) => ({ renewalNotifiedFor: row.ref('expiresAt') }))
    .where((row) => row.and({ id: value.id, state: 'active', expiresAt: value.expiresAt }))
    .whereRef('renewalNotifiedFor', 'is distinct from', 'expiresAt')
    .returning('id'),
);
const NOTIFIED_END = query('overlay-certificate-notified-end', (db: Tables, value: { id: number; expiresAt: Date }) =>
  db
    .updateTable('overlayCertificate')
    .set((row) => ({ expiryNotifiedFor: row.ref('expiresAt'), renewalNotifiedFor: row.ref('expiresAt') }))
    .where((row) => row.and({ id: value.id, state: 'active', expiresAt: value.expiresAt }))
    .whereRef('expiryNotifiedFor', 'is distinct from', 'expiresAt')
    .returning('id'),
);

async function watchTerm(context: StepContext, row: CertificateRow, term: CertificateTerm): Promise<void> {
  const { database, jobs, now } = context;
  const { reference, userId, id } = row;
  const expiresAt = new Date(term.expiresAt);
  await storeTerm(database, { reference, expiresAt });
  const isOver = expiresAt <= now();
  if (!isOver && !term.isDue) return;
  const day = term.expiresAt.slice(0, 10);
  await database.change(async (transaction) => {
    const [told] = await transaction.run(isOver ? NOTIFIED_END : NOTIFIED_DUE, { id, expiresAt });
    if (!told) return;
    const notice = {
      userId,
      key: `certificate:${reference}:${isOver ? 'end' : 'due'}:${term.expiresAt}`,
      title: isOver ? 'Your overlay certificate has expired' : `Renew your overlay certificate before ${day}`,
      text: isOver
        ? 'The machine that uses it can no longer reach your private network. Renew it: its address stays the same.'
        : `It is valid until ${term.expiresAt}. Renew it in time and copy the new files to your machine: its address stays the same.`,
    };
    await jobs.enqueue(transaction, NOTIFY_OWNER, notice, { key: notice.key });
  });
}

/** Notifies the owner of a certificate, once per key. */
export const NOTIFY_CERTIFICATE_OWNER: JobDefinition<InfrastructureRuntime> = {
  name: NOTIFY_OWNER,
  queue: 'slow',
  async work({ userId, key, title, text }, { callSubgraph }) {
    const notice = { key: String(key), title: String(title), text: String(text), link: '/network' };
    await callSubgraph(NOTIFY_USER, { userId: Number(userId), kind: 'account', ...notice }, randomUUID());
  },
};
