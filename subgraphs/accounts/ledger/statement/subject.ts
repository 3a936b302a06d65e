import { Directive, Field, InterfaceType, ObjectType } from 'type-graphql';

@InterfaceType({ description: 'What a movement of credits is about.' })
export abstract class StatementSubject {}

/** Fields that accounts adds to VmInstance of infrastructure. */
@Directive('@key(fields: "uuid")')
@ObjectType('VmInstance', { implements: StatementSubject, simpleResolvers: true })
export class VmInstance {
  @Field(() => String)
  uuid!: string;
}
