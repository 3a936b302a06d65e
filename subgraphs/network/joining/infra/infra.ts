import { Field, Int, ObjectType } from 'type-graphql';
import { DateTime, IntegerOrString } from '../../../../kernel/scalars.js';

@ObjectType({
  description: 'The key with which the machine of an enrollment joins: the key and the command are shown this once.',
  simpleResolvers: true,
})
export class InfraSetupKey {
  @Field(() => Int, { description: 'Of the setup key.' })
  id!: number;

  @Field(() => Int, { description: 'The enrollment that it is for.' })
  enrollment!: number;

  @Field(() => Int, { description: 'The peer that the machine becomes.' })
  peer!: number;

  @Field(() => String, { description: 'Good for one machine; cannot be read again.' })
  setupKey!: string;

  @Field(() => String, { description: 'One line to run as root on the machine.' })
  joinCommand!: string;

  @Field(() => DateTime, { description: 'When the key ends unused.' })
  expiresAt!: Date;
}

@ObjectType({ description: 'A machine that the platform runs, attached to a private network.', simpleResolvers: true })
export class InfraEnrollment {
  @Field(() => Int, { description: 'Never changes.' })
  id!: number;

  @Field(() => String, { description: 'Unique among those of the network.' })
  name!: string;

  @Field(() => IntegerOrString, {
    nullable: true,
    description: 'The VM instance as it was named; null: a managed gateway.',
  })
  vmInstance!: number | string | null;

  @Field(() => Int, {
    nullable: true,
    description: 'The group of yours that it was attached to, as long as it is in it.',
  })
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
