import { Field, Int, ObjectType, registerEnumType } from 'type-graphql';
import { DateTime } from '../../../../kernel/scalars/scalars.js';

const AUTHORITY_STATES = ['announced', 'signing', 'trusted', 'retired'] as const;
type AuthorityState = (typeof AUTHORITY_STATES)[number];

const AuthorityStateEnum = Object.fromEntries(AUTHORITY_STATES.map((state) => [state, state]));

registerEnumType(AuthorityStateEnum, {
  name: 'NetworkAuthorityState',
  description:
    '`announced`: trusted, will sign soon; `signing`: signs new certificates; `trusted`: its certificates are still valid; `retired`: no longer trusted, and deleted when its last certificate has expired.',
});

@ObjectType({ description: 'A certificate authority of a private network.', simpleResolvers: true })
export class NetworkAuthority {
  @Field(() => Int, { description: 'Sequence number, starting at 1.' })
  generation!: number;

  @Field(() => String, {
    description: 'SHA-256 of its certificate, 64 hex digits. Certificates name it as their issuer.',
  })
  fingerprint!: string;

  @Field(() => AuthorityStateEnum, { description: 'The current state of the authority.' })
  state!: AuthorityState;

  @Field(() => DateTime, { description: 'When it starts to sign.' })
  signsFrom!: Date;

  @Field(() => DateTime, { description: 'When its certificates stop being trusted.' })
  trustedUntil!: Date;

  @Field(() => DateTime, { description: 'When it was created.' })
  createdAt!: Date;
}
