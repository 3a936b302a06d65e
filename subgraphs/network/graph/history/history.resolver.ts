import { Arg, Ctx, Int, Mutation, Query, Resolver } from 'type-graphql';
import type { Context } from '../../../../kernel/subgraph/context.js';
import { requireUser } from '../../../../kernel/viewer.js';
import { listChanges, undoLastChange } from './history.actions.js';
import { NetworkChange } from './history.js';

@Resolver(() => NetworkChange)
export class HistoryResolver {
  @Query(() => [NetworkChange], {
    description:
      'What changed in your private network, newest first. Errors: FORBIDDEN until provisioned, BAD_REQUEST for the limit.',
  })
  networkChanges(
    @Arg('before', () => Int, { nullable: true, description: 'Only changes before the one with this revision.' })
    before: number | null,
    @Arg('limit', () => Int, { nullable: true, description: 'How many at most, 1 to 100; 20 where it is left out.' })
    limit: number | null,
    @Ctx() { viewer, database }: Context,
  ): Promise<NetworkChange[]> {
    return listChanges(database, requireUser(viewer), { before, limit });
  }

  @Mutation(() => NetworkChange, {
    description:
      'Takes back the last change that is neither undone nor an undo: again, the one before. Errors: FORBIDDEN until provisioned, CONFLICT for what cannot be taken back, and when `id` is not the last.',
  })
  undoLastChange(
    @Arg('id', () => String, { nullable: true, description: 'The change you mean; left out: whichever is last.' })
    id: string | null,
    @Ctx() { viewer, database, now }: Context,
  ): Promise<NetworkChange> {
    return undoLastChange(database, { viewer: requireUser(viewer), now: now() }, id ?? undefined);
  }
}
