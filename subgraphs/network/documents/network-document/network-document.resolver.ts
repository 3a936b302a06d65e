import { Arg, Ctx, Int, Mutation, Query, Resolver } from 'type-graphql';
import { requireUser } from '../../../../kernel/security/viewer.js';
import { NetworkChange } from '../../graph/history/history.js';
import type { NetworkContext } from '../../services.js';
import { NetworkPlan } from '../network-plan/network-plan.js';
import { applyNetwork, planNetwork } from './network-document.actions.js';
import { NetworkDocument } from './network-document.js';

@Resolver()
export class NetworkDocumentResolver {
  @Query(() => NetworkPlan, {
    description:
      'What applying a document would change, allow and block, without doing it. Errors: the same as for applying it, except for the revision; BAD_REQUEST when there are too many policies to plan it; UNAVAILABLE when the network takes too long to compile; RATE_LIMITED when too many of these requests are waiting.',
  })
  async planNetwork(
    @Arg('document', () => NetworkDocument, { description: 'The desired network.' }) document: NetworkDocument,
    @Ctx() { viewer, database, services, now }: NetworkContext,
  ): Promise<NetworkPlan> {
    const user = requireUser(viewer);
    const planner = { database, compiler: services.compiler };
    return services.reading.take(`${user.userId}`, () => planNetwork(planner, { viewer: user, now: now() }, document));
  }

  @Mutation(() => NetworkChange, {
    description:
      'Makes your private network what the document says, in one change that `undoLastChange` reverts. Nothing changes if one entry is refused. Returns the change; it has no items if the network was like this already. Errors: those of the single changes, after the entry, e.g. `policies[3]: …`; FORBIDDEN until your private network is provisioned; CONFLICT when the graph has changed since it was planned.',
  })
  async applyNetwork(
    @Arg('document', () => NetworkDocument, { description: 'The desired network.' }) document: NetworkDocument,
    @Arg('graphRevision', () => Int, { description: 'The revision that `planNetwork` returned.' }) revision: number,
    @Ctx() { viewer, database, now }: NetworkContext,
  ): Promise<NetworkChange> {
    return applyNetwork(database, { viewer: requireUser(viewer), now: now() }, { document, revision });
  }
}
