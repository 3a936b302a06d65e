import { sql } from 'kysely';
import { batched } from '../concurrency/batched.js';
import type { Database } from '../database/database.js';
import { query, type Db } from '../database/query.js';
import { checkCursor, cursorPage, firstOf } from '../paging/paging.js';
import { lowestIdAt } from './time-ordered-id.js';
import { MAX_IDS } from './audit-ids.js';
import type { AuditActor, AuditCaller, AuditEntry, AuditEntryRow, AuditPage } from './audit-entry.js';

type Tables = Db<{ auditEntry: AuditEntryRow }>;

/** An entry before it is stored. `argumentIds` and `resultIds` are JSON; triggers record the previous ids. */
export interface NewAuditEntry {
  readonly id: string;
  readonly userId: number;
  readonly createdAt: Date;
  readonly mutation: string;
  readonly caller: AuditCaller;
  readonly actor: AuditActor | null;
  readonly actorId: number | null;
  readonly tokenId: string | null;
  readonly requestId: string;
  readonly clientAddress: string | null;
  readonly userAgent: string | null;
  readonly argumentIds: string;
  readonly resultIds: string;
}

const COLUMNS = [
  'id',
  'userId',
  'createdAt',
  'mutation',
  'caller',
  'actor',
  'actorId',
  'tokenId',
  'requestId',
  'clientAddress',
  'userAgent',
  'argumentIds',
  'resultIds',
  'previousIds',
] as const;

/** The ids that triggers of the transaction recorded, each after a comma. */
const PREVIOUS_IDS = sql<AuditEntryRow['previousIds']>`
  jsonb_path_query_array(('[' || ltrim(coalesce(current_setting('archipelago.previous_ids', true), ''), ',') || ']')::jsonb,
    ${sql.lit(`$[0 to ${MAX_IDS - 1}]`)})`;

/** Adds the entry if the transaction has changed something: PostgreSQL assigns its id at the first write. */
export const INSERT_AUDIT_ENTRY = query('insert-audit-entry', (db: Tables, value: NewAuditEntry) =>
  db
    .insertInto('auditEntry')
    .columns(COLUMNS)
    .expression(
      db
        .selectNoFrom([
          sql<string>`${value.id}::uuid`.as('id'),
          sql<number>`${value.userId}::integer`.as('userId'),
          sql<Date>`${value.createdAt}::timestamptz`.as('createdAt'),
          sql<string>`${value.mutation}`.as('mutation'),
          sql<AuditCaller>`${value.caller}`.as('caller'),
          sql<AuditActor>`${value.actor}`.as('actor'),
          sql<number>`${value.actorId}::integer`.as('actorId'),
          sql<string>`${value.tokenId}`.as('tokenId'),
          sql<string>`${value.requestId}`.as('requestId'),
          sql<string>`${value.clientAddress}`.as('clientAddress'),
          sql<string>`${value.userAgent}`.as('userAgent'),
          sql<AuditEntryRow['argumentIds']>`${value.argumentIds}::jsonb`.as('argumentIds'),
          sql<AuditEntryRow['resultIds']>`${value.resultIds}::jsonb`.as('resultIds'),
          PREVIOUS_IDS.as('previousIds'),
        ])
        .where(sql<boolean>`pg_current_xact_id_if_assigned() IS NOT NULL`),
    ),
);

/** Entries of a user, newest first. */
interface Range {
  readonly userId: number;
  readonly from: string;
  readonly before: string;
  readonly mutation: string | null;
  readonly except: string | null;
  readonly limit: number;
}

/** The ranges of a request: the arrays have the same length. */
type Ranges = { readonly [Name in keyof Range as `${Name}s`]: readonly Range[Name][] };

/** The primary key provides the order of each range. */
const LIST = query('list-audit-entries', (db: Tables, value: Ranges) =>
  db
    .selectFrom(
      sql<Range & { readonly place: number }>`
        unnest(${value.userIds}::integer[], ${value.froms}::uuid[], ${value.befores}::uuid[], ${value.mutations}::text[],
               ${value.excepts}::text[], ${value.limits}::integer[])
        WITH ORDINALITY`.as<'range'>(sql`range (user_id, start, before, mutation, exception, entries, place)`),
    )
    .innerJoinLateral(
      (eb) =>
        eb
          .selectFrom('auditEntry as e')
          .select(COLUMNS.map((column) => `e.${column}` as const))
          .whereRef('e.userId', '=', 'range.userId')
          .where('e.id', '>=', sql<string>`range.start`)
          .where('e.id', '<', sql<string>`range.before`)
          .where(sql<boolean>`(range.mutation IS NULL OR e.mutation = range.mutation)`)
          .where(sql<boolean>`e.mutation IS DISTINCT FROM range.exception`)
          .orderBy('e.id', 'desc')
          .limit(sql<number>`range.entries`)
          .as('entry'),
      (on) => on.onTrue(),
    )
    .select(COLUMNS.map((column) => `entry.${column}` as const))
    .select(sql<number>`range.place::integer`.as('place'))
    .orderBy('range.place')
    .orderBy('entry.id', 'desc'),
);

const loadEntries = batched(async ({ database }: AuditReader, ranges: readonly Range[]) => {
  const found = ranges.map((): AuditEntry[] => []);
  const rows = await database.run(LIST, {
    userIds: ranges.map(({ userId }) => userId),
    froms: ranges.map(({ from }) => from),
    befores: ranges.map(({ before }) => before),
    mutations: ranges.map(({ mutation }) => mutation),
    excepts: ranges.map(({ except }) => except),
    limits: ranges.map(({ limit }) => limit),
  });
  for (const { place, ...entry } of rows) found[place - 1]?.push(entry);
  return found;
});

/** A requested page of an audit log. */
export interface AuditPageRequest {
  readonly first?: number | null;
  readonly after?: string | null;
  readonly since?: Date | null;
  readonly until?: Date | null;
  readonly mutation?: string | null;
  readonly except?: string | null;
}

const EARLIEST = new Date(0);
const LATEST = new Date('9999-12-31T00:00:00Z');

/** The user id of the entries of services and anonymous callers. */
export const NO_USER_ID = 0;

/** The context of a request. */
export interface AuditReader {
  readonly database: Pick<Database, 'run'>;
}

/**
 * Returns a page of the entries of a user, newest first, or of `NO_USER_ID`. The pages of a request are read together.
 * @throws BAD_REQUEST for an invalid `first` or `after`
 */
export async function listAuditEntries(
  context: AuditReader,
  userId: number,
  request: AuditPageRequest,
): Promise<AuditPage> {
  const limit = firstOf(request.first);
  const found = (await loadEntries(context, { userId, ...rangeOf(request), limit: limit + 1 })) ?? [];
  return cursorPage(found, limit, ({ id }) => id);
}

function rangeOf({ after, since, until, mutation = null, except = null }: AuditPageRequest) {
  const end = lowestIdAt(until ?? LATEST);
  const cursor = checkCursor(after, isEntryId) ?? end;
  return { from: lowestIdAt(since ?? EARLIEST), before: cursor < end ? cursor : end, mutation, except };
}

function isEntryId(text: string): boolean {
  return /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/.test(text);
}
