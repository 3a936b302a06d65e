import { Field, ObjectType } from 'type-graphql';
import { DateTime } from '../../../../kernel/scalars.js';

@ObjectType({
  description: 'A public key that tokens are signed with, as RFC 8037 has it.',
  simpleResolvers: true,
})
export class Jwk {
  @Field(() => String, { description: 'Always OKP.' })
  kty!: string;

  @Field(() => String, { description: 'Always Ed25519.' })
  crv!: string;

  @Field(() => String, { description: 'The key, base64url.' })
  x!: string;

  @Field(() => String, { description: 'Names the key in the header of a token.' })
  kid!: string;

  @Field(() => String, { description: 'Always sig.' })
  use!: string;

  @Field(() => String, { description: 'Always EdDSA.' })
  alg!: string;
}

@ObjectType({
  description:
    'The keys that access tokens are checked with. They sign refresh tokens too, which have another type and an audience: whoever checks an access token has to see that its type is `JWT` and that it has no audience.',
  simpleResolvers: true,
})
export class JwkSet {
  @Field(() => [Jwk], {
    description: 'The newest first, at least one; retired ones as long as an access token of theirs may live.',
  })
  keys!: Jwk[];
}

@ObjectType({ description: 'The key that tokens are signed with from now on.', simpleResolvers: true })
export class SigningKey {
  @Field(() => String, { description: 'Names the key in the header of a token.' })
  kid!: string;

  @Field(() => DateTime, { description: 'When it was made.' })
  createdAt!: Date;
}
