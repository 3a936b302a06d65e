import { Directive, Field, InterfaceType, ObjectType } from 'type-graphql';
import { sizedBy } from '../../../../kernel/paging/page.js';
import { Statement } from './statement.js';

@InterfaceType({ description: 'What a movement of credits is about.' })
export abstract class StatementSubject {
  @Directive(sizedBy('first', 'lines'))
  @Field(() => Statement, {
    description: 'The movements of your credits that are about it, newest first. Error BAD_REQUEST.',
  })
  charges!: Statement;
}

/** Fields that accounts adds to VmInstance of infrastructure. */
@Directive('@key(fields: "uuid")')
@ObjectType('VmInstance', { implements: StatementSubject, simpleResolvers: true })
export class VmInstance {
  @Field(() => String)
  uuid!: string;
}
