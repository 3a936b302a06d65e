import type { Db } from '../../kernel/database/query.js';
import { GroupRow } from './graph/group/group.js';
import { MemberRow } from './graph/member/member.js';
import { TenantRow } from './graph/tenant/tenant.js';

/** The classes of all tables. A test compares them with the migrated database. */
export const ENTITIES = [GroupRow, MemberRow, TenantRow];

/** The tables by the names that statements use. */
export type Tables = Db<{ group: GroupRow; member: MemberRow; tenant: TenantRow }>;
