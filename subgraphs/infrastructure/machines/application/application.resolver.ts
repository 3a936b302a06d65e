import { Arg, Args, ArgsType, Ctx, Field, FieldResolver, Int, Mutation, Query, Resolver, Root } from 'type-graphql';
import type { Context } from '../../../../kernel/subgraph/context.js';
import { hasRole, requireRole, requireSignedIn } from '../../../../kernel/security/viewer.js';
import {
  listApplications,
  listRetiredApplications,
  retireApplication,
  saveApplication,
} from './application.actions.js';
import { VmApplication } from './application.js';
import { checkApplication } from './application.rules.js';

@ArgsType()
class VmApplicationArgs {
  @Field(() => Int, { nullable: true, description: 'Id of the application to change. Omitted: adds a new one.' })
  id?: number | null;

  @Field(() => String, { description: 'Display name, unique, 1 to 100 characters.' })
  name!: string;

  @Field(() => String, { description: 'Unique: 1 to 50 lower-case letters, digits and dashes.' })
  slug!: string;

  @Field(() => String, { description: 'Description of what it does, 1 to 2000 characters.' })
  description!: string;

  @Field(() => String, {
    nullable: true,
    description: 'Absolute http or https URL of its logo, up to 2000 characters.',
  })
  logoUrl?: string | null;

  @Field(() => String, {
    nullable: true,
    description:
      'User data for cloud-init, run at the first boot, up to 16384 characters. Must begin with `#cloud-config`, `## template: jinja` or `#!`.',
  })
  userData?: string | null;

  @Field(() => Int, { nullable: true, description: 'TCP port of the health check.' })
  probePort?: number | null;

  @Field(() => String, {
    nullable: true,
    description:
      'HTTP path of the health check; a status of 200 to 399 is healthy. Omitted: a TCP connection is enough.',
  })
  probePath?: string | null;
}

@Resolver(() => VmApplication)
export class VmApplicationResolver {
  @Query(() => [VmApplication], { description: 'Available one-click applications, oldest first.' })
  vmApplications(@Ctx() { viewer, database }: Context): Promise<VmApplication[]> {
    requireSignedIn(viewer);
    return listApplications(database);
  }

  @Query(() => [VmApplication], {
    description:
      'Retired applications, oldest first. `adminSaveVmApplication` makes one available again. Requires the role ADMIN.',
  })
  adminRetiredVmApplications(@Ctx() { viewer, database }: Context): Promise<VmApplication[]> {
    requireRole(viewer, 'ADMIN');
    return listRetiredApplications(database);
  }

  @Mutation(() => VmApplication, {
    description:
      'Adds an application, or changes one and makes it available again. Requires the role ADMIN. Errors: BAD_REQUEST, NOT_FOUND, CONFLICT for name and slug.',
  })
  async adminSaveVmApplication(
    @Args(() => VmApplicationArgs) { id, logoUrl, userData, probePort, probePath, ...rest }: VmApplicationArgs,
    @Ctx() { viewer, database }: Context,
  ): Promise<VmApplication> {
    requireRole(viewer, 'ADMIN');
    const firstBoot = { userData: userData ?? null, probePort: probePort ?? null, probePath: probePath ?? null };
    const spec = { ...rest, logoUrl: logoUrl ?? null, ...firstBoot };
    checkApplication(spec);
    return saveApplication(database, id ?? undefined, spec);
  }

  @Mutation(() => VmApplication, {
    description:
      'Retires an application: new machines cannot use it. Repeating it has no further effect. Requires the role ADMIN. Error NOT_FOUND.',
  })
  async adminRetireVmApplication(
    @Arg('id', () => Int, { description: 'Id of the application.' }) id: number,
    @Ctx() { viewer, database, now }: Context,
  ): Promise<VmApplication> {
    requireRole(viewer, 'ADMIN');
    return retireApplication(database, id, now());
  }

  @FieldResolver(() => String, {
    nullable: true,
    description: 'Absolute http or https URL of its logo.',
  })
  logoUrl(@Root() { logoUrl }: VmApplication, @Ctx() { publicUrl }: Context): string | null {
    return logoUrl?.startsWith('/') ? publicUrl + logoUrl : logoUrl;
  }

  @FieldResolver(() => String, {
    nullable: true,
    description: 'User data for cloud-init, run at the first boot. Null unless the viewer is an administrator.',
  })
  userData(@Root() { userData }: VmApplication, @Ctx() { viewer }: Context): string | null {
    return hasRole(viewer, 'ADMIN') ? userData : null;
  }
}
