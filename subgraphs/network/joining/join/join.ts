import { Field, Int, ObjectType } from 'type-graphql';
import { PeerStatusEnum, type PeerStatus } from '../../graph/peer/peer.js';

@ObjectType({ description: 'The credentials of a machine that has joined.', simpleResolvers: true })
export class JoinedPeer {
  @Field(() => Int, { description: 'The peer of the machine.' })
  peer!: number;

  @Field(() => String, { description: 'The overlay address of the peer.' })
  ip!: string;

  @Field(() => String, { description: 'The label of the peer.' })
  label!: string;

  @Field(() => String, { description: 'The token of the machine, shown only once.' })
  token!: string;

  @Field(() => String, { description: 'URL of the configuration; send the token in the header `Peer-Token`.' })
  configurationUrl!: string;
}

@ObjectType({ description: 'The result of a report.', simpleResolvers: true })
export class PeerReport {
  @Field(() => Int, { description: 'The peer that reported.' })
  peer!: number;

  @Field(() => PeerStatusEnum, { description: '`in_force` when the machine runs its current configuration.' })
  status!: PeerStatus;
}
