import type { NonEmptyArray } from 'type-graphql';
import { AccessResolver } from './access/access.resolver.js';
import { VmApplicationResolver } from './application/application.resolver.js';
import { VmBillingResolver } from './billing/billing.resolver.js';
import { BucketPolicyResolver, BucketResolver } from './bucket/bucket.resolver.js';
import { OverlayCertificateResolver } from './certificate/certificate.resolver.js';
import { VmFlavorResolver } from './flavor/flavor.resolver.js';
import { VmImageResolver } from './image/image.resolver.js';
import { VmInstanceResolver } from './instance/instance.resolver.js';
import { ModelResolver } from './model/model.resolver.js';
import { ModelProjectResolver } from './model/project.resolver.js';
import { ModelCrawlResolver } from './registry/crawl.resolver.js';
import { RegistryEventResolver } from './registry/event.resolver.js';
import { SubTokenResolver } from './sub-token/sub-token.resolver.js';

export const RESOLVERS: NonEmptyArray<new () => object> = [
  VmFlavorResolver,
  VmImageResolver,
  VmApplicationResolver,
  VmInstanceResolver,
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
];
