import { Arg, Ctx, Directive, Int, Mutation, Query, Resolver } from 'type-graphql';
import { listSize } from '../../../../kernel/paging/page.js';
import { badRequest } from '../../../../kernel/errors.js';
import { pageRequest } from '../../../../kernel/paging/paging.js';
import { requireRole } from '../../../../kernel/security/viewer.js';
import { fetchUserId } from '../../calls.js';
import { isProject } from './name.rules.js';
import type { InfrastructureContext } from '../../services.js';
import { listProjects, setProject } from './project.actions.js';
import { ModelProject } from './project.js';

const PER_PAGE = 50;

@Resolver()
export class ModelProjectResolver {
  @Directive(listSize('pageSize', []))
  @Query(() => [ModelProject], {
    description:
      'Projects with an owner or a visibility setting, ordered by name. All other projects are public. Requires the role ADMIN. Error BAD_REQUEST.',
  })
  modelProjects(
    @Arg('page', () => Int, { nullable: true, description: 'Page number, starting at 1 (default).' })
    page: number | null,
    @Arg('pageSize', () => Int, { nullable: true, description: 'Page size: default 50, at most 200.' })
    pageSize: number | null,
    @Ctx() { viewer, database }: InfrastructureContext,
  ): Promise<ModelProject[]> {
    requireRole(viewer, 'ADMIN');
    return listProjects(database, pageRequest(page, pageSize, PER_PAGE));
  }

  @Mutation(() => ModelProject, {
    description:
      'Sets the owner and the visibility of a project in the registry. Requires the role ADMIN. Errors: BAD_REQUEST, NOT_FOUND for an unknown address, UNAVAILABLE.',
  })
  async adminSetModelProject(
    @Arg('project', () => String, { description: 'Name of the project: first part of the names of its repositories.' })
    project: string,
    @Arg('isPublic', () => Boolean, {
      description: 'Whether its models are public. Private models are visible only to the owner.',
    })
    isPublic: boolean,
    @Arg('substrateAddress', () => String, { nullable: true, description: 'SS58 address of the owner; null: none.' })
    substrateAddress: string | null,
    @Ctx() context: InfrastructureContext,
  ): Promise<ModelProject> {
    requireRole(context.viewer, 'ADMIN');
    if (!isProject(project)) throw badRequest('`project` must be the first part of a repository name, or `_`.');
    const ownerId = substrateAddress == null ? null : await fetchUserId(context, substrateAddress);
    return setProject(context.database, { project, ownerId, isPublic });
  }
}
