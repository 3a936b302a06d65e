import { Arg, Ctx, Directive, Int, Mutation, Query, Resolver } from 'type-graphql';
import { listSize } from '../../../../kernel/paging/page.js';
import type { Context } from '../../../../kernel/subgraph/context.js';
import { requireUser } from '../../../../kernel/security/viewer.js';
import { listChanges, undoLastChange } from './history.actions.js';
import { NetworkChange } from './history.js';

@Resolver(() => NetworkChange)
export class HistoryResolver {
  @Directive(listSize('limit', []))
  @Query(() => [NetworkChange], {
    description:
      'The last 1,000 changes of your private network, newest first. Errors: FORBIDDEN until your private network is provisioned, BAD_REQUEST for the limit.',
  })
  networkChanges(
    @Arg('before', () => Int, { nullable: true, description: 'Returns only changes before this revision.' })
    before: number | null,
    @Arg('limit', () => Int, { nullable: true, description: 'Maximum number of changes, 1 to 100. Default: 20.' })
    limit: number | null,
    @Ctx() { viewer, database }: Context,
  ): Promise<NetworkChange[]> {
    return listChanges(database, requireUser(viewer), { before, limit });
  }

  @Mutation(() => NetworkChange, {
    description:
      'Reverts the last change that is not an undo and was not undone. Repeating it reverts the change before. Errors: FORBIDDEN until your private network is provisioned, CONFLICT when the change cannot be reverted or `id` is not the last change.',
  })
  undoLastChange(
    @Arg('id', () => String, { nullable: true, description: 'The change to revert. Default: the last one.' })
    id: string | null,
    @Ctx() { viewer, database, now }: Context,
  ): Promise<NetworkChange> {
    return undoLastChange(database, { viewer: requireUser(viewer), now: now() }, id ?? undefined);
  }
}
