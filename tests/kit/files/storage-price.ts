import { ADMIN_TOKEN, type Arrangement, type RunningPlatform } from '../arrangements.js';
import { startOnDatabase, startOnDatabases } from '../database/own-database.js';
import { asAdmin, type Json } from '../platform.js';
import type { SignedIn } from '../accounts/wallet.js';

/** Value of `X-Billing-Bypass` for this platform. */
export const BILLING_BYPASS_SECRET = 'the-bypass-secret-of-the-tests';

/** A separate platform, because the price applies to all users. */
export interface PaidPlatform extends Pick<RunningPlatform, 'url' | 'subgraphUrls' | 'processes'> {
  readonly adminToken: string;
  /** Database URL of each subgraph. */
  readonly databaseUrls: Readonly<Record<'accounts' | 'sync', string>>;
  /** Log lines so far. */
  log(): Json[];
  stop(): Promise<void>;
}

/** Starts the platform with log level info. */
export async function startPlatform(arrangement: Arrangement): Promise<PaidPlatform> {
  const env = { LOG_LEVEL: 'info', BILLING_BYPASS_SECRET };
  const running = arrangement === 'in process' ? await startOnDatabase(env) : await startOnDatabases(env);
  const output = () => running.processes.map((process) => process.output()).join('\n');
  const databaseOf = (name: string): string =>
    'databaseUrl' in running ? running.databaseUrl : (running.databaseUrls[name] ?? '');
  return {
    ...running,
    adminToken: ADMIN_TOKEN,
    databaseUrls: { accounts: databaseOf('accounts'), sync: databaseOf('sync') },
    log: () =>
      output()
        .split('\n')
        .filter((line) => line.startsWith('{') && line.endsWith('}'))
        .map((line) => JSON.parse(line)),
  };
}

/** Sets the price of storage. */
export async function setPrice(price: string | null, url: string): Promise<void> {
  const set = 'mutation ($price: Decimal) { adminSetStoragePrice(creditsPerGibMonth: $price) { changedAt } }';
  await asAdmin(set, { price }, url);
}

/** Grants credits to a user of that platform. */
export async function grantAt({ substrateAddress }: SignedIn, credits: string, url: string): Promise<void> {
  const grant = `mutation ($to: String!, $credits: Decimal!) {
    adminGrantCredits(substrateAddress: $to, credits: $credits, reason: "a test") { balance }
  }`;
  await asAdmin(grant, { to: substrateAddress, credits }, url);
}

/** Records usage as if this many days had passed. */
export async function recordAt(daysAhead: number, url: string): Promise<Json> {
  const run = `mutation ($at: DateTimeISO) { adminRunStorageUsage(at: $at) { closedDays recorded skipped } }`;
  // One second past the day boundary; at the 31-day limit, one second before it.
  const at =
    daysAhead === 0 ? null : new Date(Date.now() + daysAhead * 24 * 3_600_000 + (daysAhead < 31 ? 1000 : -1000));
  return (await asAdmin(run, { at }, url)).adminRunStorageUsage;
}
