import { Arg, Args, ArgsType, Ctx, Directive, Field, Int, Query, Resolver } from 'type-graphql';
import { listSize } from '../../../../kernel/paging/page.js';
import type { Context } from '../../../../kernel/subgraph/context.js';
import { notFound } from '../../../../kernel/errors.js';
import { requirePlatform, requireRole, requireUser, type Role } from '../../../../kernel/security/viewer.js';
import { findUser, userByAddress, userByKey } from './user.actions.js';
import { UserKeyArguments, userKeyOf } from './user-key.js';
import { listUsers } from './user-list.actions.js';
import { userSearch } from './user-list.rules.js';
import { RoleEnum, User, UserPage } from './user.js';

/** A page of the list of users. */
@ArgsType()
class UserListArguments {
  @Field(() => String, {
    nullable: true,
    description:
      'Only users with this text in their username, e-mail address or SS58 address, in any case; at least three letters or digits in a row.',
  })
  search!: string | null;

  @Field(() => RoleEnum, { nullable: true, description: 'Only users to whom this role was granted.' })
  role!: Role | null;

  @Field(() => Int, { nullable: true, description: 'Maximum number of users: default 50, at most 200.' })
  first!: number | null;

  @Field(() => String, { nullable: true, description: 'The `nextCursor` of the previous page.' })
  after!: string | null;
}

@Resolver()
export class UserResolver {
  @Query(() => User, { description: 'The signed-in user.' })
  async me(@Ctx() { viewer, database }: Context): Promise<User> {
    const user = await findUser(database, requireUser(viewer).userId);
    if (!user) throw notFound('Your account no longer exists.');
    return user;
  }

  @Query(() => User, {
    description: 'The user with this SS58 address or id. Requires the role ADMIN. Errors BAD_REQUEST, NOT_FOUND.',
  })
  user(@Args(() => UserKeyArguments) key: UserKeyArguments, @Ctx() { viewer, database }: Context): Promise<User> {
    requireRole(viewer, 'ADMIN');
    return userByKey(database, userKeyOf(key));
  }

  @Directive(listSize('first'))
  @Query(() => UserPage, { description: 'All users, newest first. Requires the role ADMIN. Error BAD_REQUEST.' })
  users(
    @Args(() => UserListArguments) { search, role, first, after }: UserListArguments,
    @Ctx() { viewer, database }: Context,
  ): Promise<UserPage> {
    requireRole(viewer, 'ADMIN');
    const request = { search: search ?? null, role: role ?? null, first: first ?? null, after: after ?? null };
    return listUsers(database, userSearch(request));
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
