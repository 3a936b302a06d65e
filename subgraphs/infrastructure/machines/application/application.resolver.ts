import { Arg, Args, ArgsType, Ctx, Field, FieldResolver, Int, Mutation, Query, Resolver, Root } from 'type-graphql';
import type { Context } from '../../../../kernel/subgraph/context.js';
import { hasRole, requireRole, requireSignedIn } from '../../../../kernel/viewer.js';
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

  @Field(() => String, {
    nullable: true,
    description:
      'What it does when its machine first starts, up to 16384 characters: begins with `#cloud-config`, `## template: jinja` or `#!`.',
  })
  userData?: string | null;

  @Field(() => Int, { nullable: true, description: 'The TCP port at which it answers when it is well.' })
  probePort?: number | null;

  @Field(() => String, {
    nullable: true,
    description: 'The path at that port which HTTP answers with 200 to 399; a connection will do when left out.',
  })
  probePath?: string | null;
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
    @Args(() => VmApplicationArgs) { id, logoUrl, userData, probePort, probePath, ...rest }: VmApplicationArgs,
    @Ctx() { viewer, database }: Context,
  ): Promise<VmApplication> {
    requireRole(viewer, 'ADMIN');
    const firstBoot = { userData: userData ?? null, probePort: probePort ?? null, probePath: probePath ?? null };
    const terms = { ...rest, logoUrl: logoUrl ?? null, ...firstBoot };
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

  @FieldResolver(() => String, {
    nullable: true,
    description: 'Absolute http or https URL of its logo; those of the platform’s own applications are served by it.',
  })
  logoUrl(@Root() { logoUrl }: VmApplication, @Ctx() { publicUrl }: Context): string | null {
    return logoUrl?.startsWith('/') ? publicUrl + logoUrl : logoUrl;
  }

  @FieldResolver(() => String, {
    nullable: true,
    description:
      'What it does when its machine first starts: a cloud config or a shell script for cloud-init. For administrators; null for others.',
  })
  userData(@Root() { userData }: VmApplication, @Ctx() { viewer }: Context): string | null {
    return hasRole(viewer, 'ADMIN') ? userData : null;
  }
}
