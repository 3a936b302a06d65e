import type { NonEmptyArray } from 'type-graphql';
import { auditLogResolverOf } from '../../kernel/audit/audit-log.resolver.js';
import { User } from './graph/user/user.js';
import { AuthorityResolver } from './certificates/authority/authority.resolver.js';
import { ConfigurationResolver } from './joining/configuration/configuration.resolver.js';
import { ReachabilityResolver } from './views/reachability/reachability.resolver.js';
import { VmPeerResolver } from './joining/enrollment/vm-peer.resolver.js';
import { EnrollmentResolver } from './joining/enrollment/enrollment.resolver.js';
import { GroupResolver } from './graph/group/group.resolver.js';
import { GroupPeersResolver, PeerGroupsResolver } from './graph/member/member-links.resolver.js';
import { MemberResolver } from './graph/member/member.resolver.js';
import { CertificateIssueResolver } from './certificates/certificate-issue/holder.resolver.js';
import {
  CertificateRecordResolver,
  CertificateResolver,
  PeerCertificateResolver,
} from './certificates/peer-certificate/peer-certificate.resolver.js';
import { InfraResolver } from './joining/infra/infra.resolver.js';
import { NetworkDocumentResolver } from './documents/network-document/network-document.resolver.js';
import { NetworkPlanResolver } from './documents/network-plan/network-plan.resolver.js';
import { HistoryResolver } from './graph/history/history.resolver.js';
import { JoinResolver } from './joining/join/join.resolver.js';
import { DriftResolver } from './drivers/netbird-drift/drift.resolver.js';
import { NetworkResolver } from './graph/network/network.resolver.js';
import { PeerResolver } from './graph/peer/peer.resolver.js';
import { PolicyResolver } from './graph/policy/policy.resolver.js';
import { ResourceResolver } from './graph/resource/resource.resolver.js';
import { RouterResolver } from './graph/router/router.resolver.js';
import { TenantResolver } from './graph/tenant/tenant.resolver.js';
import { PositionResolver } from './views/position/position.resolver.js';
import { TopologyPeerResolver, TopologyResolver } from './views/topology/topology.resolver.js';
import { GroupOwnerResolver, PeerOwnerResolver, UserResolver } from './graph/user/user.resolver.js';
import { PeerMachineResolver, VmInstanceResolver } from './joining/vm-instance/vm-instance.resolver.js';

export const RESOLVERS: NonEmptyArray<new () => object> = [
  TenantResolver,
  GroupResolver,
  MemberResolver,
  GroupPeersResolver,
  PeerGroupsResolver,
  NetworkResolver,
  ResourceResolver,
  RouterResolver,
  PeerResolver,
  EnrollmentResolver,
  VmPeerResolver,
  VmInstanceResolver,
  PeerMachineResolver,
  InfraResolver,
  JoinResolver,
  ConfigurationResolver,
  PolicyResolver,
  PositionResolver,
  TopologyResolver,
  TopologyPeerResolver,
  ReachabilityResolver,
  HistoryResolver,
  NetworkDocumentResolver,
  NetworkPlanResolver,
  CertificateIssueResolver,
  PeerCertificateResolver,
  CertificateResolver,
  CertificateRecordResolver,
  AuthorityResolver,
  UserResolver,
  PeerOwnerResolver,
  GroupOwnerResolver,
  DriftResolver,
  auditLogResolverOf('network', User),
];
