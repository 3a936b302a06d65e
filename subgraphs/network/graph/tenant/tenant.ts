import { Field, Int, ObjectType } from 'type-graphql';
import { DateTime } from '../../../../kernel/scalars.js';

@ObjectType({ description: 'The number of objects of each type in a private network.', simpleResolvers: true })
export class TenantCounts {
  @Field(() => Int, { description: 'Number of groups, including the default group.' })
  groups!: number;

  @Field(() => Int, { description: 'Number of networks, including the default network.' })
  networks!: number;

  @Field(() => Int, { description: 'Number of resources.' })
  resources!: number;

  @Field(() => Int, { description: 'Number of routers.' })
  routers!: number;

  @Field(() => Int, { description: 'Number of peers, including peers whose machines have not joined.' })
  peers!: number;

  @Field(() => Int, { description: 'Number of policies, including the managed policy.' })
  policies!: number;
}

@ObjectType({ description: 'The private network of a user.', simpleResolvers: true })
export class Tenant {
  @Field(() => Int, { description: 'Never changes.' })
  id!: number;

  @Field(() => String, { description: '`active`.' })
  status!: string;

  @Field(() => String, { description: 'The address range of its peers, a CIDR in 100.64.0.0/10.' })
  addressRange!: string;

  @Field(() => Int, { description: 'Increases with every change of the graph.' })
  revision!: number;

  @Field(() => Int, { description: 'The default group, to which new peers belong unless another group is given.' })
  defaultGroup!: number;

  @Field(() => Int, { description: 'The default network, created with the tenant.' })
  defaultNetwork!: number;

  @Field(() => DateTime, { description: 'When it was provisioned.' })
  createdAt!: Date;
}
