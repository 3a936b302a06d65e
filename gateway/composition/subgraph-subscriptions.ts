import type { CallbackSubscriptions } from '../../kernel/subgraph/remote/callback-subscriptions.js';
import type { RemoteEndpoint } from '../../kernel/subgraph/remote/remote-subgraph.js';
import { WebsocketSubscriptions } from '../../kernel/subgraph/remote/websocket-subscriptions.js';
import { StartError } from './data-directory.js';

type Subgraph = Pick<RemoteEndpoint, 'name' | 'url' | 'headers'>;

/**
 * Sets the subscription protocol of each subgraph.
 * @param settings `NAME=ws://…` or `NAME=callback`; a subgraph without a setting sends server-sent events
 * @param onMissing called for a setting whose subgraph is not in the supergraph
 * @throws StartError for any other setting
 */
export function withSubscriptions(
  subgraphs: readonly Subgraph[],
  settings: readonly string[],
  {
    callbacks,
    onMissing,
  }: { readonly callbacks: CallbackSubscriptions; readonly onMissing: (sentence: string) => void },
): RemoteEndpoint[] {
  const chosen = new Map<string, RemoteEndpoint['subscribe']>();
  for (const setting of settings) {
    const [name = '', protocol = ''] = setting.split(/=(.*)/s);
    const subgraph = subgraphs.find((each) => each.name === name);
    if (!subgraph) onMissing(`--subscriptions: the supergraph has no subgraph "${name}".`);
    else if (protocol === 'callback') chosen.set(name, callbacks.at(subgraph));
    else if (/^wss?:\/\//.test(protocol) && URL.canParse(protocol))
      chosen.set(name, new WebsocketSubscriptions(name, protocol).subscribe);
    else
      throw new StartError(`--subscriptions: expected NAME=ws://host:port/path or NAME=callback, but got ${setting}.`);
  }
  return subgraphs.map((subgraph) => ({ ...subgraph, subscribe: chosen.get(subgraph.name) }));
}
