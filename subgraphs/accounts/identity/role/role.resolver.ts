import { Arg, Args, Ctx, Mutation, Resolver } from 'type-graphql';
import type { Context } from '../../../../kernel/subgraph/context.js';
import { requireRole, type Role } from '../../../../kernel/security/viewer.js';
import { RoleEnum, User } from '../user/user.js';
import { UserKeyArguments, userKeyOf } from '../user/user-key.js';
import { setRoles } from './role.actions.js';

@Resolver()
export class RoleResolver {
  @Mutation(() => User, {
    description:
      'Replaces the roles of a user. Requires the role ADMIN; only a superuser can grant or revoke ADMIN and SUPERUSER. Errors BAD_REQUEST, FORBIDDEN, NOT_FOUND.',
  })
  adminSetRoles(
    @Args(() => UserKeyArguments) key: UserKeyArguments,
    @Arg('roles', () => [RoleEnum], { description: 'The complete new list of roles.' }) roles: Role[],
    @Ctx() { viewer, database, now }: Context,
  ): Promise<User> {
    requireRole(viewer, 'ADMIN');
    return setRoles(database, { viewer, key: userKeyOf(key), roles }, now());
  }
}
