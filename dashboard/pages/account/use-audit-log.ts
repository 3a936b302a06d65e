import { useClient } from 'urql';
import { done } from '../../graphql/done';
import { graphql, type ResultOf } from '../../graphql/graphql';
import { usePages, type ListPage } from '../../graphql/use-pages';

/** Sent by each session of the dashboard, a few times an hour. */
const REFRESH = 'refreshMasterToken';

const LOGS = graphql(`
  query ($since: DateTimeISO, $until: DateTimeISO, $mutation: String, $except: String, $after: String) {
    me {
      id
      accountsAuditLog(since: $since, until: $until, mutation: $mutation, except: $except, after: $after) {
        ...Entries
      }
      infrastructureAuditLog(since: $since, until: $until, mutation: $mutation, except: $except, after: $after) {
        ...Entries
      }
      networkAuditLog(since: $since, until: $until, mutation: $mutation, except: $except, after: $after) {
        ...Entries
      }
      syncAuditLog(since: $since, until: $until, mutation: $mutation, except: $except, after: $after) {
        ...Entries
      }
    }
  }
  fragment Entries on AuditPage {
    nextCursor
    results {
      id
      createdAt
      mutation
      caller
      actor
      tokenId
      requestId
      clientAddress
      userAgent
      argumentIds {
        name
        value
      }
      resultIds {
        name
        value
      }
      previousIds {
        name
        value
      }
    }
  }
`);

type Logs = ResultOf<typeof LOGS>['me'];

/** A change that the account made, or that others made for it. */
export type Entry = NonNullable<Logs['accountsAuditLog']>['results'][number];

/** Which entries to show. */
export interface Filter {
  readonly mutation: string;
  /** Days in the time zone of the browser, both of them included; empty for no bound. */
  readonly from: string;
  readonly to: string;
  /** Whether to show token refreshes. */
  readonly hasRefreshes: boolean;
}

/** The entries of all four logs in the order of their times, newest first, and the function that loads older ones. */
export function useAuditLog({ mutation, from, to, hasRefreshes }: Filter) {
  const client = useClient();
  const load = async (after: string | null) => {
    // A filter by kind may name the refreshes themselves.
    const except = !hasRefreshes && mutation === '' ? REFRESH : null;
    const values = { mutation: mutation || null, since: startOf(from, 0), until: startOf(to, 1), except, after };
    return merged((await done(client.query(LOGS, values, { requestPolicy: 'network-only' }))).me);
  };
  const { rows: entries, ...list } = usePages<Entry>(load, [client, mutation, from, to, hasRefreshes]);
  return { entries, ...list };
}

/**
 * One page of four logs. A log with a next page may have more entries than it answered: what is older than its cursor is left
 * to the next page. Ids are in the order of the times, and a cursor is an id.
 */
function merged({ accountsAuditLog, infrastructureAuditLog, networkAuditLog, syncAuditLog }: Logs): ListPage<Entry> {
  const pages = [accountsAuditLog, infrastructureAuditLog, networkAuditLog, syncAuditLog].flatMap((page) => page ?? []);
  const next =
    pages
      .flatMap(({ nextCursor }) => nextCursor ?? [])
      .toSorted()
      .at(-1) ?? null;
  const rows = pages
    .flatMap(({ results }) => results)
    .filter(({ id }) => next === null || id >= next)
    .toSorted((one, other) => (one.id < other.id ? 1 : -1));
  return { rows, next };
}

/** The beginning of a day, so many days later. */
function startOf(day: string, later: number): string | null {
  if (day === '') return null;
  const date = new Date(`${day}T00:00`);
  date.setDate(date.getDate() + later);
  return date.toISOString();
}
