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
  @Field(() => Int, { nullable: true, description: 'Id of the flavor to change. Omitted: adds a new one.' })
  id?: number | null;

  @Field(() => String, { description: 'Unique: 1 to 50 lower-case letters, digits and dashes.' })
  name!: string;

  @Field(() => String, { description: 'Display name, 1 to 100 characters.' })
  displayName!: string;

  @Field(() => Int, { description: 'Virtual CPUs, 1 to 512.' })
  cpuCores!: number;

  @Field(() => Int, { description: 'Memory in MiB, 128 to 16777216.' })
  memoryMb!: number;

  @Field(() => Int, { description: 'Disk in GiB, 1 to 65536.' })
  dataDiskGb!: number;

  @Field(() => Decimal, { description: 'Price of an hour of running, in credits: above zero, at most 10000.' })
  creditsPerHour!: string;

  @Field(() => Decimal, {
    nullable: true,
    description:
      'Price of an hour while stopped, in credits: zero or more, at most the price of running. Omitted: unchanged, zero for a new flavor. Existing machines keep their price.',
  })
  stoppedCreditsPerHour?: string | null;

  @Field(() => String, { nullable: true, description: 'Description, up to 2000 characters.' })
  description?: string | null;
}

@Resolver(() => VmFlavor)
export class VmFlavorResolver {
  @Query(() => [VmFlavor], { description: 'Available machine sizes, oldest first.' })
  vmFlavors(@Ctx() { viewer, database }: Context): Promise<VmFlavor[]> {
    requireSignedIn(viewer);
    return listFlavors(database);
  }

  @Mutation(() => VmFlavor, {
    description:
      'Adds a flavor, or changes one and makes it available again. Requires the role ADMIN. Errors: BAD_REQUEST, NOT_FOUND, CONFLICT for the name.',
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
    return affordableHours(await askBalance(context, context.viewer), creditsPerHour);
  }
}
