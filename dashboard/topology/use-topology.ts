import { useEffect, useState } from 'react';
import { useClient } from 'urql';
import { codeOf } from '../graphql/refusal';
import { changed, TOPOLOGY_CHANGED, type Graph } from './graph';

/** The private network, live. `missing` is a user who has none yet. */
export type Topology =
  | { readonly state: 'loading' }
  | { readonly state: 'missing' }
  | { readonly state: 'failed'; readonly error: unknown }
  | { readonly state: 'live'; readonly graph: Graph };

/** Watches the private network. `restart` begins again, e.g. after it is provisioned. */
export function useTopology(): { readonly topology: Topology; readonly restart: () => void } {
  const client = useClient();
  const [topology, setTopology] = useState<Topology>({ state: 'loading' });
  const [round, setRound] = useState(0);
  useEffect(() => {
    let graph: Graph | undefined;
    const watch = client.subscription(TOPOLOGY_CHANGED, {}).subscribe(({ data, error }) => {
      if (error) return setTopology(codeOf(error) === 'FORBIDDEN' ? { state: 'missing' } : { state: 'failed', error });
      if (!data) return;
      graph = changed(graph, data.topologyChanged);
      // A new subscription begins with the whole graph.
      if (graph) setTopology({ state: 'live', graph });
      else setRound((last) => last + 1);
    });
    return () => watch.unsubscribe();
  }, [client, round]);
  return { topology, restart: () => setRound((last) => last + 1) };
}
