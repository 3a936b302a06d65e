import { Field, Int, ObjectType, registerEnumType } from 'type-graphql';
import { DateTime } from '../../../../kernel/scalars.js';
import { DRIFTS, type DriftWord } from '../netbird-objects/plan.rules.js';

const DriftWordEnum = Object.fromEntries(DRIFTS.map((word) => [word, word]));

registerEnumType(DriftWordEnum, {
  name: 'NetworkDriftKind',
  description: 'How an object of the platform was changed on a NetBird server.',
});

@ObjectType({
  description: 'A difference between the NetBird server and the state the platform wrote.',
  simpleResolvers: true,
})
export class NetworkDrift {
  @Field(() => Int, { description: 'Never changes.' })
  id!: number;

  @Field(() => Int, { description: 'The private network of the object.' })
  tenant!: number;

  @Field(() => String, {
    description:
      '`group`, `peer` (the group of one machine), `machine`, `network`, `resource`, `router`, `policy` or `key`.',
  })
  kind!: string;

  @Field(() => Int, {
    nullable: true,
    description: 'The platform’s id of the object; null when the platform does not know it.',
  })
  object!: number | null;

  @Field(() => String, { description: 'The NetBird server’s id of the object.' })
  externalId!: string;

  @Field(() => DriftWordEnum, {
    description: '`changed`, `deleted`, or `added` with a name that is reserved for the platform.',
  })
  what!: DriftWord;

  @Field(() => DateTime, { description: 'When the difference was detected.' })
  foundAt!: Date;

  @Field(() => DateTime, { nullable: true, description: 'When the difference was resolved; null until then.' })
  repairedAt!: Date | null;
}
