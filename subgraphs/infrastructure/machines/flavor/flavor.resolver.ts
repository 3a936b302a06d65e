import { Arg, Args, Ctx, FieldResolver, Float, Int, Mutation, Query, Resolver, Root } from 'type-graphql';
import type { Context } from '../../../../kernel/subgraph/context.js';
import { requireRole, requireSignedIn } from '../../../../kernel/security/viewer.js';
import { fetchBalance } from '../../calls.js';
import { listFlavors, listRetiredFlavors, retireFlavor, saveFlavor } from './flavor.actions.js';
import { VmFlavor, VmFlavorArgs } from './flavor.js';
import { affordableHours, checkFlavor } from './flavor.rules.js';

@Resolver(() => VmFlavor)
export class VmFlavorResolver {
  @Query(() => [VmFlavor], { description: 'Available machine sizes, oldest first.' })
  vmFlavors(@Ctx() { viewer, database }: Context): Promise<VmFlavor[]> {
    requireSignedIn(viewer);
    return listFlavors(database);
  }

  @Query(() => [VmFlavor], {
    description:
      'Retired flavors, oldest first. `adminSaveVmFlavor` makes one available again. Requires the role ADMIN.',
  })
  adminRetiredVmFlavors(@Ctx() { viewer, database }: Context): Promise<VmFlavor[]> {
    requireRole(viewer, 'ADMIN');
    return listRetiredFlavors(database);
  }

  @Mutation(() => VmFlavor, {
    description:
      'Adds a flavor, or changes one and makes it available again. Requires the role ADMIN. Errors: BAD_REQUEST, NOT_FOUND, CONFLICT for the name.',
  })
  async adminSaveVmFlavor(
    @Args(() => VmFlavorArgs) args: VmFlavorArgs,
    @Ctx() { viewer, database }: Context,
  ): Promise<VmFlavor> {
    requireRole(viewer, 'ADMIN');
    checkFlavor(args);
    return saveFlavor(database, args);
  }

  @Mutation(() => VmFlavor, {
    description:
      'Retires a flavor: new machines cannot use it. Repeating it has no further effect. Requires the role ADMIN. Error NOT_FOUND.',
  })
  async adminRetireVmFlavor(
    @Arg('id', () => Int, { description: 'Id of the flavor.' }) id: number,
    @Ctx() { viewer, database, now }: Context,
  ): Promise<VmFlavor> {
    requireRole(viewer, 'ADMIN');
    return retireFlavor(database, id, now());
  }

  @FieldResolver(() => Float, {
    nullable: true,
    description:
      'Hours of running that your credits pay for, rounded down to hundredths; null for services, which have no credits.',
  })
  async affordableHours(@Root() { creditsPerHour }: VmFlavor, @Ctx() context: Context): Promise<number | null> {
    if (context.viewer.kind !== 'user') return null;
    return affordableHours(await fetchBalance(context, context.viewer), creditsPerHour);
  }
}
