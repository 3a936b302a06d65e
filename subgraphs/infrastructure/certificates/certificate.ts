import { Field, Int, ObjectType, registerEnumType } from 'type-graphql';
import { DateTime } from '../../../kernel/scalars.js';

const CERTIFICATE_STATES = ['active', 'expired', 'revoking', 'revoked'] as const;
type CertificateState = (typeof CERTIFICATE_STATES)[number];

const CertificateStateEnum = Object.fromEntries(CERTIFICATE_STATES.map((state) => [state, state]));

registerEnumType(CertificateStateEnum, {
  name: 'OverlayCertificateState',
  description: '`expired` can be renewed; `revoking` until every machine’s list is known to hold it.',
});

@ObjectType({ description: 'What became of an overlay certificate.', simpleResolvers: true })
export class OverlayCertificateRecord {
  @Field(() => Int, { description: 'Stays the same when it is renewed.' })
  certificateId!: number;

  @Field(() => CertificateStateEnum, { description: 'What it is good for now.' })
  state!: CertificateState;

  @Field(() => String, { description: 'Its address in the overlay.' })
  ip!: string;

  @Field(() => Boolean, { description: 'Whether the private key never left its holder.' })
  isOwnKey!: boolean;

  @Field(() => DateTime, { description: 'When it ends, or its authority is not trusted any more.' })
  expiresAt!: Date;

  @Field(() => DateTime, { description: 'When it was first asked for.' })
  createdAt!: Date;

  @Field(() => DateTime, { nullable: true, description: 'When it was revoked.' })
  revokedAt!: Date | null;
}

@ObjectType({
  description: 'A certificate for your private network, with all that Nebula needs.',
  simpleResolvers: true,
})
export class OverlayCertificate {
  @Field(() => Int, { description: 'Stays the same when it is renewed.' })
  certificateId!: number;

  @Field(() => String, {
    description: 'Certificates of the authorities to trust, in PEM; two while one takes the place of the other.',
  })
  ca!: string;

  @Field(() => String, { description: 'The certificate, in PEM.' })
  cert!: string;

  @Field(() => String, {
    nullable: true,
    description: 'The private key, in PEM; null where you have made it yourself and only you have it.',
  })
  key!: string | null;

  @Field(() => String, { description: 'Your address in the overlay; stays the same when it is renewed.' })
  ip!: string;

  @Field(() => String, {
    description: 'A configuration for Nebula, in YAML; a key that only you have is expected at `/etc/nebula/host.key`.',
  })
  config!: string;

  @Field(() => Boolean, { description: 'Whether it can be used.' })
  isActive!: boolean;

  @Field(() => DateTime, { description: 'When it ends, or its authority is not trusted any more.' })
  expiresAt!: Date;

  @Field(() => DateTime, { description: 'When it was first asked for.' })
  createdAt!: Date;
}
