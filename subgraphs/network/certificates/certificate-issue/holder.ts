import { Field, Int, ObjectType } from 'type-graphql';
import { DateTime } from '../../../../kernel/scalars/scalars.js';

@ObjectType({ description: 'How long a certificate is valid.', simpleResolvers: true })
export class CertificateValidity {
  @Field(() => String, { description: 'The reference given when the certificate was requested.' })
  reference!: string;

  @Field(() => DateTime, {
    description: 'When the certificate expires or its authority stops being trusted, whichever is earlier.',
  })
  expiresAt!: Date;

  @Field(() => Boolean, {
    description: 'Whether it should be renewed: two thirds of its lifetime have passed, or a newer authority signs.',
  })
  isDue!: boolean;
}

@ObjectType({
  description: 'A certificate of a private network with everything that its holder needs except the private key.',
  simpleResolvers: true,
})
export class HolderCertificate extends CertificateValidity {
  @Field(() => Int, { description: 'The peer of the holder.' })
  peer!: number;

  @Field(() => String, { description: 'The overlay address of the peer.' })
  ip!: string;

  @Field(() => String, { description: 'The public key in the certificate: x25519, 64 hex digits.' })
  publicKey!: string;

  @Field(() => Int, { description: 'Number of the holder’s key; each new key has a higher one.' })
  keyNumber!: number;

  @Field(() => String, { description: 'The certificate in PEM.' })
  certificate!: string;

  @Field(() => String, { description: 'The certificates of all trusted authorities, concatenated PEM blocks.' })
  authorities!: string;

  @Field(() => String, { description: 'The configuration for the holder’s machine: YAML for Nebula.' })
  configuration!: string;
}
