import { Field, ObjectType } from 'type-graphql';

/** The same as it is kept. */
export interface StoredConfiguration {
  readonly hash: string;
  /** Of the text, in UTF-8. */
  readonly bytes: Buffer;
}

@ObjectType({ description: 'What a machine has to run.', simpleResolvers: true })
export class PeerConfiguration {
  @Field(() => String, { description: 'SHA-256 of the text, 64 hex digits: what a report names.' })
  hash!: string;

  @Field(() => String, {
    description:
      'For Nebula, in YAML; the private key is expected in the file it names. Lines that begin with `#nft ` are for nft.',
  })
  text!: string;
}
