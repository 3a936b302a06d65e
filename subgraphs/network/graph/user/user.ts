import { Directive, Field, Int, ObjectType } from 'type-graphql';

/** Fields that network adds to User of accounts. */
@Directive('@key(fields: "id")')
@ObjectType('User', { simpleResolvers: true })
export class User {
  @Field(() => Int)
  id!: number;
}
