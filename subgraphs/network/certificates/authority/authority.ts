import { Field, Int, ObjectType, registerEnumType } from 'type-graphql';
import { DateTime } from '../../../../kernel/scalars.js';

const AUTHORITY_STATES = ['announced', 'signing', 'trusted', 'retired'] as const;
type AuthorityState = (typeof AUTHORITY_STATES)[number];

const AuthorityStateEnum = Object.fromEntries(AUTHORITY_STATES.map((state) => [state, state]));

registerEnumType(AuthorityStateEnum, {
  name: 'NetworkAuthorityState',
  description:
    '`announced`: trusted, and about to sign; `signing`; `trusted`: what it signed is good still; `retired`: it is not any more.',
});

@ObjectType({ description: 'Who signs the certificates of a private network.', simpleResolvers: true })
export class NetworkAuthority {
  @Field(() => Int, { description: 'Counts from 1.' })
  generation!: number;

  @Field(() => String, { description: 'SHA-256 of its certificate, 64 hex digits: what certificates name as issuer.' })
  fingerprint!: string;

  @Field(() => AuthorityStateEnum, { description: 'What it is good for now.' })
  state!: AuthorityState;

  @Field(() => DateTime, { description: 'From when it signs.' })
  signsFrom!: Date;

  @Field(() => DateTime, { description: 'Until when what it signed is trusted.' })
  trustedUntil!: Date;

  @Field(() => DateTime, { description: 'When it was made.' })
  createdAt!: Date;
}
