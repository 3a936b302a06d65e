import { Arg, Ctx, Directive, FieldResolver, Int, Mutation, Query, Resolver, Root } from 'type-graphql';
import type { Context } from '../../../../kernel/subgraph/context.js';
import { notFound } from '../../../../kernel/errors.js';
import { requirePlatform, requireRole, requireUser, type Role } from '../../../../kernel/viewer.js';
import { CreditBalance } from '../../ledger/credit/credit-balance.js';
import { balanceOfUser } from '../../ledger/credit/credit-balance.actions.js';
import { findUser, setRoles, userByAddress } from './user.actions.js';
import { RoleEnum, User } from './user.js';
import { mayRead } from './user.rules.js';

@Resolver(() => User)
export class UserResolver {
  @Query(() => User, { description: 'You.' })
  async me(@Ctx() { viewer, database }: Context): Promise<User> {
    const user = await findUser(database, requireUser(viewer).userId);
    if (!user) throw notFound('Your account is gone.');
    return user;
  }

  @Query(() => User, { description: 'The user with this SS58 address. Needs the role ADMIN.' })
  user(
    @Arg('substrateAddress', () => String, { description: 'SS58 address, network 42.' }) substrateAddress: string,
    @Ctx() { viewer, database }: Context,
  ): Promise<User> {
    requireRole(viewer, 'ADMIN');
    return userByAddress(database, substrateAddress);
  }

  @Directive('@inaccessible')
  @Query(() => Int, { description: 'The id of the user with this SS58 address, for the platform. Error NOT_FOUND.' })
  async userIdOfAddress(
    @Arg('substrateAddress', () => String, { description: 'SS58 address, network 42.' }) substrateAddress: string,
    @Ctx() { viewer, database }: Context,
  ): Promise<number> {
    requirePlatform(viewer);
    return (await userByAddress(database, substrateAddress)).id;
  }

  @Mutation(() => User, {
    description:
      'Gives a user exactly these roles. Needs the role ADMIN; only a superuser deals in ADMIN and SUPERUSER.',
  })
  adminSetRoles(
    @Arg('substrateAddress', () => String, { description: 'SS58 address of the user.' }) substrateAddress: string,
    @Arg('roles', () => [RoleEnum], { description: 'All roles the user is to have.' }) roles: Role[],
    @Ctx() { viewer, database }: Context,
  ): Promise<User> {
    requireRole(viewer, 'ADMIN');
    return setRoles(database, { viewer, substrateAddress, roles });
  }

  @FieldResolver(() => CreditBalance, {
    nullable: true,
    description: 'Credits; null for those whose balance is not yours to see.',
  })
  creditBalance(@Root() user: User, @Ctx() { viewer, database }: Context): Promise<CreditBalance> | null {
    return mayRead(viewer, user.id) ? balanceOfUser(database, user.id) : null;
  }
}
