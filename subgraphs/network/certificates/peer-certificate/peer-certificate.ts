import { Directive, Field, ObjectType } from 'type-graphql';
import { DateTime } from '../../../../kernel/scalars/scalars.js';

@Directive('@key(fields: "fingerprint")')
@ObjectType({
  description: 'The current certificate of a peer, which other peers check.',
  simpleResolvers: true,
})
export class Certificate {
  @Field(() => String, { description: 'SHA-256 of the certificate, 64 hex digits.' })
  fingerprint!: string;

  @Field(() => DateTime, { description: 'When it expires.' })
  expiresAt!: Date;

  /** Id of its peer. */
  peerId!: number;

  /** Reference of the record for which it was issued; null: the machine joined with a setup key. */
  reference!: string | null;
}

/** Fields that network adds to OverlayCertificateRecord of infrastructure. */
@Directive('@key(fields: "reference")')
@ObjectType('OverlayCertificateRecord', { simpleResolvers: true })
export class OverlayCertificateRecord {
  @Field(() => String)
  reference!: string;
}
