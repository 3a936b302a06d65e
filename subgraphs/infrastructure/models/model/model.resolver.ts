import { Arg, Args, ArgsType, Ctx, Directive, Field, Int, Query, Resolver } from 'type-graphql';
import { listSize } from '../../../../kernel/paging/page.js';
import { pageRequest } from '../../../../kernel/paging/paging.js';
import { Int64 } from '../../../../kernel/scalars/scalars.js';
import type { Viewer } from '../../../../kernel/security/viewer.js';
import type { InfrastructureContext } from '../../services.js';
import { listModels, modelFormats } from './model.actions.js';
import { ModelArtifactPage, ModelFormats, ModelPage, ModelVersion } from './model.js';
import { filterText, searchPatterns } from './model.rules.js';
import { findVersion, listVersions } from './version.actions.js';

@ArgsType()
class ModelsArgs {
  @Field(() => String, { nullable: true, description: 'Filter: this format, exactly.' })
  format?: string | null;

  @Field(() => String, { nullable: true, description: 'Filter: this architecture, exactly.' })
  architecture?: string | null;

  @Field(() => String, { nullable: true, description: 'Filter: this quantization, exactly.' })
  quantization?: string | null;

  @Field(() => Int64, {
    nullable: true,
    description: 'Filter: minimum number of parameters. Excludes models with an unknown number.',
  })
  minParams?: string | null;

  @Field(() => Int64, {
    nullable: true,
    description: 'Filter: maximum number of parameters. Excludes models with an unknown number.',
  })
  maxParams?: string | null;

  @Field(() => String, {
    nullable: true,
    description:
      'Search words. All must occur in the name, family, title or format of a version. Case does not matter.',
  })
  q?: string | null;

  @Field(() => Boolean, { nullable: true, description: 'Filter: only models of your own projects.' })
  mine?: boolean | null;

  @Field(() => Int, { nullable: true, description: 'Page number, starting at 1 (default).' })
  page?: number | null;

  @Field(() => Int, { nullable: true, description: 'Page size: default 25, at most 200.' })
  pageSize?: number | null;
}

@ArgsType()
class ModelVersionsArgs {
  @Field(() => String, { description: 'First part of the repository name; `_` if the name has only one part.' })
  project!: string;

  @Field(() => String, { description: 'The rest of the repository name.' })
  repo!: string;

  @Field(() => Int, { nullable: true, description: 'Page number, starting at 1 (default).' })
  page?: number | null;

  @Field(() => Int, { nullable: true, description: 'Page size: default 25, at most 200.' })
  pageSize?: number | null;
}

const PER_PAGE = 25;

/** User whose private projects are visible; null: none. */
const userIdOf = (viewer: Viewer) => (viewer.kind === 'user' ? viewer.userId : null);

@Resolver()
export class ModelResolver {
  @Directive(listSize('pageSize'))
  @Query(() => ModelPage, {
    description: 'Models in the registry: public ones and those of your own projects. Error BAD_REQUEST.',
  })
  models(@Args(() => ModelsArgs) args: ModelsArgs, @Ctx() context: InfrastructureContext): Promise<ModelPage> {
    const page = pageRequest(args.page, args.pageSize, PER_PAGE);
    const filter = {
      userId: userIdOf(context.viewer),
      format: filterText('format', args.format),
      architecture: filterText('architecture', args.architecture),
      quantization: filterText('quantization', args.quantization),
      minParams: args.minParams ?? null,
      maxParams: args.maxParams ?? null,
      patterns: searchPatterns(filterText('q', args.q)),
      onlyMine: args.mine === true,
    };
    return listModels(context.database, filter, page);
  }

  @Query(() => ModelFormats, { description: 'Filter values of the models that are visible to you.' })
  modelFormats(@Ctx() { viewer, database }: InfrastructureContext): Promise<ModelFormats> {
    return modelFormats(database, userIdOf(viewer));
  }

  @Directive(listSize('pageSize', ['artifacts']))
  @Query(() => ModelArtifactPage, {
    description: 'All versions of a model, newest first. Errors: BAD_REQUEST, NOT_FOUND.',
  })
  modelVersions(
    @Args(() => ModelVersionsArgs) { project, repo, page, pageSize }: ModelVersionsArgs,
    @Ctx() { viewer, database }: InfrastructureContext,
  ): Promise<ModelArtifactPage> {
    const model = { userId: userIdOf(viewer), project, repo };
    return listVersions(database, model, pageRequest(page, pageSize, PER_PAGE));
  }

  @Query(() => ModelVersion, { description: 'A version of a model. Error NOT_FOUND.' })
  modelVersion(
    @Arg('project', () => String, {
      description: 'First part of the repository name; `_` if the name has only one part.',
    })
    project: string,
    @Arg('repo', () => String, { description: 'The rest of the repository name.' }) repo: string,
    @Arg('reference', () => String, { description: 'A tag or a digest.' }) reference: string,
    @Ctx() { viewer, database, services, publicUrl }: InfrastructureContext,
  ): Promise<ModelVersion> {
    const registryUrl = services.registry?.url ?? publicUrl;
    return findVersion(database, { userId: userIdOf(viewer), project, repo }, { reference, registryUrl });
  }
}
