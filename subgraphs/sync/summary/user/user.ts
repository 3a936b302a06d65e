import { Directive, Field, Int, ObjectType } from 'type-graphql';

/** What this subgraph adds to the user, who belongs to accounts. */
@Directive('@key(fields: "id")')
@ObjectType('User', { simpleResolvers: true })
export class User {
  @Field(() => Int)
  id!: number;

  @Directive('@external')
  @Field(() => String, { nullable: true })
  substrateAddress!: string | null;
}
