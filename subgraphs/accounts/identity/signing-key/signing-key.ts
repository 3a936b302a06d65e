import { Entity, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';
import { Field, ObjectType } from 'type-graphql';
import { DateTime } from '../../../../kernel/scalars/scalars.js';

@ObjectType({
  description: 'A public key that verifies tokens, in the format of RFC 8037.',
  simpleResolvers: true,
})
export class Jwk {
  @Field(() => String, { description: 'Always OKP.' })
  kty!: string;

  @Field(() => String, { description: 'Always Ed25519.' })
  crv!: string;

  @Field(() => String, { description: 'The public key, base64url.' })
  x!: string;

  @Field(() => String, { description: 'The key id in the header of a token.' })
  kid!: string;

  @Field(() => String, { description: 'Always sig.' })
  use!: string;

  @Field(() => String, { description: 'Always EdDSA.' })
  alg!: string;
}

@ObjectType({
  description:
    'The keys that verify access tokens. The same keys sign refresh tokens, which have another type and an audience. To verify an access token, also check that its type is `JWT` and that it has no audience.',
  simpleResolvers: true,
})
export class JwkSet {
  @Field(() => [Jwk], {
    description: 'Newest first, at least one; includes retired keys until the last access token they signed expires.',
  })
  keys!: Jwk[];
}

@ObjectType({ description: 'The key that signs new tokens.', simpleResolvers: true })
export class SigningKey {
  @Field(() => String, { description: 'The key id in the header of a token.' })
  @PrimaryKey({ type: 'text' })
  kid!: string;

  @Field(() => DateTime, { description: 'When the key was created.' })
  @Property({ type: 'datetime' })
  createdAt!: Date;
}

@Entity({ tableName: 'signing_key' })
export class SigningKeyRow extends SigningKey {
  @Property({ type: 'text' }) publicX!: string;
  @Property({ type: 'bytea' }) sealedPrivateKey!: Buffer;
  @Property({ type: 'text' }) sealedBy!: string;
  @Property({ type: 'datetime', nullable: true }) retiredAt!: Date | null;
}
