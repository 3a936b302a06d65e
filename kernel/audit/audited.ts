import type { GraphQLFieldResolver } from 'graphql';
import type { Database, Statement, Transaction } from '../database/database.js';
import type { Snapshot } from '../database/in-transaction.js';
import { isWrite, type Query } from '../database/query.js';
import type { Viewer } from '../security/viewer.js';
import { INSERT_AUDIT_ENTRY, type NewAuditEntry } from './audit.actions.js';
import type { AuditCaller, AuditId } from './audit-entry.js';
import { timeOrderedId } from './time-ordered-id.js';
import { argumentIdsIn, resultIdsIn } from './audit-ids.js';

/** Mutations that the log leaves out: a machine reports its state; a chunk shows only when its upload is finalized, which is logged. */
export const UNAUDITED: ReadonlySet<string> = new Set(['reportConfiguration', 'uploadChunk']);

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

/** Returns the resolver of a mutation, whose transactions add an entry to the audit log. Calls of other subgraphs are part of the mutation that made them. */
export function audited(mutation: string, resolve: MutationResolver): MutationResolver {
  if (UNAUDITED.has(mutation)) return resolve;
  return (source, args: Readonly<Record<string, unknown>>, context, info) => {
    if (context.viewer.kind === 'platform') return resolve(source, args, context, info);
    const database = new AuditedDatabase(context.database, (result) => entryOf(context, { mutation, args, result }));
    return resolve(source, args, { ...context, database }, info);
  };
}

/** Returns the database without the audit log, for counters that are no change of anybody's. */
export function unaudited<Part>(database: Part): Part {
  return database instanceof AuditedDatabase ? (database.plain as Part) : database;
}

/** A database whose transactions add an entry to the audit log, in the same commit. */
class AuditedDatabase implements Database {
  constructor(
    readonly plain: Database,
    private readonly newEntry: (result: unknown) => NewAuditEntry,
  ) {}

  change<Result>(work: (transaction: Transaction) => Promise<Result>): Promise<Result> {
    return this.plain.change(async (transaction) => {
      const result = await work(transaction);
      await transaction.run(INSERT_AUDIT_ENTRY, this.newEntry(result));
      return result;
    });
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

interface Call {
  readonly mutation: string;
  readonly args: Readonly<Record<string, unknown>>;
  readonly result: unknown;
}

function entryOf({ viewer, requestId, clientAddress, userAgent, now }: AuditedContext, call: Call): NewAuditEntry {
  const createdAt = now();
  const resultIds = resultIdsIn(call.result);
  return {
    id: timeOrderedId(createdAt),
    userId: userIdOf(viewer, resultIds),
    createdAt,
    mutation: call.mutation,
    caller: callerOf(viewer),
    tokenId: 'tokenId' in viewer ? viewer.tokenId : null,
    requestId,
    clientAddress,
    userAgent: userAgent ?? null,
    argumentIds: JSON.stringify(argumentIdsIn(call.args)),
    resultIds: JSON.stringify(resultIds),
  };
}

/** The user who called; for a sign-in the user whom its result names. */
function userIdOf(viewer: Viewer, resultIds: readonly AuditId[]): number {
  if (viewer.kind === 'user') return viewer.userId;
  const named = viewer.kind === 'anonymous' && resultIds.find(({ name }) => name === 'user.id' || name === 'userId');
  return named ? Number(named.value) : 0;
}

function callerOf(viewer: Viewer): AuditCaller {
  if (viewer.kind === 'user') return viewer.isSession ? 'SESSION' : 'API_TOKEN';
  return viewer.kind === 'service' ? 'SERVICE_TOKEN' : 'ANONYMOUS';
}
