import { Args, ArgsType, Ctx, Field, Query, Resolver } from 'type-graphql';
import type { Context } from '../../../../kernel/subgraph/context.js';
import { requireOwner } from '../../inputs/owner.rules.js';
import { summarize, summarizeKinds } from './summary.actions.js';
import { KindTotal, StorageSummary } from './summary.js';

@ArgsType()
class OwnerArguments {
  @Field(() => String, { description: 'SS58 address of the owner.' })
  ownerAddress!: string;
}

@Resolver()
export class SummaryResolver {
  @Query(() => StorageSummary, {
    description: 'Totals of all files of an owner. Errors: BAD_REQUEST, FORBIDDEN for another owner.',
  })
  storageSummary(
    @Args(() => OwnerArguments) { ownerAddress }: OwnerArguments,
    @Ctx() { viewer, database, now }: Context,
  ): Promise<StorageSummary> {
    requireOwner(viewer, ownerAddress);
    return summarize(database, ownerAddress, now());
  }

  @Query(() => [KindTotal], {
    description:
      'Number and size of files by type: image, video, audio, document, pdf, archive, code, other. Errors: BAD_REQUEST, FORBIDDEN for another owner.',
  })
  fileTypeSummary(
    @Args(() => OwnerArguments) { ownerAddress }: OwnerArguments,
    @Ctx() { viewer, database }: Context,
  ): Promise<KindTotal[]> {
    requireOwner(viewer, ownerAddress);
    return summarizeKinds(database, ownerAddress, 'type');
  }

  @Query(() => [KindTotal], {
    description:
      'Number and size of files by the kind of client that uploaded them: desktop, console, mobile, other. Errors: BAD_REQUEST, FORBIDDEN for another owner.',
  })
  sourceSummary(
    @Args(() => OwnerArguments) { ownerAddress }: OwnerArguments,
    @Ctx() { viewer, database }: Context,
  ): Promise<KindTotal[]> {
    requireOwner(viewer, ownerAddress);
    return summarizeKinds(database, ownerAddress, 'source');
  }
}
