import { Arg, Ctx, Directive, FieldResolver, Int, Resolver, Root } from 'type-graphql';
import { listSize } from '../../../../kernel/paging/page.js';
import { batched, oncePerKey } from '../../../../kernel/concurrency/batched.js';
import { pageRequest, type PageRequest } from '../../../../kernel/paging/paging.js';
import { OWNER_COST } from '../../../../kernel/subgraph/costs.js';
import { requireUser, type Viewer } from '../../../../kernel/security/viewer.js';
import { listCertificates } from '../../certificates/certificate.actions.js';
import { OverlayCertificateRecord } from '../../certificates/certificate.js';
import { listInstances } from '../../machines/instance/instance.actions.js';
import { VmInstance } from '../../machines/instance/instance.js';
import { listProjectsOf } from '../../models/model/project.actions.js';
import { ModelProject } from '../../models/model/project.js';
import type { InfrastructureContext } from '../../services.js';
import { listBuckets } from '../../storage/bucket/bucket.actions.js';
import { Bucket } from '../../storage/bucket/bucket.js';
import { User } from './user.js';

const PROJECTS_PER_PAGE = 50;

/** A page of the projects of a user. */
interface ProjectsKey {
  readonly userId: number;
  readonly page: PageRequest;
}

const isViewer = ({ id }: User, viewer: Viewer): boolean => viewer.kind === 'user' && viewer.userId === id;

const loadInstances = batched<InfrastructureContext, number, VmInstance[]>(
  oncePerKey(({ database, now }, userId) => listInstances(database, userId, now())),
);
const loadBuckets = batched<InfrastructureContext, number, Bucket[]>(oncePerKey(listBuckets));
const loadCertificates = batched<InfrastructureContext, number, OverlayCertificateRecord[]>(
  oncePerKey(({ database, now }, userId) => listCertificates(database, userId, now())),
);
const loadProjects = batched<InfrastructureContext, ProjectsKey, ModelProject[]>(
  oncePerKey(({ database }, { userId, page }) => listProjectsOf(database, userId, page)),
);

@Resolver(() => User)
export class UserResolver {
  @FieldResolver(() => [VmInstance], {
    nullable: true,
    description:
      'Virtual machines of the user, newest first. Terminated machines are listed for one hour. Null for other users.',
  })
  async vmInstances(@Root() user: User, @Ctx() context: InfrastructureContext): Promise<VmInstance[] | null> {
    return isViewer(user, context.viewer) ? ((await loadInstances(context, user.id)) ?? null) : null;
  }

  @FieldResolver(() => [Bucket], {
    nullable: true,
    description: 'Buckets of the user, ordered by name. Null for other users.',
  })
  async buckets(@Root() user: User, @Ctx() context: InfrastructureContext): Promise<Bucket[] | null> {
    return isViewer(user, context.viewer) ? ((await loadBuckets(context, user.id)) ?? null) : null;
  }

  @FieldResolver(() => [OverlayCertificateRecord], {
    nullable: true,
    description: 'The last 200 certificates of the user, including revoked ones, newest first. Null for other users.',
  })
  async certificates(
    @Root() user: User,
    @Ctx() context: InfrastructureContext,
  ): Promise<OverlayCertificateRecord[] | null> {
    return isViewer(user, context.viewer) ? ((await loadCertificates(context, user.id)) ?? null) : null;
  }

  @Directive(listSize('pageSize', []))
  @FieldResolver(() => [ModelProject], {
    nullable: true,
    description:
      'Projects in the model registry that the user owns, ordered by name. Null for other users. Error BAD_REQUEST.',
  })
  async modelProjects(
    @Root() user: User,
    @Arg('page', () => Int, { nullable: true, description: 'Page number, starting at 1 (default).' })
    page: number | null,
    @Arg('pageSize', () => Int, { nullable: true, description: 'Page size: default 50, at most 200.' })
    pageSize: number | null,
    @Ctx() context: InfrastructureContext,
  ): Promise<ModelProject[] | null> {
    if (!isViewer(user, context.viewer)) return null;
    const key = { userId: user.id, page: pageRequest(page, pageSize, PROJECTS_PER_PAGE) };
    return (await loadProjects(context, key)) ?? null;
  }
}

@Resolver(() => VmInstance)
export class VmInstanceOwnerResolver {
  @FieldResolver(() => User, { description: 'You, its owner.' })
  @Directive(OWNER_COST)
  owner(@Ctx() { viewer }: InfrastructureContext): User {
    return { id: requireUser(viewer).userId };
  }
}

@Resolver(() => Bucket)
export class BucketOwnerResolver {
  @FieldResolver(() => User, { description: 'Its owner.' })
  @Directive(OWNER_COST)
  owner(@Root() { userId }: Bucket): User {
    return { id: userId };
  }
}

@Resolver(() => OverlayCertificateRecord)
export class CertificateOwnerResolver {
  @FieldResolver(() => User, { description: 'You, its owner.' })
  @Directive(OWNER_COST)
  owner(@Ctx() { viewer }: InfrastructureContext): User {
    return { id: requireUser(viewer).userId };
  }
}

@Resolver(() => ModelProject)
export class ModelProjectOwnerResolver {
  @FieldResolver(() => User, {
    nullable: true,
    description: 'The owner; null if it has none, or if you may not see the user.',
  })
  @Directive(OWNER_COST)
  owner(@Root() { ownerId }: ModelProject): User | null {
    return ownerId === null ? null : { id: ownerId };
  }
}
