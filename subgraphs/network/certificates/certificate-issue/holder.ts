import { Field, Int, ObjectType } from 'type-graphql';
import { DateTime } from '../../../../kernel/scalars.js';

@ObjectType({ description: 'How long a certificate is good for.', simpleResolvers: true })
export class HolderTerm {
  @Field(() => String, { description: 'As whoever asked for the certificate calls it.' })
  reference!: string;

  @Field(() => DateTime, { description: 'When it ends, or its authority is not trusted any more.' })
  expiresAt!: Date;

  @Field(() => Boolean, {
    description: 'Whether it should be renewed: two thirds of its time are over, or another authority signs now.',
  })
  isDue!: boolean;
}

@ObjectType({
  description: 'A certificate of a private network with all that its holder needs but the private key.',
  simpleResolvers: true,
})
export class HolderCertificate extends HolderTerm {
  @Field(() => Int, { description: 'The peer that its holder is.' })
  peer!: number;

  @Field(() => String, { description: 'Its address in the overlay.' })
  ip!: string;

  @Field(() => String, { description: 'For which it was issued: x25519, 64 hex digits.' })
  publicKey!: string;

  @Field(() => Int, { description: 'Which of the holder’s keys that is.' })
  keyNumber!: number;

  @Field(() => String, { description: 'In PEM.' })
  certificate!: string;

  @Field(() => String, { description: 'Certificates of all trusted authorities, in PEM one after the other.' })
  authorities!: string;

  @Field(() => String, { description: 'What the holder has to run, for Nebula in YAML.' })
  configuration!: string;
}
