import { Arg, Ctx, Mutation, Resolver } from 'type-graphql';
import type { Context } from '../../../../kernel/subgraph/context.js';
import { requireRole, type Role } from '../../../../kernel/viewer.js';
import { RoleEnum, User } from '../user/user.js';
import { setRoles } from './role.actions.js';

@Resolver()
export class RoleResolver {
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
}
