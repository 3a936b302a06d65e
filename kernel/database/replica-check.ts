import { Client, DatabaseError } from 'pg';

/** Of the connection and of each answer. */
const TIMEOUT_MS = 5_000;

/** SQLSTATE `insufficient_privilege`. */
const FORBIDDEN = '42501';

/**
 * An expression for the database of a connection. `initdb` gives each PostgreSQL server its identifier, and replicas have that of
 * their primary; the oid tells the databases of a server apart.
 */
export const DATABASE_IDENTITY =
  "(SELECT s.system_identifier || '/' || d.oid FROM pg_control_system() s, pg_database d WHERE d.datname = current_database())";

/**
 * Finds out whether the replica has the same database. Returns what the operator must change; undefined if it has, or if one of
 * the two does not answer.
 */
export async function findReplicaProblem(databaseUrl: string, replicaUrl: string): Promise<string | undefined> {
  const [primary, replica] = await Promise.all([databaseUrl, replicaUrl].map(identityOf));
  if (primary === undefined || replica === undefined) return undefined;
  if (primary === FORBIDDEN || replica === FORBIDDEN)
    return 'DATABASE_REPLICA_URL: whether it is a replica of DATABASE_URL cannot be seen: run GRANT EXECUTE ON FUNCTION pg_control_system() TO the user of DATABASE_URL, in its database.';
  if (primary === replica) return undefined;
  const { host } = new URL(replicaUrl);
  const isOtherServer = primary.split('/')[0] !== replica.split('/')[0];
  return `DATABASE_REPLICA_URL: ${host || 'its host'} is not a replica of DATABASE_URL: it is ${isOtherServer ? 'a different PostgreSQL server' : 'another database of the same server'}. Set it to a streaming replica of DATABASE_URL, or unset it.`;
}

/** Returns the identity of a database, FORBIDDEN, or undefined if it does not answer. */
async function identityOf(url: string): Promise<string | undefined> {
  const client = new Client({
    connectionString: url,
    connectionTimeoutMillis: TIMEOUT_MS,
    query_timeout: TIMEOUT_MS,
  });
  client.on('error', () => undefined); // the calls below report the error
  try {
    await client.connect();
    const { rows } = await client.query<{ identity: string }>(`SELECT ${DATABASE_IDENTITY} AS identity`);
    return rows[0]?.identity;
  } catch (error) {
    return error instanceof DatabaseError && error.code === FORBIDDEN ? FORBIDDEN : undefined;
  } finally {
    await client.end().catch(() => undefined);
  }
}
