import { Directive, Field, Int, ObjectType, registerEnumType } from 'type-graphql';
import { ROLES, type Role } from '../../../../kernel/viewer.js';
import { DateTime } from '../../../../kernel/scalars.js';

/** The roles as a GraphQL enum whose names are its values. */
export const RoleEnum = Object.fromEntries(ROLES.map((role) => [role, role]));

registerEnumType(RoleEnum, {
  name: 'Role',
  description: 'What a user or a service may do beyond its own account. SUPERUSER implies all.',
});

@Directive('@key(fields: "id")')
@ObjectType({
  description: 'A person with an account: credits, machines, a private network, folders.',
  simpleResolvers: true,
})
export class User {
  @Field(() => Int, { description: 'Never changes, never used again.' })
  id!: number;

  @Field(() => String, { description: 'Unique; the checksummed Ethereum address for those who signed in by wallet.' })
  username!: string;

  @Field(() => String, { nullable: true, description: 'Known for those who signed in by a social provider.' })
  email!: string | null;

  @Field(() => String, { nullable: true, description: 'SS58 address, network 42; files and folders belong to it.' })
  substrateAddress!: string | null;

  @Field(() => [RoleEnum], { description: 'Roles an administrator gave.' })
  roles!: Role[];

  @Field(() => DateTime, { description: 'When the user first signed in.' })
  createdAt!: Date;
}

/** The columns of a user under the names of its fields. */
export const USER_COLUMNS =
  'id, username, email, substrate_address AS "substrateAddress", roles, created_at AS "createdAt"';
