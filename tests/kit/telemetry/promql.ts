import { SUBGRAPHS } from '../arrangements.js';
import { metricsText } from './metrics.js';
import { configurationOf, enrolledMachine } from '../network/network.js';
import { graphql } from '../platform.js';
import { TestSocket } from '../socket.js';
import { signInWithNetwork } from '../accounts/wallet.js';

/** Keywords of PromQL that no parenthesis follows. */
const WORDS = new Set(['sum', 'max', 'min', 'or', 'and', 'unless']);

/** Metrics and labels that Prometheus adds to each target. It renames a label `job` of a process to `exported_job`. */
const OF_PROMETHEUS = { metrics: ['up'], labels: ['job', 'exported_job', 'instance', 'le'] };

/** Returns the names of metrics in an expression, without those of recording rules. */
export function metricsIn(expression: string): string[] {
  const bare = expression
    .replaceAll(/\{[^}]*\}|\[[^\]]*\]|\bby \([^)]*\)|\boffset \w+/g, '')
    .replaceAll(/\w+:\w+:\w+/g, '');
  return [...bare.matchAll(/[a-z_]\w*(?![\w(])/g)].map(([name]) => name).filter((name) => !WORDS.has(name));
}

/** Returns the names of labels in an expression. */
export function labelsIn(expression: string): string[] {
  const matched = [...expression.matchAll(/(\w+)(?:=~|!~|!=|=)"/g)].map(([, name = '']) => name);
  const grouped = [...expression.matchAll(/\bby \(([^)]*)\)/g)].flatMap(([, names = '']) => names.split(', '));
  return [...matched, ...grouped];
}

/** Uses the platform, because a metric has labels only when something was measured. */
async function exercise(): Promise<TestSocket> {
  const user = await signInWithNetwork();
  const socket = await TestSocket.open(user.token);
  socket.subscribe('live', 'subscription { topologyChanged { revision } }');
  await socket.result('live', 1);
  await graphql('{ me { id } }', { token: user.token });
  const machine = await enrolledMachine(user);
  await configurationOf(machine.token);
  return socket;
}

/** What expressions may ask for: the series and labels of all processes of the running platform. */
export async function shownMetrics(): Promise<{ readonly series: string[]; readonly labels: string[] }> {
  const socket = await exercise();
  const text = (await Promise.all([undefined, ...SUBGRAPHS].map((name) => metricsText(name)))).join('\n');
  socket.close();
  const series = [...text.matchAll(/^# TYPE (\w+) (\w+)$/gm)].flatMap(([, name = '', type]) =>
    type === 'histogram' ? [`${name}_bucket`, `${name}_sum`, `${name}_count`] : [name],
  );
  const labels = [...text.matchAll(/[{,](\w+)="/g)].map(([, name = '']) => name);
  return { series: [...series, ...OF_PROMETHEUS.metrics], labels: [...new Set([...labels, ...OF_PROMETHEUS.labels])] };
}
