import { Link } from '@tanstack/react-router';
import { Download } from 'lucide-react';
import { useCallback, useEffect, useState } from 'react';
import { useClient, type Client } from 'urql';
import { useBalance } from '../../app/balance';
import { useOnReturn } from '../../graphql/on-return';
import { Badge } from '../../components/badge';
import { Button } from '../../components/forms/button';
import { Card } from '../../components/card';
import { Check } from '../../components/forms/fields';
import { counted, Credits } from '../../components/format';
import { Empty, ListProblem, Skeleton } from '../../components/states';
import { done } from '../../graphql/done';
import { graphql, type ResultOf } from '../../graphql/graphql';
import { downloadStatement } from './statement-csv';

const DAYS = graphql(`
  query ($after: String) {
    statementDays(first: 14, after: $after) {
      days {
        date
        balance
        groups {
          cursor
          lines
          amount
          isDebt
          reason
          subject {
            ... on VmInstance {
              uuid
              name
            }
            ... on Transaction {
              id
            }
          }
        }
      }
      next
    }
  }
`);

type Day = ResultOf<typeof DAYS>['statementDays']['days'][number];
type Group = Day['groups'][number];

/** The movements of credits by day and by what they are about, newest first. */
export function Statement() {
  const client = useClient();
  const { days, error, more, reload } = useDays();
  const [isExact, setExact] = useState(false);
  return (
    <Card
      title="Statement"
      isFlush
      actions={
        <>
          <Check label="Exact figures" checked={isExact} onChange={(event) => setExact(event.target.checked)} />
          <Button size="small" icon={Download} onPress={() => downloadStatement(client)}>
            CSV
          </Button>
        </>
      }
    >
      {days === undefined && error === undefined && <Skeleton />}
      <ListProblem error={error} hasRows={days !== undefined} onRetry={reload} />
      {days?.length === 0 && (
        <Empty title="No transactions yet">Credits that you buy, get or spend are listed here.</Empty>
      )}
      {days?.map((day) => (
        <DaySection key={`${day.date} ${day.groups[0]?.cursor ?? ''}`} day={day} isExact={isExact} />
      ))}
      {more && (
        <div className="billing-pages">
          <Button onPress={more}>Older</Button>
        </div>
      )}
    </Card>
  );
}

/** The days of the statement, as the balance changes. */
function useDays() {
  const client = useClient();
  const balance = useBalance();
  const [pages, setPages] = useState(1);
  const [found, setFound] = useState<Statements>();
  const [error, setError] = useState<unknown>();
  const [reloads, setReloads] = useState(0);
  const reload = useCallback(() => setReloads((count) => count + 1), []);
  useOnReturn(reload);
  useEffect(() => {
    let isPresent = true;
    const load = async () => {
      const days = await loadDays(client, pages);
      if (!isPresent) return;
      setFound(days);
      setError(undefined);
    };
    load().catch((failure: unknown) => isPresent && setError(failure));
    return () => {
      isPresent = false;
    };
  }, [client, pages, balance?.balance, reloads]);
  return { days: found?.days, error, reload, more: found?.next ? () => setPages(pages + 1) : undefined };
}

interface Statements {
  readonly days: readonly Day[];
  readonly next: string | null;
}

/** The newest pages of the statement. */
async function loadDays(client: Client, pages: number): Promise<Statements> {
  let [days, next]: [Day[], string | null] = [[], null];
  for (let page = 0; page === 0 || (page < pages && next !== null); page += 1) {
    const variables: { after: string | null } = { after: next };
    const { statementDays } = await done(client.query(DAYS, variables, { requestPolicy: 'network-only' }));
    days = [...days, ...statementDays.days];
    next = statementDays.next;
  }
  return { days, next };
}

function DaySection({ day: { date, balance, groups }, isExact }: { readonly day: Day; readonly isExact: boolean }) {
  return (
    <section>
      <h3 className="day-head">
        <span>{dayWords(date)}</span>
        <span className="muted">
          Balance <Amount amount={balance} isExact={isExact} />
        </span>
      </h3>
      <ul className="lines">
        {groups.map((group) => (
          <li key={group.cursor}>
            <div className="grow">
              <p className="row wrap">
                <Subject {...group} />
                {group.isDebt && <Badge tone="warn">debt</Badge>}
              </p>
              <p className="muted small">
                {group.subject !== null && `${group.reason} · `}
                {counted(group.lines, 'movement')}
              </p>
            </div>
            <strong className={group.amount.startsWith('-') ? undefined : 'gain'}>
              <Amount amount={group.amount} isExact={isExact} />
            </strong>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Subject({ subject, reason }: Group) {
  if (subject === null) return <span>{reason}</span>;
  if ('uuid' in subject) return <Link to={`/machines/${subject.uuid}`}>{subject.name}</Link>;
  if ('id' in subject) return <Link to={`/billing/payments/${subject.id}`}>Payment</Link>;
  return <span>{reason}</span>;
}

function Amount({ amount, isExact }: { readonly amount: string; readonly isExact: boolean }) {
  return isExact ? <span className="number break">{amount}</span> : <Credits amount={amount} />;
}

/** A date in UTC in words. */
function dayWords(date: string): string {
  return new Date(date).toLocaleDateString(undefined, { dateStyle: 'full', timeZone: 'UTC' });
}
