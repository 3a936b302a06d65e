import { Field, Int, ObjectType, registerEnumType } from 'type-graphql';
import { DateTime } from '../../../../kernel/scalars.js';
import { DRIFTS, type DriftWord } from '../netbird-objects/plan.rules.js';

const DriftWordEnum = Object.fromEntries(DRIFTS.map((word) => [word, word]));

registerEnumType(DriftWordEnum, {
  name: 'NetworkDriftKind',
  description: 'What somebody else did to an object of the platform’s at a NetBird server.',
});

@ObjectType({ description: 'What was found otherwise than it was left at a NetBird server.', simpleResolvers: true })
export class NetworkDrift {
  @Field(() => Int, { description: 'Never changes.' })
  id!: number;

  @Field(() => Int, { description: 'The private network it belongs to.' })
  tenant!: number;

  @Field(() => String, {
    description:
      '`group`, `peer` (the group of one machine), `machine`, `network`, `resource`, `router`, `policy` or `key`.',
  })
  kind!: string;

  @Field(() => Int, { nullable: true, description: 'The platform’s id of it; null where it knows nothing of it.' })
  object!: number | null;

  @Field(() => String, { description: 'The server’s id of it.' })
  externalId!: string;

  @Field(() => DriftWordEnum, { description: '`changed`, `deleted`, or `added` under a name of the platform’s.' })
  what!: DriftWord;

  @Field(() => DateTime, { description: 'When it was found.' })
  foundAt!: Date;

  @Field(() => DateTime, { nullable: true, description: 'When all was as it should be again; null until then.' })
  repairedAt!: Date | null;
}
