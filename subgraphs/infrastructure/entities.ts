import { AuditEntryRow } from '../../kernel/audit/audit-entry.js';
import type { Db } from '../../kernel/database/query.js';
import { DataKeyRow } from '../../kernel/security/data-key.js';
import { OverlayCertificateRow } from './certificates/rows.js';
import { VmApplicationRow } from './machines/application/application.js';
import { VmBillingRow } from './machines/billing/billing.js';
import { VmFlavorRow } from './machines/flavor/flavor.js';
import { VmImageRow } from './machines/image/image.js';
import { VmInstanceRow } from './machines/instance/instance.js';
import { HostedMachineRow, SimulatedMachineRow } from './machines/rows.js';
import {
  ModelContentRow,
  ModelCrawlRow,
  ModelProjectRow,
  ModelRepositoryRow,
  ModelTagRow,
  ModelVersionRow,
} from './models/rows.js';
import { BucketRow } from './storage/bucket/bucket.js';
import { SubTokenBucketRow, SubTokenRow } from './storage/rows.js';

/** The classes of all tables. A test compares them with the migrated database. */
export const ENTITIES = [
  AuditEntryRow,
  BucketRow,
  DataKeyRow,
  HostedMachineRow,
  ModelContentRow,
  ModelCrawlRow,
  ModelProjectRow,
  ModelRepositoryRow,
  ModelTagRow,
  ModelVersionRow,
  OverlayCertificateRow,
  SimulatedMachineRow,
  SubTokenBucketRow,
  SubTokenRow,
  VmApplicationRow,
  VmBillingRow,
  VmFlavorRow,
  VmImageRow,
  VmInstanceRow,
];

/** The tables by the names that statements use. */
export type Tables = Db<{
  bucket: BucketRow;
  hostedMachine: HostedMachineRow;
  modelContent: ModelContentRow;
  modelCrawl: ModelCrawlRow;
  modelProject: ModelProjectRow;
  modelRepository: ModelRepositoryRow;
  modelTag: ModelTagRow;
  modelVersion: ModelVersionRow;
  overlayCertificate: OverlayCertificateRow;
  simulatedMachine: SimulatedMachineRow;
  subTokenBucket: SubTokenBucketRow;
  subToken: SubTokenRow;
  vmApplication: VmApplicationRow;
  vmBilling: VmBillingRow;
  vmFlavor: VmFlavorRow;
  vmImage: VmImageRow;
  vmInstance: VmInstanceRow;
}>;
