import type { GraphQLFieldResolver } from 'graphql';
import type { Database, Statement, Transaction } from '../database/database.js';
import type { Snapshot } from '../database/in-transaction.js';
import { isWrite, type Query } from '../database/query.js';
import { hasRole, type Viewer } from '../security/viewer.js';
import { INSERT_AUDIT_ENTRY, NO_USER_ID, type NewAuditEntry } from './audit.actions.js';
import type { AuditActor, AuditCaller, AuditId } from './audit-entry.js';
import { timeOrderedId } from './time-ordered-id.js';
import { argumentIdsIn, resultIdsIn } from './audit-ids.js';

/** The part of a resolver's context that entries are made from. */
interface AuditedContext {
  readonly viewer: Viewer;
  readonly database: Database;
  readonly requestId: string;
  readonly clientAddress: string;
  readonly userAgent: string | undefined;
  readonly now: () => Date;
}

export type MutationResolver = GraphQLFieldResolver<unknown, AuditedContext>;

/** Returns the resolver of a mutation whose transactions add its entry to the audit log. */
export function audited(mutation: string, resolve: MutationResolver): MutationResolver {
  return (source, args: Readonly<Record<string, unknown>>, context, info) => {
    const database = new AuditedDatabase(context.database, (result) => entriesOf(context, { mutation, args, result }));
    return resolve(source, args, { ...context, database }, info);
  };
}

/** Returns the database without the audit log, for counters: they are not changes that a user made. */
export function unaudited<Part>(database: Part): Part {
  return database instanceof AuditedDatabase ? (database.plain as Part) : database;
}

/** Adds an audit entry to the first transaction that writes, in the same commit: one entry in the log of each user. */
class AuditedDatabase implements Database {
  /** The users whose logs have the entry. */
  private readonly entered = new Set<number>();

  constructor(
    readonly plain: Database,
    private readonly newEntries: (result: unknown) => readonly NewAuditEntry[],
  ) {}

  async change<Result>(work: (transaction: Transaction) => Promise<Result>, owner?: string): Promise<Result> {
    let entries: readonly NewAuditEntry[] = [];
    const answer = await this.plain.change(async (transaction) => {
      const result = await work(transaction);
      if (!transaction.hasWritten) return result;
      entries = this.newEntries(result).filter(({ userId }) => !this.entered.has(userId));
      for (const entry of entries) await transaction.run(INSERT_AUDIT_ENTRY, entry);
      return result;
    }, owner);
    for (const { userId } of entries) this.entered.add(userId);
    return answer;
  }

  run<Values extends object, Row>(query: Query<Values, Row>, values: Values): Promise<Row[]> {
    if (!isWrite(query)) return this.plain.run(query, values);
    return this.change((transaction) => transaction.run(query, values));
  }

  rows<Row extends object>(statement: Statement, values?: readonly unknown[]): Promise<Row[]> {
    return this.plain.rows(statement, values);
  }

  snapshot<Result>(read: (snapshot: Snapshot) => Promise<Result>): Promise<Result> {
    return this.plain.snapshot(read);
  }

  check(): Promise<void> {
    return this.plain.check();
  }

  close(): Promise<void> {
    return this.plain.close();
  }
}

interface AuditedMutation {
  readonly mutation: string;
  readonly args: Readonly<Record<string, unknown>>;
  readonly result: unknown;
}

/** Returns the entries for the log of the caller and for the logs of other users whose things the transaction changed. */
function entriesOf(context: AuditedContext, call: AuditedMutation): readonly NewAuditEntry[] {
  const { viewer, requestId, clientAddress, userAgent, now } = context;
  const createdAt = now();
  const resultIds = resultIdsIn(call.result);
  const own = ownLogOf(viewer);
  const others = usersIn(viewer.kind === 'platform' ? argumentIdsIn(call.args) : resultIds).filter((id) => id !== own);
  const entry = {
    id: timeOrderedId(createdAt),
    createdAt,
    mutation: call.mutation,
    caller: callerOf(viewer),
    tokenId: 'tokenId' in viewer ? viewer.tokenId : null,
    requestId,
    clientAddress: clientAddress === '' ? null : clientAddress,
    userAgent: userAgent ?? null,
    argumentIds: JSON.stringify(argumentIdsIn(call.args)),
    resultIds: JSON.stringify(resultIds),
  };
  // A sign-in or a joining machine is in the log of its user only.
  if (viewer.kind === 'anonymous')
    return (others.length > 0 ? others : [NO_USER_ID]).map((userId) => ({
      ...entry,
      userId,
      actor: null,
      actorId: null,
    }));
  const actor = actorOf(viewer);
  const actorId = viewer.kind === 'user' ? viewer.userId : null;
  const entries = others.map((userId) => ({ ...entry, userId, actor, actorId }));
  return own === undefined ? entries : [{ ...entry, userId: own, actor: null, actorId: null }, ...entries];
}

/** The log of the caller; undefined: the platform has none. */
function ownLogOf(viewer: Viewer): number | undefined {
  if (viewer.kind === 'platform') return undefined;
  return viewer.kind === 'user' ? viewer.userId : NO_USER_ID;
}

/** The users among ids. */
function usersIn(ids: readonly AuditId[]): number[] {
  const users = ids.filter(({ name }) => name === 'user.id' || name === 'userId').map(({ value }) => Number(value));
  return [...new Set(users)];
}

function actorOf(viewer: Exclude<Viewer, { kind: 'anonymous' }>): AuditActor {
  if (viewer.kind === 'platform') return 'PLATFORM';
  if (hasRole(viewer, 'ADMIN')) return 'ADMINISTRATOR';
  return viewer.kind === 'service' ? 'SERVICE' : 'USER';
}

function callerOf(viewer: Viewer): AuditCaller {
  if (viewer.kind === 'user') return viewer.isSession ? 'SESSION' : 'API_TOKEN';
  return ({ service: 'SERVICE_TOKEN', anonymous: 'ANONYMOUS', platform: 'PLATFORM' } as const)[viewer.kind];
}
