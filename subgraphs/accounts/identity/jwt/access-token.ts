import { Field, Int, ObjectType } from 'type-graphql';

/** Lifetime of an access token in seconds. */
export const ACCESS_TTL_SECONDS = 900;

@ObjectType({
  description: 'A pair of tokens: an access token for requests and a refresh token for the next pair.',
  simpleResolvers: true,
})
export class MasterToken {
  @Field(() => String, { description: 'JWT, EdDSA, of the type `JWT`; send it as `Authorization: Bearer <token>`.' })
  accessToken!: string;

  @Field(() => String, {
    description:
      'JWT, EdDSA, of the type `refresh+jwt`: can be exchanged once for the next pair. Only this platform accepts it, by its stored record; it is not an access token.',
  })
  refreshToken!: string;

  @Field(() => Int, { description: 'Lifetime of the access token in seconds.' })
  expiresIn!: number;

  @Field(() => String, { description: 'Always Bearer.' })
  tokenType!: string;

  @Field(() => String, { description: 'The highest role, lower case; `user` without a role.' })
  role!: string;

  @Field(() => String, { description: 'The scope of the token: always `platform`, the whole API.' })
  scope!: string;
}
