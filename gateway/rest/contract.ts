import { hasRole } from '../../kernel/viewer.js';
import type { RestRequest, Route } from './route.js';

/** Validators and administrators name an account, or get the list of all. Source: platform document, Billing */
function balanceOperation({ viewer, query }: RestRequest): string {
  if (!hasRole(viewer, 'VALIDATOR') && !hasRole(viewer, 'ADMIN')) return 'OwnCreditBalance';
  return query.account_ss58 ? 'CreditBalance' : 'CreditBalances';
}

/** The platform document, row by row: paths below /api, refusals as `{error}`. */
export const PLATFORM_ROUTES: readonly Route[] = [
  { method: 'POST', path: '/auth/mnemonic/', operation: 'RequestChallenge', isPublic: true },
  { method: 'POST', path: '/auth/verify-token/', operation: 'VerifyToken', isPublic: true },
  { method: 'POST', path: '/auth/verify/', operation: 'SignIn', isPublic: true, lift: 'user' },

  {
    method: 'GET',
    path: '/billing/credits/balance/',
    operation: balanceOperation,
    operations: ['OwnCreditBalance', 'CreditBalance', 'CreditBalances'],
    omitNull: ['account_ss58'],
  },
  { method: 'GET', path: '/billing/latest-tao-price/', operation: 'LatestTokenPrice', isPublic: true },

  { method: 'GET', path: '/infrastructure/vm/applications/', operation: 'VmApplications' },
  { method: 'GET', path: '/infrastructure/vm/flavors/', operation: 'VmFlavors' },
  { method: 'GET', path: '/infrastructure/vm/images/', operation: 'VmImages' },

  { method: 'POST', path: '/network/provision/', operation: 'ProvisionTenant', status: 201 },
  { method: 'GET', path: '/network/me/', operation: 'Tenant' },
  { method: 'GET', path: '/network/groups/', operation: 'Groups' },
  { method: 'POST', path: '/network/groups/', operation: 'CreateGroup', status: 201 },
  { method: 'DELETE', path: '/network/groups/{id}/', operation: 'DeleteGroup', status: 204 },
  { method: 'GET', path: '/network/policies/', operation: 'Policies' },
  { method: 'POST', path: '/network/policies/', operation: 'CreatePolicy', status: 201 },
  { method: 'PATCH', path: '/network/policies/{id}/', operation: 'UpdatePolicy' },
  { method: 'DELETE', path: '/network/policies/{id}/', operation: 'DeletePolicy', status: 204 },
  { method: 'GET', path: '/network/topology/', operation: 'Topology' },
];

const OWNER_ALIAS = { user_id: 'ss58_address' };

/** The folder-sync document, row by row: paths at the root, answers in the `{Success}` or `{Error}` envelope. */
export const FOLDER_ROUTES: readonly Route[] = [
  { method: 'POST', path: '/register_folder', operation: 'RegisterFolder', aliases: OWNER_ALIAS },
  { method: 'GET', path: '/list_folders/{base_address}', operation: 'ListFolders', lastMayBeEmpty: true },
  { method: 'DELETE', path: '/unregister_folder', operation: 'UnregisterFolder', aliases: OWNER_ALIAS },
];
