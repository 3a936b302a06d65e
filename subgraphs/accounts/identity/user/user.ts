import { Directive, Field, Int, ObjectType, registerEnumType } from 'type-graphql';
import { ROLES, type Role } from '../../../../kernel/viewer.js';
import { DateTime } from '../../../../kernel/scalars.js';

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
  id!: number;

  @Field(() => String, {
    description: 'Unique name; the checksummed Ethereum address for users who signed in with a wallet.',
  })
  username!: string;

  @Field(() => String, {
    nullable: true,
    description: 'The e-mail address from a social sign-in provider or confirmed by the user.',
  })
  email!: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'SS58 address, network 42; it owns the user’s files and folders.',
  })
  substrateAddress!: string | null;

  @Field(() => [RoleEnum], { description: 'Roles granted by an administrator.' })
  roles!: Role[];

  @Field(() => DateTime, { description: 'When the user first signed in.' })
  createdAt!: Date;
}

/** The columns of a user under the names of its fields. */
export const USER_COLUMNS =
  'id, username, email, substrate_address AS "substrateAddress", roles, created_at AS "createdAt"';
