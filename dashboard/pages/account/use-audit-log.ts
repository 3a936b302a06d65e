import { useEffect, useState } from 'react';
import { useClient } from 'urql';
import { done } from '../../graphql/done';
import { graphql, type ResultOf } from '../../graphql/graphql';

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

interface Log {
  readonly entries: readonly Entry[];
  /** Where the next page begins. */
  readonly next: string | null;
}

/** The entries of all four logs in the order of their times, newest first, and the function that loads older ones. */
export function useAuditLog({ mutation, from, to, hasRefreshes }: Filter) {
  const client = useClient();
  const [log, setLog] = useState<Log>();
  const [error, setError] = useState<unknown>();
  const load = async (after: string | null): Promise<Log> => {
    // A filter by kind may name the refreshes themselves.
    const except = !hasRefreshes && mutation === '' ? REFRESH : null;
    const values = { mutation: mutation || null, since: startOf(from, 0), until: startOf(to, 1), except, after };
    return merged((await done(client.query(LOGS, values, { requestPolicy: 'network-only' }))).me);
  };
  useEffect(() => {
    let isPresent = true;
    const show = (first: Log) => isPresent && (setLog(first), setError(undefined));
    void load(null).then(show, (failure: unknown) => isPresent && setError(failure));
    return () => void (isPresent = false);
  }, [client, mutation, from, to, hasRefreshes]);
  const next = log?.next ?? null;
  const more = async () => {
    const page = await load(next);
    setLog((before) => ({ ...page, entries: [...(before?.entries ?? []), ...page.entries] }));
  };
  return { entries: log?.entries, error, more: next === null ? undefined : more };
}

/**
 * One page of four logs. A log with a next page may have more entries than it answered: what is older than its cursor is left
 * to the next page. Ids are in the order of the times, and a cursor is an id.
 */
function merged({ accountsAuditLog, infrastructureAuditLog, networkAuditLog, syncAuditLog }: Logs): Log {
  const pages = [accountsAuditLog, infrastructureAuditLog, networkAuditLog, syncAuditLog].flatMap((page) => page ?? []);
  const next =
    pages
      .flatMap(({ nextCursor }) => nextCursor ?? [])
      .toSorted()
      .at(-1) ?? null;
  const entries = pages
    .flatMap(({ results }) => results)
    .filter(({ id }) => next === null || id >= next)
    .toSorted((one, other) => (one.id < other.id ? 1 : -1));
  return { entries, next };
}

/** The beginning of a day, so many days later. */
function startOf(day: string, later: number): string | null {
  if (day === '') return null;
  const date = new Date(`${day}T00:00`);
  date.setDate(date.getDate() + later);
  return date.toISOString();
}
