import { Directive, Field, ID, InterfaceType, ObjectType } from 'type-graphql';
import { listSize } from '../../../../kernel/paging/page.js';
import { Statement } from './statement.js';

@InterfaceType({ description: 'A machine, a payment or a day of storage that lines of a statement refer to.' })
export abstract class StatementSubject {
  @Directive(listSize('first', ['lines']))
  @Field(() => Statement, {
    description: 'The lines of your statement that refer to it, newest first. Error BAD_REQUEST.',
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

/** Fields that accounts adds to StorageCharge of sync. */
@Directive('@key(fields: "id")')
@ObjectType('StorageCharge', { implements: StatementSubject, simpleResolvers: true })
export class StorageCharge {
  @Field(() => ID)
  id!: string;
}
