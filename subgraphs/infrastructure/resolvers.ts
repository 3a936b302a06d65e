import type { NonEmptyArray } from 'type-graphql';
import { auditLogResolverOf } from '../../kernel/audit/audit-log.resolver.js';
import { User } from './owner/user/user.js';
import { AccessResolver } from './storage/access/access.resolver.js';
import { VmApplicationResolver } from './machines/application/application.resolver.js';
import { VmBillingResolver } from './machines/billing/billing.resolver.js';
import { BucketPolicyResolver, BucketResolver } from './storage/bucket/bucket.resolver.js';
import { OverlayCertificateResolver } from './certificates/certificate.resolver.js';
import { VmCommandResolver } from './machines/command/command.resolver.js';
import { VmFlavorResolver } from './machines/flavor/flavor.resolver.js';
import { VmImageResolver } from './machines/image/image.resolver.js';
import { VmInstanceResolver } from './machines/instance/instance.resolver.js';
import {
  BucketOwnerResolver,
  CertificateOwnerResolver,
  ModelProjectOwnerResolver,
  UserResolver,
  VmInstanceOwnerResolver,
} from './owner/user/user.resolver.js';
import { ModelResolver } from './models/model/model.resolver.js';
import { ModelProjectResolver } from './models/model/project.resolver.js';
import { ModelCrawlResolver } from './models/crawl/crawl.resolver.js';
import { RegistryEventResolver } from './models/index/event.resolver.js';
import { SubTokenResolver } from './storage/sub-token/sub-token.resolver.js';

export const RESOLVERS: NonEmptyArray<new () => object> = [
  VmFlavorResolver,
  VmImageResolver,
  VmApplicationResolver,
  VmInstanceResolver,
  VmCommandResolver,
  VmBillingResolver,
  ModelResolver,
  ModelProjectResolver,
  RegistryEventResolver,
  ModelCrawlResolver,
  OverlayCertificateResolver,
  BucketResolver,
  BucketPolicyResolver,
  SubTokenResolver,
  AccessResolver,
  UserResolver,
  VmInstanceOwnerResolver,
  ModelProjectOwnerResolver,
  BucketOwnerResolver,
  CertificateOwnerResolver,
  auditLogResolverOf('infrastructure', User),
];
