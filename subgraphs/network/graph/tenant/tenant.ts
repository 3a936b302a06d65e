import { Field, Int, ObjectType } from 'type-graphql';
import { DateTime } from '../../../../kernel/scalars.js';

@ObjectType({ description: 'How many of each kind a private network holds.', simpleResolvers: true })
export class TenantCounts {
  @Field(() => Int, { description: 'Groups, the default one among them.' })
  groups!: number;

  @Field(() => Int, { description: 'Networks, the default one among them.' })
  networks!: number;

  @Field(() => Int, { description: 'Resources behind routers.' })
  resources!: number;

  @Field(() => Int, { description: 'Peers that act as routing gateways.' })
  routers!: number;

  @Field(() => Int, { description: 'Peers, whether or not their machines have joined.' })
  peers!: number;

  @Field(() => Int, { description: 'Policies, the managed one among them.' })
  policies!: number;
}

@ObjectType({ description: 'A user’s private network as a whole.', simpleResolvers: true })
export class Tenant {
  @Field(() => Int, { description: 'Never changes.' })
  id!: number;

  @Field(() => String, { description: '`active`.' })
  status!: string;

  @Field(() => String, { description: 'The overlay addresses of its peers, a CIDR out of 100.64.0.0/10.' })
  addressRange!: string;

  @Field(() => Int, { description: 'Grows with every change of the graph.' })
  revision!: number;

  @Field(() => Int, { description: 'The group every peer belongs to unless it says otherwise.' })
  defaultGroup!: number;

  @Field(() => Int, { description: 'The network made with the tenant.' })
  defaultNetwork!: number;

  @Field(() => DateTime, { description: 'When it was provisioned.' })
  createdAt!: Date;
}
