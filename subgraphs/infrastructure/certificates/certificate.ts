import { Directive, Field, Int, ObjectType, registerEnumType } from 'type-graphql';
import { DateTime } from '../../../kernel/scalars/scalars.js';

const CERTIFICATE_STATES = ['active', 'expired', 'revoking', 'revoked'] as const;
type CertificateState = (typeof CERTIFICATE_STATES)[number];

const CertificateStateEnum = Object.fromEntries(CERTIFICATE_STATES.map((state) => [state, state]));

registerEnumType(CertificateStateEnum, {
  name: 'OverlayCertificateState',
  description: '`expired`: can be renewed; `revoking`: not yet on the revocation list of every machine.',
});

@Directive('@key(fields: "reference")')
@ObjectType({ description: 'History entry of an overlay certificate.', simpleResolvers: true })
export class OverlayCertificateRecord {
  @Field(() => String, { description: 'A uuid. Does not change on renewal.' })
  reference!: string;

  @Field(() => Int, { description: 'Id. Does not change on renewal.' })
  certificateId!: number;

  @Field(() => CertificateStateEnum, { description: 'Current state.' })
  state!: CertificateState;

  @Field(() => String, { description: 'IP address in the overlay network.' })
  ip!: string;

  @Field(() => Boolean, {
    description: 'Whether you supplied your own key, so that the platform never had the private key.',
  })
  isOwnKey!: boolean;

  @Field(() => DateTime, { description: 'When it expires, or when its authority is no longer trusted.' })
  expiresAt!: Date;

  @Field(() => DateTime, { description: 'When it was first requested.' })
  createdAt!: Date;

  @Field(() => DateTime, { nullable: true, description: 'When it was revoked.' })
  revokedAt!: Date | null;
}

@ObjectType({
  description: 'A certificate for your private network, with the files that Nebula needs.',
  simpleResolvers: true,
})
export class OverlayCertificate {
  @Field(() => Int, { description: 'Id. Does not change on renewal.' })
  certificateId!: number;

  @Field(() => String, {
    description: 'Certificates of the trusted authorities, in PEM; two during a rotation.',
  })
  ca!: string;

  @Field(() => String, { description: 'The certificate, in PEM.' })
  cert!: string;

  @Field(() => String, {
    nullable: true,
    description: 'The private key, in PEM; null if you supplied your own key.',
  })
  key!: string | null;

  @Field(() => String, { description: 'Your IP address in the overlay network. Does not change on renewal.' })
  ip!: string;

  @Field(() => String, {
    description:
      'Nebula configuration, in YAML. If you supplied your own key, it expects the private key at `/etc/nebula/host.key`.',
  })
  config!: string;

  @Field(() => Boolean, { description: 'Whether it is valid now.' })
  isActive!: boolean;

  @Field(() => DateTime, { description: 'When it expires, or when its authority is no longer trusted.' })
  expiresAt!: Date;

  @Field(() => DateTime, { description: 'When it was first requested.' })
  createdAt!: Date;
}
