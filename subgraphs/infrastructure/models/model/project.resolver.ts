import { Arg, Ctx, Int, Mutation, Query, Resolver } from 'type-graphql';
import { badRequest } from '../../../../kernel/errors.js';
import { pageRequest } from '../../../../kernel/paging.js';
import { requireRole } from '../../../../kernel/viewer.js';
import { askUserId } from '../../calls.js';
import { isProject } from './name.rules.js';
import type { InfrastructureContext } from '../../services.js';
import { listProjects, setProject } from './project.actions.js';
import { ModelProject } from './project.js';

const PER_PAGE = 50;

@Resolver()
export class ModelProjectResolver {
  @Query(() => [ModelProject], {
    description:
      'The projects that somebody owns or not everyone sees, by name; all others are public. Needs the role ADMIN. Error BAD_REQUEST.',
  })
  modelProjects(
    @Arg('page', () => Int, { nullable: true, description: 'From 1, which is the default.' }) page: number | null,
    @Arg('pageSize', () => Int, { nullable: true, description: 'Default 50, at most 200.' }) pageSize: number | null,
    @Ctx() { viewer, database }: InfrastructureContext,
  ): Promise<ModelProject[]> {
    requireRole(viewer, 'ADMIN');
    return listProjects(database, pageRequest(page, pageSize, PER_PAGE));
  }

  @Mutation(() => ModelProject, {
    description:
      'Decides whose a project of the registry is and whether everyone sees its models. Needs the role ADMIN. Errors BAD_REQUEST, NOT_FOUND for an unknown address, UNAVAILABLE.',
  })
  async adminSetModelProject(
    @Arg('project', () => String, { description: 'First part of the names of its repositories.' }) project: string,
    @Arg('isPublic', () => Boolean, { description: 'Everyone sees its models; else the owner alone.' })
    isPublic: boolean,
    @Arg('substrateAddress', () => String, { nullable: true, description: 'SS58 address of its owner; null: nobody.' })
    substrateAddress: string | null,
    @Ctx() context: InfrastructureContext,
  ): Promise<ModelProject> {
    requireRole(context.viewer, 'ADMIN');
    if (!isProject(project)) throw badRequest('`project` must be the first part of a repository’s name, or `_`.');
    const ownerId = substrateAddress == null ? null : await askUserId(context, substrateAddress);
    return setProject(context.database, { project, ownerId, isPublic });
  }
}
