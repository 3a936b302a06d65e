import { hasRole } from '../../kernel/viewer.js';
import { MODEL_ROUTES } from './model-routes.js';
import type { Download, RestRequest, Route } from './route.js';

/** Validators and administrators name an account, or get the list of all. Source: platform document, Billing */
function balanceOperation({ viewer, query }: RestRequest): string {
  if (!hasRole(viewer, 'VALIDATOR') && !hasRole(viewer, 'ADMIN')) return 'OwnCreditBalance';
  return query.account_ss58 ? 'CreditBalance' : 'CreditBalances';
}

/** An array as documented; a page for those that page. Source: decisions, Lists */
function transactionsOperation({ query }: RestRequest): string {
  return query.page || query.page_size || query.limit ? 'TransactionPage' : 'Transactions';
}

const PEER_CONFIGURATION: Download = {
  subgraph: 'network',
  name: 'configuration',
  description:
    'The Nebula configuration of the machine, with its certificate. Errors: UNAUTHENTICATED if its token is invalid, UNAVAILABLE.',
  headers: { ETag: 'SHA-256 of the text, 64 hex digits.' },
  query: { wait: 'Seconds to wait, at most 20, until the text differs from the one that `If-None-Match` names.' },
  isText: true,
  waits: true,
};

/** What a node or an edge of one kind has and others have not. */
const GRAPH_OMITS =
  'group_id is_default peer_id ip status resource_id address kind router_id network_id masquerade metric groups policy_id protocol ports bidirectional action enabled'.split(
    ' ',
  );

/** The platform document, row by row: paths below /api, refusals as `{error}`. */
const PLATFORM_DOCUMENT: readonly Route[] = [
  { method: 'POST', path: '/auth/exchange/', operation: 'ExchangeAuthCode', isPublic: true },
  { method: 'POST', path: '/auth/mnemonic/', operation: 'RequestChallenge', isPublic: true },
  { method: 'GET', path: '/auth/token/', operation: 'MasterToken', admits: 'users' },
  { method: 'POST', path: '/auth/token/refresh/', operation: 'RefreshMasterToken', isPublic: true },
  { method: 'POST', path: '/auth/verify-token/', operation: 'VerifyToken', isPublic: true },
  { method: 'POST', path: '/auth/verify/', operation: 'SignIn', isPublic: true, lift: 'user' },

  {
    method: 'GET',
    path: '/billing/credits/balance/',
    operation: balanceOperation,
    operations: ['OwnCreditBalance', 'CreditBalance', 'CreditBalances'],
    omitNull: ['account_ss58'],
  },
  { method: 'GET', path: '/billing/substrate-address/', operation: 'SubstrateAddresses', admits: 'users' },
  { method: 'GET', path: '/billing/substrate-address/{id}/', operation: 'SubstrateAddress', admits: 'users' },
  {
    method: 'POST',
    path: '/billing/usage/record/',
    operation: 'RecordUsage',
    admits: { serviceRoles: ['VALIDATOR', 'ADMIN'] },
    status: 201,
    aliases: { ss58_address: 'account_ss58' },
  },
  { method: 'GET', path: '/billing/latest-tao-price/', operation: 'LatestTokenPrice', isPublic: true },
  {
    method: 'GET',
    path: '/billing/payproc/active-subscription/',
    admits: 'users',
    operation: 'ActiveSubscription',
    omitNull: ['message'],
  },
  {
    method: 'POST',
    path: '/billing/payproc/create-checkout-session/',
    admits: 'users',
    operation: 'CreateCheckoutSession',
    isStrict: true,
  },
  {
    method: 'POST',
    path: '/billing/payproc/create-payment/',
    admits: 'users',
    operation: ({ body }) => (body.payment_type === 'onetime' ? 'CreatePayment' : 'CreateSubscriptionPayment'),
    operations: ['CreatePayment', 'CreateSubscriptionPayment'],
    badRequestFields: {
      recommendation:
        'Send payment_type "onetime" with an amount from 20 to 10000, or "subscription" with a price_id of subscription-plans.',
    },
  },
  { method: 'POST', path: '/billing/payproc/create-subscription/', operation: 'CreateSubscription', admits: 'users' },
  { method: 'POST', path: '/billing/payproc/customer-portal/', operation: 'OpenCustomerPortal', admits: 'users' },
  { method: 'GET', path: '/billing/payproc/subscription-plans/', operation: 'SubscriptionPlans' },
  {
    method: 'POST',
    path: '/billing/payproc/webhook/',
    operation: 'ReceiveWebhook',
    isPublic: true,
    rawBody: 'payload',
    mostBodyBytes: 1024 * 1024,
    headers: { signature: 'stripe-signature' },
  },
  {
    method: 'GET',
    path: '/billing/subscriptions/',
    operation: 'CreditSubscriptions',
    admits: { roles: ['MARKETING'] },
    aliases: { stripe_subscription_id: 'payproc_subscription_id' },
  },
  {
    method: 'GET',
    path: '/billing/subscriptions/{id}/',
    operation: 'CreditSubscription',
    admits: { roles: ['MARKETING'] },
  },
  {
    method: 'GET',
    path: '/billing/transactions/',
    admits: 'users',
    operation: transactionsOperation,
    operations: ['Transactions', 'TransactionPage'],
    aliases: { limit: 'page_size' },
  },
  {
    method: 'POST',
    path: '/billing/transactions/',
    admits: 'users',
    operation: 'CreateTransaction',
    status: 201,
    omitNull: ['payment_address', 'client_secret'],
  },
  { method: 'GET', path: '/billing/transactions/{id}/', operation: 'Transaction', admits: 'users' },

  { method: 'GET', path: '/infrastructure/vm/applications/', operation: 'VmApplications' },
  { method: 'GET', path: '/infrastructure/vm/flavors/', operation: 'VmFlavors' },
  { method: 'GET', path: '/infrastructure/vm/images/', operation: 'VmImages' },
  { method: 'GET', path: '/infrastructure/vm/instances/', operation: 'VmInstances', admits: 'users' },
  { method: 'GET', path: '/infrastructure/vm/instances/{instance_id}/', operation: 'VmInstance', admits: 'users' },
  {
    method: 'POST',
    path: '/infrastructure/vm/instances/{instance_id}/reboot/',
    operation: 'RebootVm',
    status: 201,
    admits: 'users',
  },
  {
    method: 'POST',
    path: '/infrastructure/vm/instances/{instance_id}/start/',
    operation: 'StartVm',
    status: 201,
    admits: 'users',
  },
  {
    method: 'POST',
    path: '/infrastructure/vm/instances/{instance_id}/stop/',
    operation: 'StopVm',
    status: 201,
    admits: 'users',
  },
  {
    method: 'POST',
    path: '/infrastructure/vm/instances/{instance_id}/terminate/',
    operation: 'TerminateVm',
    status: 201,
    admits: 'users',
  },
  {
    method: 'POST',
    path: '/infrastructure/vm/spawn/',
    operation: 'SpawnVm',
    status: 202,
    admits: 'beta users',
    headers: { idempotency_key: 'idempotency-key' },
  },

  ...MODEL_ROUTES,
  { method: 'GET', path: '/infrastructure/certificates/', operation: 'OverlayCertificate', admits: 'users' },
  { method: 'POST', path: '/infrastructure/certificates/request/', operation: 'RequestCertificate', admits: 'users' },
  { method: 'POST', path: '/infrastructure/certificates/renew/', operation: 'RenewCertificate', admits: 'users' },
  { method: 'GET', path: '/objectstore/acl/', operation: 'ObjectStoreAcl', admits: 'users' },

  { method: 'POST', path: '/network/provision/', operation: 'ProvisionTenant', status: 201, admits: 'users' },
  { method: 'GET', path: '/network/me/', operation: 'Tenant', admits: 'users' },
  { method: 'GET', path: '/network/groups/', operation: 'Groups', admits: 'users' },
  { method: 'POST', path: '/network/groups/', operation: 'CreateGroup', status: 201, admits: 'users' },
  { method: 'DELETE', path: '/network/groups/{id}/', operation: 'DeleteGroup', status: 204, admits: 'users' },
  { method: 'GET', path: '/network/networks/', operation: 'Networks', admits: 'users' },
  { method: 'POST', path: '/network/networks/', operation: 'CreateNetwork', status: 201, admits: 'users' },
  { method: 'DELETE', path: '/network/networks/{id}/', operation: 'DeleteNetwork', status: 204, admits: 'users' },
  { method: 'GET', path: '/network/networks/{nid}/resources/', operation: 'Resources', admits: 'users' },
  {
    method: 'POST',
    path: '/network/networks/{nid}/resources/',
    operation: 'CreateResource',
    status: 201,
    admits: 'users',
  },
  {
    method: 'PATCH',
    path: '/network/networks/{nid}/resources/{rid}/',
    operation: 'UpdateResource',
    admits: 'users',
  },
  {
    method: 'DELETE',
    path: '/network/networks/{nid}/resources/{rid}/',
    operation: 'DeleteResource',
    status: 204,
    admits: 'users',
  },
  { method: 'GET', path: '/network/networks/{nid}/routers/', operation: 'Routers', admits: 'users' },
  { method: 'POST', path: '/network/networks/{nid}/routers/', operation: 'CreateRouter', status: 201, admits: 'users' },
  {
    method: 'DELETE',
    path: '/network/networks/{nid}/routers/{rid}/',
    operation: 'DeleteRouter',
    status: 204,
    admits: 'users',
  },
  { method: 'POST', path: '/network/groups/{id}/members/', operation: 'ChangeMember', status: 201, admits: 'users' },
  { method: 'GET', path: '/network/peers/', operation: 'Peers', admits: 'users' },
  { method: 'GET', path: '/network/peers/{id}/', operation: 'Peer', admits: 'users' },
  { method: 'PATCH', path: '/network/peers/{id}/', operation: 'UpdatePeer', admits: 'users' },
  { method: 'DELETE', path: '/network/peers/{id}/', operation: 'DeletePeer', status: 204, admits: 'users' },
  { method: 'GET', path: '/network/policies/', operation: 'Policies', admits: 'users' },
  { method: 'POST', path: '/network/policies/', operation: 'CreatePolicy', status: 201, admits: 'users' },
  { method: 'PATCH', path: '/network/policies/{id}/', operation: 'UpdatePolicy', admits: 'users' },
  { method: 'DELETE', path: '/network/policies/{id}/', operation: 'DeletePolicy', status: 204, admits: 'users' },
  {
    method: 'GET',
    path: '/network/topology/',
    operation: 'Topology',
    admits: 'users',
    etag: { field: 'version', operation: 'TopologyVersion' },
    omitNull: GRAPH_OMITS,
  },
  { method: 'POST', path: '/network/peers/enroll/', operation: 'EnrollPeer', status: 201, admits: 'users' },
  { method: 'GET', path: '/network/enroll-keys/', operation: 'SetupKeys', admits: 'users' },
  { method: 'DELETE', path: '/network/enroll-keys/{id}/', operation: 'RevokeSetupKey', status: 204, admits: 'users' },
  { method: 'POST', path: '/network/infra/enroll/', operation: 'EnrollInfra', status: 201, admits: 'users' },
  { method: 'GET', path: '/network/infra/enrollments/', operation: 'InfraEnrollments', admits: 'users' },
  {
    method: 'DELETE',
    path: '/network/infra/enrollments/{id}/',
    operation: 'DeleteInfraEnrollment',
    status: 204,
    admits: 'users',
  },
  { method: 'POST', path: '/network/join/', operation: 'JoinNetwork', status: 201, isPublic: true },
  {
    method: 'GET',
    path: '/network/configuration/',
    download: PEER_CONFIGURATION,
    isPublic: true,
    headers: { peer_token: 'peer-token', known: 'if-none-match' },
    required: ['peer_token'],
  },
  {
    method: 'POST',
    path: '/network/report/',
    operation: 'ReportConfiguration',
    isPublic: true,
    headers: { peer_token: 'peer-token' },
    required: ['peer_token', 'applied'],
  },

  { method: 'GET', path: '/notifications/settings/', operation: 'NotificationPreferences', admits: 'users' },
  { method: 'PUT', path: '/notifications/settings/', operation: 'ReplaceNotificationPreferences', admits: 'users' },
  { method: 'PATCH', path: '/notifications/settings/', operation: 'UpdateNotificationPreferences', admits: 'users' },
];

/** Every path of the platform document. Where a network is needed, 403 for none comes before 400. */
export const PLATFORM_ROUTES: readonly Route[] = PLATFORM_DOCUMENT.map((route) =>
  route.path.startsWith('/network/') && route.admits === 'users' && route.operation !== 'ProvisionTenant'
    ? { ...route, gate: 'Tenant' }
    : route,
);

const JOIN_SCRIPT: Download = {
  subgraph: 'network',
  name: 'joinScript',
  description: 'A POSIX shell script that joins a machine to a private network.',
  isText: true,
};

/** Binds a social sign-in to the browser that began it. */
const LOGIN_COOKIE = 'archipelago-login';

/** Addresses beside the two documents, whose refusals are `{error}`. Source: decisions; operating contract, Doors */
export const SITE_ROUTES: readonly Route[] = [
  { method: 'GET', path: '/network/join.sh', download: JOIN_SCRIPT, isPublic: true },
  { method: 'GET', path: '/.well-known/jwks.json', operation: 'Jwks', isPublic: true },
  { method: 'POST', path: '/auth/exchange/', operation: 'ExchangeAuthCode', isPublic: true },
  {
    method: 'GET',
    path: '/accounts/{provider}/login/',
    operation: 'StartSocialSignIn',
    isPublic: true,
    isRedirect: true,
    cookies: { browser: LOGIN_COOKIE },
    setsCookie: { name: LOGIN_COOKIE, field: 'browser', path: '/accounts/', maxAgeSeconds: 600 },
  },
  {
    method: 'GET',
    path: '/accounts/{provider}/callback/',
    operation: 'CompleteSocialSignIn',
    isPublic: true,
    isRedirect: true,
    cookies: { browser: LOGIN_COOKIE },
  },
];

/** Not there where nobody knows it. Source: client facts, 4.5 */
const FILE_OMITS = ['uploaded_by'];

const FILE_DOWNLOAD: Download = {
  subgraph: 'sync',
  name: 'download',
  description:
    'The ciphertext of a file that you own. Errors: BAD_REQUEST, FORBIDDEN, NOT_FOUND, RANGE_NOT_SATISFIABLE, INTERNAL storage_inconsistency.',
  headers: {
    'X-Size-Bytes': 'Size in bytes before encryption.',
    'X-Revision-Id': 'The id of the revision, 64 hex digits.',
    'X-Revision-Seq': 'The number of the revision.',
    'X-File-Id': 'The id of the file.',
    'X-Ss58-Address': 'The SS58 address of the owner.',
    'X-Folder-Hash': 'The hash of the folder.',
  },
};

const OWNER_ALIAS = { user_id: 'ss58_address' };
const LAYOUT = ['chunk_count', 'chunk_size', 'ciphertext_size'];

/** The folder-sync document, row by row: paths at the root, answers in the `{Success}` or `{Error}` envelope. */
const FOLDER_DOCUMENT: readonly Route[] = [
  { method: 'POST', path: '/register_folder', operation: 'RegisterFolder', aliases: OWNER_ALIAS },
  { method: 'GET', path: '/list_folders/{base_address}', operation: 'ListFolders', lastMayBeEmpty: true },
  { method: 'DELETE', path: '/unregister_folder', operation: 'UnregisterFolder', aliases: OWNER_ALIAS },
  { method: 'POST', path: '/upload/session', operation: 'OpenUploadSession', aliases: OWNER_ALIAS, unsigned: LAYOUT },
  {
    method: 'PUT',
    path: '/upload/session/{session_id}/chunk/{chunk_index}',
    operation: 'UploadChunk',
    bytes: 'chunk',
    headers: { chunk_blake3: 'x-chunk-blake3' },
  },
  { method: 'GET', path: '/upload/session/{session_id}/status', operation: 'UploadSessionStatus' },
  { method: 'POST', path: '/upload/session/{session_id}/finalize', operation: 'FinalizeUpload' },
  { method: 'DELETE', path: '/upload/session/{session_id}', operation: 'DeleteUploadSession' },
  {
    method: 'POST',
    path: '/upload',
    operation: ({ body }) => (Object.hasOwn(body, 'account_ss58') ? 'UploadPlainFile' : 'UploadFile'),
    operations: ['UploadFile', 'UploadPlainFile'],
    aliases: OWNER_ALIAS,
    forms: [
      { first: 'manifest', isJson: true, file: 'ciphertext' },
      { first: 'account_ss58', file: 'file', fileName: 'file_name' },
    ],
    isFlat: ({ body }) => Object.hasOwn(body, 'account_ss58'),
  },
  { method: 'GET', path: '/get_state/{ss58}/{folder_hash}', operation: 'GetState', omitNull: FILE_OMITS },
  { method: 'GET', path: '/browse/{ss58}/{folder_hash}', operation: 'BrowseFolder', omitNull: FILE_OMITS },
  { method: 'GET', path: '/search_files/{ss58}', operation: 'SearchFiles', lastMayBeEmpty: true, omitNull: FILE_OMITS },
  { method: 'GET', path: '/download/{ss58}/{folder_hash}/{file_id}', download: FILE_DOWNLOAD },
  { method: 'GET', path: '/download/{ss58}/{file_id}', download: FILE_DOWNLOAD },
  { method: 'DELETE', path: '/delete/{ss58}/{folder_hash}/{file_id}', operation: 'DeleteFile' },
  { method: 'DELETE', path: '/delete/{ss58}/{file_id}', operation: 'DeleteFile' },
  { method: 'POST', path: '/delete_files', operation: 'DeleteFiles', aliases: OWNER_ALIAS, omitNull: ['deleted'] },
  // A thousand files with their paths, bytes as arrays of numbers.
  {
    method: 'POST',
    path: '/rename_files',
    operation: 'RenameFiles',
    aliases: OWNER_ALIAS,
    mostBodyBytes: 8 * 1024 * 1024,
  },
  {
    method: 'POST',
    path: '/register_relative_paths/{ss58}/{folder_hash}',
    operation: 'RegisterRelativePaths',
    mostBodyBytes: 4 * 1024 * 1024,
  },
  {
    method: 'POST',
    path: '/can_upload',
    operation: 'CanUpload',
    aliases: OWNER_ALIAS,
    isFlat: true,
    omitNull: ['error'],
  },
  {
    method: 'GET',
    path: '/list_folder_entries/{ss58}/{folder_hash}',
    operation: 'FolderEntries',
    isFlat: true,
  },
  { method: 'GET', path: '/get_user_summary/{ss58}', operation: 'UserSummary', lastMayBeEmpty: true },
  {
    method: 'GET',
    path: '/get_file_type_summary/{ss58}',
    operation: 'FileTypeSummary',
    lastMayBeEmpty: true,
    isTotals: true,
  },
  {
    method: 'GET',
    path: '/get_source_summary/{ss58}',
    operation: 'SourceSummary',
    lastMayBeEmpty: true,
    isTotals: true,
  },
];

/** Whose files a request is about. Source: folder-sync document, Authentication */
function namedOwner({ path, body }: RestRequest): unknown {
  const { manifest } = body;
  const given: Readonly<Record<string, unknown>> =
    typeof manifest === 'object' && manifest !== null ? { ...manifest } : body;
  return path.ss58 ?? path.base_address ?? given.ss58_address ?? given.user_id ?? given.account_ss58;
}

/** Every path of the folder-sync document: all are about one owner's files. */
export const FOLDER_ROUTES: readonly Route[] = FOLDER_DOCUMENT.map((route) =>
  route.path.includes('{session_id}') ? { ...route, gate: 'UploadSessionStatus' } : { ...route, owner: namedOwner },
);
