import { Arg, Ctx, Directive, Int, Query, Resolver } from 'type-graphql';
import type { Context } from '../../../../kernel/subgraph/context.js';
import { notFound } from '../../../../kernel/errors.js';
import { requirePlatform, requireRole, requireUser } from '../../../../kernel/security/viewer.js';
import { findUser, userByAddress } from './user.actions.js';
import { User } from './user.js';

@Resolver()
export class UserResolver {
  @Query(() => User, { description: 'The signed-in user.' })
  async me(@Ctx() { viewer, database }: Context): Promise<User> {
    const user = await findUser(database, requireUser(viewer).userId);
    if (!user) throw notFound('Your account no longer exists.');
    return user;
  }

  @Query(() => User, { description: 'The user with this SS58 address. Requires the role ADMIN.' })
  user(
    @Arg('substrateAddress', () => String, { description: 'SS58 address, network 42.' }) substrateAddress: string,
    @Ctx() { viewer, database }: Context,
  ): Promise<User> {
    requireRole(viewer, 'ADMIN');
    return userByAddress(database, substrateAddress);
  }

  @Directive('@inaccessible')
  @Query(() => Int, { description: 'The id of the user with this SS58 address; internal. Error NOT_FOUND.' })
  async userIdOfAddress(
    @Arg('substrateAddress', () => String, { description: 'SS58 address, network 42.' }) substrateAddress: string,
    @Ctx() { viewer, database }: Context,
  ): Promise<number> {
    requirePlatform(viewer);
    return (await userByAddress(database, substrateAddress)).id;
  }
}
