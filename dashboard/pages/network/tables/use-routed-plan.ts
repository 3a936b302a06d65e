import { useQuery } from 'urql';
import type { ResultOf } from '../../../graphql/graphql';
import type { GraphNode } from '../../../topology/graph';
import type { Model } from '../../../topology/model';
import { PLAN_NETWORK, type NETWORKS } from '../operations';
import { readiness, usePlanContext } from '../use-plan';

export type RoutedNetwork = ResultOf<typeof NETWORKS>['networks'][number];

/** A desired resource. */
export type ResourceDraft = Pick<GraphNode['meta'], 'groups' | 'enabled'> & {
  readonly id: string;
  readonly address: string;
};

interface RoutedChange {
  readonly model: Model;
  readonly revision: number;
  /** The desired networks. */
  readonly networks: readonly RoutedNetwork[];
  /** The resource that is changed, if one is. */
  readonly draft?: ResourceDraft;
}

/** Who could reach what else, and who no longer, with these networks and this resource. Each revision plans again. */
export function useRoutedPlan({ model, revision, networks, draft }: RoutedChange) {
  const document = { networks: networks.map((network) => entryOf(network, model, draft)) };
  const context = usePlanContext(revision);
  const [state, reload] = useQuery({ query: PLAN_NETWORK, variables: { document }, context });
  return { ...readiness(state), plan: state.data?.planNetwork, onRetry: () => reload() };
}

/** A network of the document. Only that of the changed resource lists its resources: those of the others stay. */
function entryOf({ id, name, description }: RoutedNetwork, model: Model, draft: ResourceDraft | undefined) {
  const own = model.resources.filter(({ meta }) => meta.networkId === id);
  const about = { name, description };
  if (!draft || !own.some((resource) => resource.id === draft.id)) return about;
  const labels = new Map(model.groups.map(({ groupId, node }) => [groupId, node.label]));
  const resources = own.map(({ id: node, label, meta }) => {
    // The name stays: with another one the plan would be that of another resource.
    const { address, groups, enabled } = node === draft.id ? draft : meta;
    return {
      name: label,
      address: address ?? '',
      enabled: enabled ?? true,
      groups: (groups ?? []).flatMap((group) => labels.get(group) ?? []),
    };
  });
  return { ...about, resources };
}
