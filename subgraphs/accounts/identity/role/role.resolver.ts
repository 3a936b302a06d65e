import { Arg, Ctx, Mutation, Resolver } from 'type-graphql';
import type { Context } from '../../../../kernel/subgraph/context.js';
import { requireRole, type Role } from '../../../../kernel/security/viewer.js';
import { RoleEnum, User } from '../user/user.js';
import { setRoles } from './role.actions.js';

@Resolver()
export class RoleResolver {
  @Mutation(() => User, {
    description:
      'Replaces the roles of a user. Requires the role ADMIN; only a superuser can grant or revoke ADMIN and SUPERUSER.',
  })
  adminSetRoles(
    @Arg('substrateAddress', () => String, { description: 'SS58 address of the user.' }) substrateAddress: string,
    @Arg('roles', () => [RoleEnum], { description: 'The complete new list of roles.' }) roles: Role[],
    @Ctx() { viewer, database, now }: Context,
  ): Promise<User> {
    requireRole(viewer, 'ADMIN');
    return setRoles(database, { viewer, substrateAddress, roles }, now());
  }
}
