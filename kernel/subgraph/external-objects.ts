import type { Config } from '../config/config.js';
import type { Database } from '../database/database.js';
import type { Query } from '../database/query.js';

/** An object outside the database that a row names. */
export interface ExternalObject {
  readonly key: string;
  readonly sizeBytes: number;
  /** BLAKE3 in hex. */
  readonly hash: string;
}

/** The objects of a subgraph outside the database, for backups. */
export interface ExternalObjects<Own = unknown> {
  /** Selects the key, the size in bytes and the BLAKE3 in hex of each object, in this order. */
  readonly select: Query<object, unknown>;
  /** Opens their store, without a connection to the database. */
  open(own: Own, shared: Config): Promise<ExternalStore>;
}

export interface ExternalStore {
  /** Whether it has no objects and belongs to no database. */
  isEmpty(): Promise<boolean>;
  /** Bytes of an object. Fails if it is missing or, at its end, if it differs from its hash. */
  read(object: ExternalObject): AsyncIterable<Buffer>;
  /** Writes an object, and replaces the one of an interrupted restore. It is durable when this resolves. Fails if it differs from its hash. */
  write(object: ExternalObject, bytes: AsyncIterable<Buffer>): Promise<void>;
  /** Ties the store and the restored database to each other. @throws ConfigError if the store belongs to another database */
  claim(database: Database): Promise<void>;
}

/** The advisory lock that a backup holds. While it is held, no object that rows of its snapshot may name is removed. */
export const BACKUP_LOCK = 7_266_041_204;
