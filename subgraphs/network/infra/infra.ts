import { Field, Int, ObjectType } from 'type-graphql';
import { DateTime } from '../../../kernel/scalars.js';

@ObjectType({ description: 'A machine that the platform runs, attached to a private network.', simpleResolvers: true })
export class InfraEnrollment {
  @Field(() => Int, { description: 'Never changes.' })
  id!: number;

  @Field(() => String, { description: 'Unique among those of the network.' })
  name!: string;

  @Field(() => String, { nullable: true, description: 'The uuid of the VM instance; null: a managed gateway.' })
  vmInstance!: string | null;

  @Field(() => Int, { nullable: true, description: 'The group of yours it is in beside the platform’s own, if any.' })
  group!: number | null;

  @Field(() => Int, { nullable: true, description: 'The peer that it is; null once that is deleted.' })
  peer!: number | null;

  @Field(() => String, {
    description: '`never_seen`, `applying`, `in_force` or `stale` as its peer is; `removed` once that is deleted.',
  })
  state!: string;

  @Field(() => DateTime, { description: 'When it was attached.' })
  createdAt!: Date;
}
