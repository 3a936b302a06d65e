import { Field, Int, ObjectType } from 'type-graphql';
import { PeerStatusEnum, type PeerStatus } from '../../graph/peer/peer.js';

@ObjectType({ description: 'A machine that has joined: what it needs to go on.', simpleResolvers: true })
export class JoinedPeer {
  @Field(() => Int, { description: 'The peer that it is.' })
  peer!: number;

  @Field(() => String, { description: 'Its address in the overlay.' })
  ip!: string;

  @Field(() => String, { description: 'What its owner calls it.' })
  label!: string;

  @Field(() => String, { description: 'By which it is known from now on; shown this once.' })
  token!: string;

  @Field(() => String, { description: 'Where it fetches its configuration, with the header `Peer-Token`.' })
  configurationUrl!: string;
}

@ObjectType({ description: 'What the platform makes of a report.', simpleResolvers: true })
export class PeerReport {
  @Field(() => Int, { description: 'The peer that reported.' })
  peer!: number;

  @Field(() => PeerStatusEnum, { description: '`in_force` when it runs what it should.' })
  status!: PeerStatus;
}
