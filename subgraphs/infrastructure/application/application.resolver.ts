import { Arg, Args, ArgsType, Ctx, Field, Int, Mutation, Query, Resolver } from 'type-graphql';
import type { Context } from '../../../kernel/context.js';
import { requireRole, requireSignedIn } from '../../../kernel/viewer.js';
import { listApplications, retireApplication, saveApplication } from './application.actions.js';
import { VmApplication } from './application.js';
import { checkApplication } from './application.rules.js';

@ArgsType()
class VmApplicationArgs {
  @Field(() => Int, { nullable: true, description: 'The application to change; a new one when left out.' })
  id?: number | null;

  @Field(() => String, { description: 'Unique; the name for people, 1 to 100 characters.' })
  name!: string;

  @Field(() => String, { description: 'Unique: 1 to 50 lower-case letters, digits and dashes.' })
  slug!: string;

  @Field(() => String, { description: 'What it does, 1 to 2000 characters.' })
  description!: string;

  @Field(() => String, {
    nullable: true,
    description: 'Absolute http or https URL of its logo, up to 2000 characters.',
  })
  logoUrl?: string | null;
}

@Resolver(() => VmApplication)
export class VmApplicationResolver {
  @Query(() => [VmApplication], { description: 'The one-click applications on offer, oldest first.' })
  vmApplications(@Ctx() { viewer, database }: Context): Promise<VmApplication[]> {
    requireSignedIn(viewer);
    return listApplications(database);
  }

  @Mutation(() => VmApplication, {
    description:
      'Adds an application, or changes one and offers it again. Needs the role ADMIN. Errors: BAD_REQUEST, NOT_FOUND, CONFLICT for name and slug.',
  })
  async adminSaveVmApplication(
    @Args(() => VmApplicationArgs) { id, logoUrl, ...rest }: VmApplicationArgs,
    @Ctx() { viewer, database }: Context,
  ): Promise<VmApplication> {
    requireRole(viewer, 'ADMIN');
    const terms = { ...rest, logoUrl: logoUrl ?? null };
    checkApplication(terms);
    return saveApplication(database, id ?? undefined, terms);
  }

  @Mutation(() => VmApplication, {
    description: 'Takes an application off the list; again is the same. Needs the role ADMIN. Error NOT_FOUND.',
  })
  async adminRetireVmApplication(
    @Arg('id', () => Int, { description: 'The application.' }) id: number,
    @Ctx() { viewer, database, now }: Context,
  ): Promise<VmApplication> {
    requireRole(viewer, 'ADMIN');
    return retireApplication(database, id, now());
  }
}
