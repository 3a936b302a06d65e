import { Directive, Field, ObjectType } from 'type-graphql';

/** Fields that network adds to VmInstance of infrastructure. */
@Directive('@key(fields: "uuid")')
@ObjectType('VmInstance', { simpleResolvers: true })
export class VmInstance {
  @Field(() => String)
  uuid!: string;
}
