import { Field, Int, ObjectType } from 'type-graphql';
import { DateTime } from '../../../../kernel/scalars.js';

@ObjectType({
  description: 'A set of peers and resources that policies name as source or destination.',
  simpleResolvers: true,
})
export class Group {
  @Field(() => Int, { description: 'Never changes.' })
  id!: number;

  @Field(() => String, { description: 'Unique in the network: 1 to 50 lower-case letters, digits and dashes.' })
  label!: string;

  @Field(() => Boolean, {
    description: 'Whether this is the default group, which is created with the network and cannot be deleted.',
  })
  isDefault!: boolean;

  @Field(() => DateTime, { description: 'When it was created.' })
  createdAt!: Date;
}

/** The columns of a group under the names of its fields. */
export const GROUP_COLUMNS = 'g.id, g.label, g.is_default AS "isDefault", g.created_at AS "createdAt"';
