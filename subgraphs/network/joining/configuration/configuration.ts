import { Field, ObjectType } from 'type-graphql';

/** A configuration in the cache. */
export interface StoredConfiguration {
  readonly hash: string;
  /** The text in UTF-8. */
  readonly bytes: Buffer;
}

@ObjectType({ description: 'The configuration of a machine.', simpleResolvers: true })
export class PeerConfiguration {
  @Field(() => String, { description: 'SHA-256 of the text, 64 hex digits. A machine sends it in its reports.' })
  hash!: string;

  @Field(() => String, {
    description:
      'Nebula configuration in YAML. It names the file of the private key. Lines that begin with `#nft ` are input for nft.',
  })
  text!: string;
}
