import {
  BALANCE,
  CHUNK,
  FILE_DOWNLOAD,
  FILE_LIST,
  JOIN_SCRIPT,
  MARKETING,
  NEW_MACHINE,
  NEW_PAYMENT,
  NEW_TRANSACTION,
  OWNER_ALIAS,
  PAYMENT_HINT,
  PEER_CONFIGURATION,
  PEER_CONFIGURATION_REQUEST,
  PEER_REPORT,
  PROCESSOR_WEBHOOK,
  REGISTRY_WEBHOOK,
  RELATIVE_PATHS,
  RENAMES,
  SOCIAL_CALLBACK,
  SOCIAL_LOGIN,
  SUBSCRIPTION_LIST,
  TOPOLOGY,
  TRANSACTIONS,
  UPLOAD,
  UPLOAD_FORMS,
  UPLOAD_SESSION,
  USAGE_RECORD,
  VALIDATOR_SERVICE,
} from './route-details.js';
import { routeOf, type Route, type RouteRow, type RestRequest } from './route.js';

// A line is a route: method, path, operation or download, access, exceptions from the defaults (`RouteDetails`).

/** The platform API: paths below /api, errors as `{error}`; a DELETE answers 204. */
// prettier-ignore
const PLATFORM: readonly RouteRow[] = [
  ['POST',   '/auth/exchange/',                                       'ExchangeAuthCode',               'public'],
  ['POST',   '/auth/mnemonic/',                                       'RequestChallenge',               'public'],
  ['GET',    '/auth/token/',                                          'MasterToken',                    'user'],
  ['POST',   '/auth/token/refresh/',                                  'RefreshMasterToken',             'public'],
  ['POST',   '/auth/verify-token/',                                   'VerifyToken',                    'public'],
  ['POST',   '/auth/verify/',                                         'SignIn',                         'public',          { flatten: 'user' }],

  ['GET',    '/billing/credits/balance/',                             BALANCE,                          'any token',       { omitNull: ['account_ss58'] }],
  ['GET',    '/billing/substrate-address/',                           'SubstrateAddresses',             'user'],
  ['GET',    '/billing/substrate-address/{id}/',                      'SubstrateAddress',               'user'],
  ['POST',   '/billing/usage/record/',                                'RecordUsage',                    VALIDATOR_SERVICE, USAGE_RECORD],
  ['GET',    '/billing/latest-tao-price/',                            'LatestTokenPrice',               'public'],
  ['GET',    '/billing/payproc/active-subscription/',                 'ActiveSubscription',             'user',            { omitNull: ['message'] }],
  ['POST',   '/billing/payproc/create-checkout-session/',             'CreateCheckoutSession',          'user',            { isStrict: true }],
  ['POST',   '/billing/payproc/create-payment/',                      NEW_PAYMENT,                      'user',            PAYMENT_HINT],
  ['POST',   '/billing/payproc/create-subscription/',                 'CreateSubscription',             'user'],
  ['POST',   '/billing/payproc/customer-portal/',                     'OpenCustomerPortal',             'user'],
  ['GET',    '/billing/payproc/subscription-plans/',                  'SubscriptionPlans',              'any token'],
  ['POST',   '/billing/payproc/webhook/',                             'ReceiveWebhook',                 'public',          PROCESSOR_WEBHOOK],
  ['GET',    '/billing/subscriptions/',                               'CreditSubscriptions',            MARKETING,         SUBSCRIPTION_LIST],
  ['GET',    '/billing/subscriptions/{id}/',                          'CreditSubscription',             MARKETING],
  ['GET',    '/billing/transactions/',                                TRANSACTIONS,                     'user',            { aliases: { limit: 'page_size' } }],
  ['POST',   '/billing/transactions/',                                'CreateTransaction',              'user',            NEW_TRANSACTION],
  ['GET',    '/billing/transactions/{id}/',                           'Transaction',                    'user'],

  ['GET',    '/infrastructure/vm/applications/',                      'VmApplications',                 'any token'],
  ['GET',    '/infrastructure/vm/flavors/',                           'VmFlavors',                      'any token'],
  ['GET',    '/infrastructure/vm/images/',                            'VmImages',                       'any token'],
  ['GET',    '/infrastructure/vm/instances/',                         'VmInstances',                    'user'],
  ['GET',    '/infrastructure/vm/instances/{instance_id}/',           'VmInstance',                     'user'],
  ['POST',   '/infrastructure/vm/instances/{instance_id}/reboot/',    'RebootVm',                       'user',            { status: 201 }],
  ['POST',   '/infrastructure/vm/instances/{instance_id}/start/',     'StartVm',                        'user',            { status: 201 }],
  ['POST',   '/infrastructure/vm/instances/{instance_id}/stop/',      'StopVm',                         'user',            { status: 201 }],
  ['POST',   '/infrastructure/vm/instances/{instance_id}/terminate/', 'TerminateVm',                    'user',            { status: 201 }],
  ['POST',   '/infrastructure/vm/spawn/',                             'SpawnVm',                        'beta user',       NEW_MACHINE],

  ['GET',    '/models/',                                              'Models',                         'optional token'],
  ['GET',    '/models/formats/',                                      'ModelFormats',                   'optional token'],
  ['GET',    '/models/{project}/{repo}/',                             'ModelVersions',                  'optional token'],
  ['GET',    '/models/{project}/{repo}/{reference}/',                 'ModelVersion',                   'optional token'],
  ['POST',   '/models/notifications/',                                'ReceiveRegistryEvents',          'public',          REGISTRY_WEBHOOK],

  ['GET',    '/infrastructure/certificates/',                         'OverlayCertificate',             'user'],
  ['POST',   '/infrastructure/certificates/request/',                 'RequestCertificate',             'user'],
  ['POST',   '/infrastructure/certificates/renew/',                   'RenewCertificate',               'user'],
  ['GET',    '/objectstore/acl/',                                     'ObjectStoreAcl',                 'user'],

  ['POST',   '/network/provision/',                                   'ProvisionTenant',                'user',            { status: 201 }],
  ['GET',    '/network/me/',                                          'Tenant',                         'tenant'],
  ['GET',    '/network/groups/',                                      'Groups',                         'tenant'],
  ['POST',   '/network/groups/',                                      'CreateGroup',                    'tenant',          { status: 201 }],
  ['DELETE', '/network/groups/{id}/',                                 'DeleteGroup',                    'tenant'],
  ['GET',    '/network/networks/',                                    'Networks',                       'tenant'],
  ['POST',   '/network/networks/',                                    'CreateNetwork',                  'tenant',          { status: 201 }],
  ['DELETE', '/network/networks/{id}/',                               'DeleteNetwork',                  'tenant'],
  ['GET',    '/network/networks/{nid}/resources/',                    'Resources',                      'tenant'],
  ['POST',   '/network/networks/{nid}/resources/',                    'CreateResource',                 'tenant',          { status: 201 }],
  ['PATCH',  '/network/networks/{nid}/resources/{rid}/',              'UpdateResource',                 'tenant'],
  ['DELETE', '/network/networks/{nid}/resources/{rid}/',              'DeleteResource',                 'tenant'],
  ['GET',    '/network/networks/{nid}/routers/',                      'Routers',                        'tenant'],
  ['POST',   '/network/networks/{nid}/routers/',                      'CreateRouter',                   'tenant',          { status: 201 }],
  ['DELETE', '/network/networks/{nid}/routers/{rid}/',                'DeleteRouter',                   'tenant'],
  ['POST',   '/network/groups/{id}/members/',                         'ChangeMember',                   'tenant',          { status: 201 }],
  ['GET',    '/network/peers/',                                       'Peers',                          'tenant'],
  ['GET',    '/network/peers/{id}/',                                  'Peer',                           'tenant'],
  ['PATCH',  '/network/peers/{id}/',                                  'UpdatePeer',                     'tenant'],
  ['DELETE', '/network/peers/{id}/',                                  'DeletePeer',                     'tenant'],
  ['GET',    '/network/policies/',                                    'Policies',                       'tenant'],
  ['POST',   '/network/policies/',                                    'CreatePolicy',                   'tenant',          { status: 201 }],
  ['PATCH',  '/network/policies/{id}/',                               'UpdatePolicy',                   'tenant'],
  ['DELETE', '/network/policies/{id}/',                               'DeletePolicy',                   'tenant'],
  ['GET',    '/network/topology/',                                    'Topology',                       'tenant',          TOPOLOGY],
  ['POST',   '/network/peers/enroll/',                                'EnrollPeer',                     'tenant',          { status: 201 }],
  ['GET',    '/network/enroll-keys/',                                 'SetupKeys',                      'tenant'],
  ['DELETE', '/network/enroll-keys/{id}/',                            'RevokeSetupKey',                 'tenant'],
  ['POST',   '/network/infra/enroll/',                                'EnrollInfra',                    'tenant',          { status: 201 }],
  ['GET',    '/network/infra/enrollments/',                           'InfraEnrollments',               'tenant'],
  ['DELETE', '/network/infra/enrollments/{id}/',                      'DeleteInfraEnrollment',          'tenant'],
  ['POST',   '/network/join/',                                        'JoinNetwork',                    'public',          { status: 201 }],
  ['GET',    '/network/configuration/',                               PEER_CONFIGURATION,               'public',          PEER_CONFIGURATION_REQUEST],
  ['POST',   '/network/report/',                                      'ReportConfiguration',            'public',          PEER_REPORT],

  ['GET',    '/notifications/settings/',                              'NotificationPreferences',        'user'],
  ['PUT',    '/notifications/settings/',                              'ReplaceNotificationPreferences', 'user'],
  ['PATCH',  '/notifications/settings/',                              'UpdateNotificationPreferences',  'user'],
];

/** Other paths, outside both APIs; errors as `{error}`. */
// prettier-ignore
const SITE: readonly RouteRow[] = [
  ['GET',  '/network/join.sh',               JOIN_SCRIPT,            'public'],
  ['GET',  '/.well-known/jwks.json',         'Jwks',                 'public'],
  ['POST', '/auth/exchange/',                'ExchangeAuthCode',     'public'],
  ['GET',  '/accounts/{provider}/login/',    'StartSocialSignIn',    'public', SOCIAL_LOGIN],
  ['GET',  '/accounts/{provider}/callback/', 'CompleteSocialSignIn', 'public', SOCIAL_CALLBACK],
];

/** The folder-sync API: paths at the root, answers in a `{Success}` or `{Error}` envelope, for users and services. */
// prettier-ignore
const FOLDER: readonly FolderRow[] = [
  ['POST',   '/register_folder',                                 'RegisterFolder',        OWNER_ALIAS],
  ['GET',    '/list_folders/{base_address}',                     'ListFolders',           { allowsEmptyLastParameter: true }],
  ['DELETE', '/unregister_folder',                               'UnregisterFolder',      OWNER_ALIAS],
  ['POST',   '/upload/session',                                  'OpenUploadSession',     UPLOAD_SESSION],
  ['PUT',    '/upload/session/{session_id}/chunk/{chunk_index}', 'UploadChunk',           CHUNK],
  ['GET',    '/upload/session/{session_id}/status',              'UploadSessionStatus'],
  ['POST',   '/upload/session/{session_id}/finalize',            'FinalizeUpload'],
  ['DELETE', '/upload/session/{session_id}',                     'DeleteUploadSession'],
  ['POST',   '/upload',                                          UPLOAD,                  UPLOAD_FORMS],
  ['GET',    '/get_state/{ss58}/{folder_hash}',                  'GetState',              FILE_LIST],
  ['GET',    '/browse/{ss58}/{folder_hash}',                     'BrowseFolder',          FILE_LIST],
  ['GET',    '/search_files/{ss58}',                             'SearchFiles',           { allowsEmptyLastParameter: true, omitNull: ['uploaded_by'] }],
  ['GET',    '/download/{ss58}/{folder_hash}/{file_id}',         FILE_DOWNLOAD],
  ['GET',    '/download/{ss58}/{file_id}',                       FILE_DOWNLOAD],
  ['DELETE', '/delete/{ss58}/{folder_hash}/{file_id}',           'DeleteFile'],
  ['DELETE', '/delete/{ss58}/{file_id}',                         'DeleteFile'],
  ['POST',   '/delete_files',                                    'DeleteFiles',           { ...OWNER_ALIAS, omitNull: ['deleted'] }],
  ['POST',   '/rename_files',                                    'RenameFiles',           RENAMES],
  ['POST',   '/register_relative_paths/{ss58}/{folder_hash}',    'RegisterRelativePaths', RELATIVE_PATHS],
  ['POST',   '/can_upload',                                      'CanUpload',             { ...OWNER_ALIAS, alsoUnwrapped: true, omitNull: ['error'] }],
  ['GET',    '/list_folder_entries/{ss58}/{folder_hash}',        'FolderEntries',         { alsoUnwrapped: true }],
  ['GET',    '/get_user_summary/{ss58}',                         'UserSummary',           { allowsEmptyLastParameter: true }],
  ['GET',    '/get_file_type_summary/{ss58}',                    'FileTypeSummary',       { allowsEmptyLastParameter: true, isTotals: true }],
  ['GET',    '/get_source_summary/{ss58}',                       'SourceSummary',         { allowsEmptyLastParameter: true, isTotals: true }],
];

type FolderRow = readonly [RouteRow[0], RouteRow[1], RouteRow[2], RouteRow[4]?];

/** All routes of the platform API. */
export const PLATFORM_ROUTES: readonly Route[] = PLATFORM.map(routeOf).map((route) => ({
  ...route,
  ...(route.method === 'DELETE' && { status: 204 }),
  ...(route.access === 'tenant' && { accessCheck: 'Tenant' }),
}));

/** All routes outside both APIs. */
export const SITE_ROUTES: readonly Route[] = SITE.map(routeOf);

/** All routes of the folder-sync API. A bad request for the files of another owner gets 403; the owner of an upload session is read from its status. */
export const FOLDER_ROUTES: readonly Route[] = FOLDER.map(([method, path, source, details]) => {
  const check = path.includes('{session_id}') ? { accessCheck: 'UploadSessionStatus' } : { ownerOf };
  return routeOf([method, path, source, 'any token', { ...check, ...details }]);
});

export const ROUTES: readonly Route[] = [...PLATFORM_ROUTES, ...SITE_ROUTES, ...FOLDER_ROUTES];

/** The address of the owner in the path, the manifest or the body. */
function ownerOf({ path, body }: RestRequest): unknown {
  const { manifest } = body;
  const fields: Readonly<Record<string, unknown>> =
    typeof manifest === 'object' && manifest !== null ? { ...manifest } : body;
  return path.ss58 ?? path.base_address ?? fields.ss58_address ?? fields.user_id ?? fields.account_ss58;
}
