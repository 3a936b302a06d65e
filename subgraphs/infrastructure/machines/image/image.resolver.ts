import { Arg, Args, ArgsType, Ctx, Field, Int, Mutation, Query, Resolver } from 'type-graphql';
import type { Context } from '../../../../kernel/subgraph/context.js';
import { requireRole, requireSignedIn } from '../../../../kernel/security/viewer.js';
import { listImages, listRetiredImages, retireImage, saveImage } from './image.actions.js';
import { VmImage } from './image.js';
import { checkImage } from './image.rules.js';

@ArgsType()
class VmImageArgs {
  @Field(() => Int, { nullable: true, description: 'Id of the image to change. Omitted: adds a new one.' })
  id?: number | null;

  @Field(() => String, {
    description: 'Display name, unique, 1 to 100 characters, beginning with the distribution: `Debian 13`.',
  })
  name!: string;

  @Field(() => String, { description: 'Unique: 1 to 50 lower-case letters, digits and dashes.' })
  slug!: string;

  @Field(() => String, { description: 'Description, 1 to 2000 characters.' })
  description!: string;
}

@Resolver(() => VmImage)
export class VmImageResolver {
  @Query(() => [VmImage], { description: 'Available operating systems, oldest first.' })
  vmImages(@Ctx() { viewer, database }: Context): Promise<VmImage[]> {
    requireSignedIn(viewer);
    return listImages(database);
  }

  @Query(() => [VmImage], {
    description: 'Retired images, oldest first. `adminSaveVmImage` makes one available again. Requires the role ADMIN.',
  })
  adminRetiredVmImages(@Ctx() { viewer, database }: Context): Promise<VmImage[]> {
    requireRole(viewer, 'ADMIN');
    return listRetiredImages(database);
  }

  @Mutation(() => VmImage, {
    description:
      'Adds an image, or changes one and makes it available again. Requires the role ADMIN. Errors: BAD_REQUEST, NOT_FOUND, CONFLICT for name and slug.',
  })
  async adminSaveVmImage(
    @Args(() => VmImageArgs) { id, ...spec }: VmImageArgs,
    @Ctx() { viewer, database }: Context,
  ): Promise<VmImage> {
    requireRole(viewer, 'ADMIN');
    checkImage(spec);
    return saveImage(database, id ?? undefined, spec);
  }

  @Mutation(() => VmImage, {
    description:
      'Retires an image: new machines cannot use it. Repeating it has no further effect. Requires the role ADMIN. Error NOT_FOUND.',
  })
  async adminRetireVmImage(
    @Arg('id', () => Int, { description: 'Id of the image.' }) id: number,
    @Ctx() { viewer, database, now }: Context,
  ): Promise<VmImage> {
    requireRole(viewer, 'ADMIN');
    return retireImage(database, id, now());
  }
}
