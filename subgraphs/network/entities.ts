import { AuditEntryRow } from '../../kernel/audit/audit-entry.js';
import type { Db } from '../../kernel/database/query.js';
import { DataKeyRow } from '../../kernel/security/data-key.js';
import { GroupRow } from './graph/group/group.js';
import { ChangeRow } from './graph/history/history.js';
import { MemberRow } from './graph/member/member.js';
import { NetworkRow } from './graph/network/network.js';
import { PeerRow } from './graph/peer/peer.js';
import { PolicyRow } from './graph/policy/policy.js';
import { ResourceRow } from './graph/resource/resource.js';
import { RouterRow } from './graph/router/router.js';
import { TenantRow } from './graph/tenant/tenant.js';
import {
  AuthorityRow,
  CertificateHolderRow,
  IssuedCertificateRow,
  RevokedCertificateRow,
} from './certificates/rows.js';
import { NetbirdDriftRow } from './drivers/netbird-drift/drift.js';
import { NetbirdObjectRow, NetbirdTenantRow } from './drivers/rows.js';
import { ChangeItemRow, ResourceGroupRow } from './graph/rows.js';
import { NodePositionRow } from './views/position/position.js';
import { EnrollmentRow, FoundAddressRow, InfraEnrollmentRow, JoinRefusalRow } from './joining/rows.js';

/** The classes of all tables. A test compares them with the migrated database. */
export const ENTITIES = [
  AuditEntryRow,
  AuthorityRow,
  CertificateHolderRow,
  ChangeItemRow,
  ChangeRow,
  DataKeyRow,
  EnrollmentRow,
  FoundAddressRow,
  GroupRow,
  InfraEnrollmentRow,
  IssuedCertificateRow,
  JoinRefusalRow,
  MemberRow,
  NetbirdDriftRow,
  NetbirdObjectRow,
  NetbirdTenantRow,
  NetworkRow,
  NodePositionRow,
  PeerRow,
  PolicyRow,
  ResourceGroupRow,
  ResourceRow,
  RevokedCertificateRow,
  RouterRow,
  TenantRow,
];

/** The tables by the names that statements use. */
export type Tables = Db<{
  authority: AuthorityRow;
  certificateHolder: CertificateHolderRow;
  changeItem: ChangeItemRow;
  change: ChangeRow;
  enrollment: EnrollmentRow;
  foundAddress: FoundAddressRow;
  group: GroupRow;
  infraEnrollment: InfraEnrollmentRow;
  issuedCertificate: IssuedCertificateRow;
  joinRefusal: JoinRefusalRow;
  member: MemberRow;
  netbirdDrift: NetbirdDriftRow;
  netbirdObject: NetbirdObjectRow;
  netbirdTenant: NetbirdTenantRow;
  network: NetworkRow;
  nodePosition: NodePositionRow;
  peer: PeerRow;
  policy: PolicyRow;
  resourceGroup: ResourceGroupRow;
  resource: ResourceRow;
  revokedCertificate: RevokedCertificateRow;
  router: RouterRow;
  tenant: TenantRow;
}>;
