import { RefreshCw, ScrollText } from 'lucide-react';
import { useCallback } from 'react';
import { useQuery } from 'urql';
import { Button } from '../../components/forms/button';
import { Card } from '../../components/card';
import { useInterval } from '../../components/interval';
import { QueryView } from '../../components/query-view';
import { Empty } from '../../components/states';
import { graphql } from '../../graphql/graphql';

const CONSOLE = graphql('query ($id: ID!) { vmConsoleLog(id: $id, kib: 64) }');

const RELOAD_MS = 5_000;

/** Colours and cursor movements that a terminal would follow. */
const ESCAPES = new RegExp(`${String.fromCharCode(27)}(?:\\[[0-9;?]*[A-Za-z]|[()][0-9A-Z])|\\r`, 'g');

/** The last part of what a machine wrote to its console. */
export function ConsoleCard({ id, isRunning }: { readonly id: string; readonly isRunning: boolean }) {
  const query = useQuery({ query: CONSOLE, variables: { id }, requestPolicy: 'cache-and-network' });
  const [, refetch] = query;
  const reload = useCallback(() => refetch({ requestPolicy: 'network-only' }), [refetch]);
  useInterval(isRunning, RELOAD_MS, reload);
  return (
    <Card
      title="Console"
      isFlush
      actions={<Button kind="quiet" size="small" icon={RefreshCw} label="Load the console again" onPress={reload} />}
    >
      <QueryView query={query}>
        {({ vmConsoleLog }) =>
          vmConsoleLog ? (
            // Keyboards scroll it.
            <pre className="log" tabIndex={0} role="region" aria-label="Console">
              {vmConsoleLog.replaceAll(ESCAPES, '')}
            </pre>
          ) : (
            <Empty icon={ScrollText} title="The console is empty so far">
              What the machine writes to its first serial port is shown here, from its boot on.
            </Empty>
          )
        }
      </QueryView>
    </Card>
  );
}
