import { Directive, Field, Int, ObjectType } from 'type-graphql';

@Directive('@key(fields: "project")')
@ObjectType({ description: 'Owner and visibility of a project in the registry.', simpleResolvers: true })
export class ModelProject {
  @Field(() => String, { description: 'Name of the project: first part of the names of its repositories.' })
  project!: string;

  @Field(() => Int, { nullable: true, description: 'Id of the owner; null: none.' })
  ownerId!: number | null;

  @Field(() => Boolean, { description: 'Whether its models are public. Private models are visible only to the owner.' })
  isPublic!: boolean;
}

/** The columns of a project in GraphQL. */
export const PROJECT_COLUMNS = ['project', 'ownerUserId as ownerId', 'isPublic'] as const;
