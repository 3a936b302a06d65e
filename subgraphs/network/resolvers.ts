import type { NonEmptyArray } from 'type-graphql';
import { ConfigurationResolver } from './configuration/configuration.resolver.js';
import { ReachabilityResolver } from './enforcement/reachability.resolver.js';
import { EnrollmentResolver } from './enrollment/enrollment.resolver.js';
import { GroupResolver } from './group/group.resolver.js';
import { MemberResolver } from './group/member.resolver.js';
import { InfraResolver } from './infra/infra.resolver.js';
import { HistoryResolver } from './history/history.resolver.js';
import { JoinResolver } from './join/join.resolver.js';
import { DriftResolver } from './netbird/drift.resolver.js';
import { NetworkResolver } from './network/network.resolver.js';
import { PeerResolver } from './peer/peer.resolver.js';
import { PolicyResolver } from './policy/policy.resolver.js';
import { ResourceResolver } from './resource/resource.resolver.js';
import { RouterResolver } from './router/router.resolver.js';
import { TenantResolver } from './tenant/tenant.resolver.js';
import { TopologyResolver } from './topology/topology.resolver.js';
import { UserResolver } from './user/user.resolver.js';

export const RESOLVERS: NonEmptyArray<new () => object> = [
  TenantResolver,
  GroupResolver,
  MemberResolver,
  NetworkResolver,
  ResourceResolver,
  RouterResolver,
  PeerResolver,
  EnrollmentResolver,
  InfraResolver,
  JoinResolver,
  ConfigurationResolver,
  PolicyResolver,
  TopologyResolver,
  ReachabilityResolver,
  HistoryResolver,
  UserResolver,
  DriftResolver,
];
