import type { Opt } from '@mikro-orm/core';
import { Entity, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';
import { Directive, Field, Int, ObjectType, registerEnumType } from 'type-graphql';
import { ROLES, type Role } from '../../../../kernel/security/viewer.js';
import type { Computed } from '../../../../kernel/database/query.js';
import { CursorPage } from '../../../../kernel/paging/page.js';
import { DateTime } from '../../../../kernel/scalars/scalars.js';

/** The roles as a GraphQL enum whose names are its values. */
export const RoleEnum = Object.fromEntries(ROLES.map((role) => [role, role]));

registerEnumType(RoleEnum, {
  name: 'Role',
  description: 'A role: permissions beyond the own account. SUPERUSER includes all roles.',
});

@Directive('@key(fields: "id")')
@ObjectType({
  description: 'A person with an account: credits, machines, a private network, folders.',
  simpleResolvers: true,
})
export class User {
  @Field(() => Int, { description: 'Stable id; never reused.' })
  @PrimaryKey({ type: 'integer', generated: 'identity' })
  id!: Opt<number>;

  @Field(() => String, {
    description: 'Unique name; the checksummed Ethereum address for users who signed in with a wallet.',
  })
  @Property({ type: 'text' })
  username!: string;

  @Field(() => String, {
    nullable: true,
    description: 'The e-mail address from a social sign-in provider or confirmed by the user.',
  })
  @Property({ type: 'text', nullable: true })
  email!: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'SS58 address, network 42; it owns the user’s files and folders.',
  })
  @Property({ type: 'text', nullable: true })
  substrateAddress!: string | null;

  @Field(() => Boolean, {
    description:
      'Whether a signature of its key has proved the SS58 address; false if the address is only claimed, or there is none. Roles end when another wallet proves a claimed address.',
  })
  isAddressVerified!: Computed<boolean>;

  @Field(() => [RoleEnum], { description: 'Roles granted by an administrator.' })
  @Property({ type: 'text[]', defaultRaw: `'{}'::text[]` })
  roles!: Opt<Role[]>;

  @Field(() => DateTime, { description: 'When the user first signed in.' })
  @Property({ type: 'datetime' })
  createdAt!: Date;
}

@ObjectType({ description: 'A page of users, newest first.', simpleResolvers: true })
export class UserPage extends CursorPage {
  @Field(() => [User], { description: 'The users of the page.' })
  results!: User[];
}

@Entity({ tableName: 'user' })
export class UserRow extends User {
  @Property({ type: 'text', nullable: true }) ethereumAddress!: string | null;
  @Property({ type: 'boolean', default: false }) substrateProved!: Opt<boolean>;
  @Property({ type: 'text', defaultRaw: `substr(md5((gen_random_uuid())::text), 1, 16)` }) referralCode!: Opt<string>;
  @Property({ type: 'integer', nullable: true }) referredBy!: number | null;
  @Property({ type: 'integer', default: 0 }) rewardedReferrals!: Opt<number>;
}

/** The columns of a user in GraphQL. */
export const USER_COLUMNS = [
  'user.id',
  'user.username',
  'user.email',
  'user.substrateAddress',
  'user.substrateProved as isAddressVerified',
  'user.roles',
  'user.createdAt',
] as const;
