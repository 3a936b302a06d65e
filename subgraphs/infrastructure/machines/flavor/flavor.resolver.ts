import {
  Arg,
  Args,
  ArgsType,
  Ctx,
  Field,
  FieldResolver,
  Float,
  Int,
  Mutation,
  Query,
  Resolver,
  Root,
} from 'type-graphql';
import type { Context } from '../../../../kernel/subgraph/context.js';
import { Decimal } from '../../../../kernel/scalars.js';
import { requireRole, requireSignedIn } from '../../../../kernel/viewer.js';
import { askBalance } from '../../calls.js';
import { listFlavors, retireFlavor, saveFlavor } from './flavor.actions.js';
import { VmFlavor } from './flavor.js';
import { affordableHours, checkFlavor } from './flavor.rules.js';

@ArgsType()
class VmFlavorArgs {
  @Field(() => Int, { nullable: true, description: 'The flavor to change; a new one when left out.' })
  id?: number | null;

  @Field(() => String, { description: 'Unique: 1 to 50 lower-case letters, digits and dashes.' })
  name!: string;

  @Field(() => String, { description: 'The name for people, 1 to 100 characters.' })
  displayName!: string;

  @Field(() => Int, { description: 'Virtual CPUs, 1 to 512.' })
  cpuCores!: number;

  @Field(() => Int, { description: 'Memory in MiB, 128 to 16777216.' })
  memoryMb!: number;

  @Field(() => Int, { description: 'Disk in GiB, 1 to 65536.' })
  dataDiskGb!: number;

  @Field(() => Decimal, { description: 'Credits for an hour of running: above zero, at most 10000.' })
  creditsPerHour!: string;

  @Field(() => Decimal, {
    nullable: true,
    description:
      'Credits for an hour of being stopped: zero or more, at most what running costs. Left out: as it is, zero for a new flavor. Machines that are there keep their prices.',
  })
  stoppedCreditsPerHour?: string | null;

  @Field(() => String, { nullable: true, description: 'What it is good for, up to 2000 characters.' })
  description?: string | null;
}

@Resolver(() => VmFlavor)
export class VmFlavorResolver {
  @Query(() => [VmFlavor], { description: 'The sizes of machine on offer, oldest first.' })
  vmFlavors(@Ctx() { viewer, database }: Context): Promise<VmFlavor[]> {
    requireSignedIn(viewer);
    return listFlavors(database);
  }

  @Mutation(() => VmFlavor, {
    description:
      'Adds a flavor, or changes one and offers it again. Needs the role ADMIN. Errors: BAD_REQUEST, NOT_FOUND, CONFLICT for the name.',
  })
  async adminSaveVmFlavor(
    @Args(() => VmFlavorArgs) { id, description, stoppedCreditsPerHour, ...rest }: VmFlavorArgs,
    @Ctx() { viewer, database }: Context,
  ): Promise<VmFlavor> {
    requireRole(viewer, 'ADMIN');
    const terms = {
      ...rest,
      stoppedCreditsPerHour: stoppedCreditsPerHour ?? null,
      description: description ?? null,
    };
    checkFlavor(terms);
    return saveFlavor(database, id ?? undefined, terms);
  }

  @Mutation(() => VmFlavor, {
    description: 'Takes a flavor off the list; again is the same. Needs the role ADMIN. Error NOT_FOUND.',
  })
  async adminRetireVmFlavor(
    @Arg('id', () => Int, { description: 'The flavor.' }) id: number,
    @Ctx() { viewer, database, now }: Context,
  ): Promise<VmFlavor> {
    requireRole(viewer, 'ADMIN');
    return retireFlavor(database, id, now());
  }

  @FieldResolver(() => Float, {
    nullable: true,
    description: 'Hours that your credits pay for, rounded down to hundredths; null for services, which have none.',
  })
  async affordableHours(@Root() { creditsPerHour }: VmFlavor, @Ctx() context: Context): Promise<number | null> {
    if (context.viewer.kind !== 'user') return null;
    return affordableHours(await askBalance(context, context.viewer), creditsPerHour);
  }
}
