import type { Command } from 'commander';
import { graphql, type ResultOf } from '../../../sdk/src/index.js';
import { timeOf } from '../../failure.js';
import { withSession, type Session } from '../../session.js';

const LOGS = {
  accounts: graphql(
    'query ($since: DateTimeISO, $until: DateTimeISO, $mutation: String, $except: String, $after: String) { me { log: accountsAuditLog(first: 200, since: $since, until: $until, mutation: $mutation, except: $except, after: $after) { results { id createdAt mutation caller actor actorId tokenId requestId clientAddress userAgent argumentIds { name value } resultIds { name value } previousIds { name value } } nextCursor } } }',
  ),
  infrastructure: graphql(
    'query ($since: DateTimeISO, $until: DateTimeISO, $mutation: String, $except: String, $after: String) { me { log: infrastructureAuditLog(first: 200, since: $since, until: $until, mutation: $mutation, except: $except, after: $after) { results { id createdAt mutation caller actor actorId tokenId requestId clientAddress userAgent argumentIds { name value } resultIds { name value } previousIds { name value } } nextCursor } } }',
  ),
  network: graphql(
    'query ($since: DateTimeISO, $until: DateTimeISO, $mutation: String, $except: String, $after: String) { me { log: networkAuditLog(first: 200, since: $since, until: $until, mutation: $mutation, except: $except, after: $after) { results { id createdAt mutation caller actor actorId tokenId requestId clientAddress userAgent argumentIds { name value } resultIds { name value } previousIds { name value } } nextCursor } } }',
  ),
  sync: graphql(
    'query ($since: DateTimeISO, $until: DateTimeISO, $mutation: String, $except: String, $after: String) { me { log: syncAuditLog(first: 200, since: $since, until: $until, mutation: $mutation, except: $except, after: $after) { results { id createdAt mutation caller actor actorId tokenId requestId clientAddress userAgent argumentIds { name value } resultIds { name value } previousIds { name value } } nextCursor } } }',
  ),
};

type Entry = NonNullable<ResultOf<typeof LOGS.accounts>['me']['log']>['results'][number];

interface Filter {
  readonly since?: string;
  readonly until?: string;
  readonly mutation?: string;
  readonly except: string | null;
}

/** Sent by each session of the dashboard, a few times an hour. */
const REFRESH = 'refreshMasterToken';

interface AuditOptions extends Omit<Filter, 'except'> {
  readonly refreshes?: boolean;
}

/** Adds `audit`. */
export function addAudit(program: Command): void {
  program
    .command('audit')
    .description(
      'print what your account changed and what others changed for it, newest first; --json prints all fields',
    )
    .option('--since <time>', 'only from this time on: 2026-01-31T00:00:00Z, or 2026-01-31 for its start in UTC')
    .option('--until <time>', 'only before this time')
    .option('--mutation <name>', 'only this mutation, as createGroup')
    .option('--refreshes', 'also token refreshes of dashboard sessions')
    .action((_options, command: Command) => withSession(command, (session) => printLog(session, command.opts())));
}

async function printLog(session: Session, { refreshes, since, until, ...chosen }: AuditOptions): Promise<void> {
  const isShort = refreshes !== true && chosen.mutation === undefined;
  const filter = {
    ...chosen,
    ...(since !== undefined && { since: timeOf(since) }),
    ...(until !== undefined && { until: timeOf(until) }),
    except: isShort ? REFRESH : null,
  };
  const logs = await Promise.all(Object.entries(LOGS).map(([name, log]) => entriesOf(session, { name, log, filter })));
  const entries = logs.flat().toSorted((one, other) => (one.id < other.id ? 1 : -1));
  session.output.table(entries, [
    ['time', ({ createdAt }) => createdAt],
    ['change', ({ mutation }) => mutation],
    [
      'ids',
      ({ argumentIds, resultIds, previousIds }) =>
        [
          ...[...argumentIds, ...resultIds].map(({ name, value }) => `${name}=${value}`),
          ...previousIds.map(({ name, value }) => `before:${name}=${value}`),
        ].join(' '),
    ],
    ['by', ({ actor, caller }) => actor ?? caller],
    ['from', ({ clientAddress }) => clientAddress ?? ''],
  ]);
}

/** Reads one log to its end. */
async function entriesOf(
  { client }: Session,
  {
    name,
    log,
    filter,
  }: { readonly name: string; readonly log: (typeof LOGS)[keyof typeof LOGS]; readonly filter: Filter },
): Promise<(Entry & { readonly subgraph: string })[]> {
  const entries: (Entry & { readonly subgraph: string })[] = [];
  let after: string | null = null;
  do {
    const { me }: ResultOf<typeof LOGS.accounts> = await client.graphql(log, { ...filter, after });
    entries.push(...(me.log?.results ?? []).map((entry) => ({ subgraph: name, ...entry })));
    after = me.log?.nextCursor ?? null;
  } while (after !== null);
  return entries;
}
