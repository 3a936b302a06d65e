import { Field, Int, ObjectType } from 'type-graphql';

@ObjectType({ description: 'Whose a project of the registry is.', simpleResolvers: true })
export class ModelProject {
  @Field(() => String, { description: 'First part of the names of its repositories.' })
  project!: string;

  @Field(() => Int, { nullable: true, description: 'The user that it belongs to; null: nobody’s.' })
  ownerId!: number | null;

  @Field(() => Boolean, { description: 'Whether everyone sees its models; else the owner alone.' })
  isPublic!: boolean;
}

/** The columns of a project under the names of its fields. */
export const PROJECT_COLUMNS = 'project, owner_user_id AS "ownerId", is_public AS "isPublic"';
