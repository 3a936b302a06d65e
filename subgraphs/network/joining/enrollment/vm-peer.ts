import { Directive, Field, Int, ObjectType } from 'type-graphql';

@Directive('@inaccessible')
@ObjectType({ description: 'The peer that a virtual machine of the platform is to be.', simpleResolvers: true })
export class VmPeer {
  @Field(() => Int, { description: 'The peer.' })
  peer!: number;

  @Field(() => String, { description: 'Its address in the overlay.' })
  ip!: string;

  @Field(() => Boolean, { description: 'Whether its machine has joined.' })
  hasJoined!: boolean;
}

@Directive('@inaccessible')
@ObjectType({ description: 'How a virtual machine of the platform joins.', simpleResolvers: true })
export class VmEnrollment {
  @Field(() => String, {
    nullable: true,
    description: 'One line to run as root on the machine, once; null once its peer was deleted: then it joins nothing.',
  })
  joinCommand!: string | null;
}
