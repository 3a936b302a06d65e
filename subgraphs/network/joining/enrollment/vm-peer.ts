import { Directive, Field, ID, Int, ObjectType } from 'type-graphql';

@Directive('@inaccessible')
@ObjectType({ description: 'The peer of a virtual machine of the platform.', simpleResolvers: true })
export class VmPeer {
  @Field(() => Int, { description: 'The peer.' })
  peer!: number;

  @Field(() => String, { description: 'The overlay address of the peer.' })
  ip!: string;

  @Field(() => Boolean, { description: 'Whether its machine has joined.' })
  hasJoined!: boolean;
}

@Directive('@inaccessible')
@ObjectType({ description: 'The overlay address of a virtual machine of the platform.', simpleResolvers: true })
export class VmAddress {
  @Field(() => Int, { description: 'The owner of the machine.' })
  userId!: number;

  @Field(() => ID, { description: 'The machine.' })
  uuid!: string;

  @Field(() => String, { description: 'The overlay address of its peer.' })
  ip!: string;
}

@Directive('@inaccessible')
@ObjectType({ description: 'How a virtual machine of the platform joins a private network.', simpleResolvers: true })
export class VmEnrollment {
  @Field(() => String, {
    nullable: true,
    description:
      'One command line to run as root on the machine, once; null after its peer was deleted, when it cannot join.',
  })
  joinCommand!: string | null;
}
