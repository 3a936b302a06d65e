import { Field, Int, ObjectType } from 'type-graphql';
import { DateTime, IntegerOrString } from '../../../../kernel/scalars/scalars.js';

@ObjectType({
  description: 'The setup key for the machine of an enrollment. The key and the command are shown only once.',
  simpleResolvers: true,
})
export class InfraSetupKey {
  @Field(() => Int, { description: 'Id of the setup key.' })
  id!: number;

  @Field(() => Int, { description: 'The enrollment of the key.' })
  enrollment!: number;

  @Field(() => Int, { description: 'The peer that the machine becomes.' })
  peer!: number;

  @Field(() => String, { description: 'The setup key, for one machine. It cannot be read again.' })
  setupKey!: string;

  @Field(() => String, { description: 'One command line to run as root on the machine.' })
  joinCommand!: string;

  @Field(() => DateTime, { description: 'When the key expires if unused.' })
  expiresAt!: Date;
}

@ObjectType({ description: 'A machine that the platform runs, attached to a private network.', simpleResolvers: true })
export class InfraEnrollment {
  @Field(() => Int, { description: 'Id of the enrollment; never changes.' })
  id!: number;

  @Field(() => String, { description: 'Unique among the attached machines of the network.' })
  name!: string;

  @Field(() => IntegerOrString, {
    nullable: true,
    description: 'The VM instance as given; null for a managed gateway.',
  })
  vmInstance!: number | string | null;

  @Field(() => Int, {
    nullable: true,
    description: 'Your group that was given when it was attached, while it is in that group.',
  })
  group!: number | null;

  @Field(() => Int, { nullable: true, description: 'The peer of the machine; null after the peer is deleted.' })
  peer!: number | null;

  @Field(() => String, {
    description:
      '`never_seen`, `applying`, `in_force` or `stale`, as for its peer; `removed` after the peer is deleted.',
  })
  state!: string;

  @Field(() => DateTime, { description: 'When it was attached.' })
  createdAt!: Date;
}
