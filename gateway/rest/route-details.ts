import { hasRole } from '../../kernel/security/viewer.js';
import type { Access, Download, OperationChoice, RestRequest, RouteDetails } from './route.js';

const MIB = 1024 * 1024;

// Access

export const MARKETING: Access = { roles: ['MARKETING'] };
export const VALIDATOR_SERVICE: Access = { serviceRoles: ['VALIDATOR', 'ADMIN'] };

// Billing

/** Validators and administrators read one balance or all; others read their own. */
export const BALANCE: OperationChoice = {
  operations: ['OwnCreditBalance', 'CreditBalance', 'CreditBalances'],
  choose({ viewer, query }) {
    if (!hasRole(viewer, 'VALIDATOR') && !hasRole(viewer, 'ADMIN')) return 'OwnCreditBalance';
    return query.account_ss58 ? 'CreditBalance' : 'CreditBalances';
  },
};

export const USAGE_RECORD: RouteDetails = { status: 201, aliases: { ss58_address: 'account_ss58' } };

export const NEW_PAYMENT: OperationChoice = {
  operations: ['CreatePayment', 'CreateSubscriptionPayment'],
  choose: ({ body }) => (body.payment_type === 'onetime' ? 'CreatePayment' : 'CreateSubscriptionPayment'),
};

export const PAYMENT_HINT: RouteDetails = {
  badRequestFields: {
    recommendation:
      'Send payment_type "onetime" with an amount from 20 to 10000, or "subscription" with a price_id of subscription-plans.',
  },
};

/** The documented array, or a page if the request has `page`, `page_size` or `limit`. */
export const TRANSACTIONS: OperationChoice = {
  operations: ['Transactions', 'TransactionPage'],
  choose: ({ query }) =>
    (query.page ?? query.page_size ?? query.limit) === undefined ? 'Transactions' : 'TransactionPage',
};

export const NEW_TRANSACTION: RouteDetails = { status: 201, omitNull: ['payment_address', 'client_secret'] };

export const SUBSCRIPTION_LIST: RouteDetails = { aliases: { stripe_subscription_id: 'payproc_subscription_id' } };

export const PROCESSOR_WEBHOOK: RouteDetails = {
  rawBody: 'payload',
  maxBodyBytes: MIB,
  headers: { signature: 'stripe-signature' },
};

// Machines and models

export const NEW_MACHINE: RouteDetails = { status: 202, headers: { idempotency_key: 'idempotency-key' } };

export const REGISTRY_WEBHOOK: RouteDetails = { rawBody: 'payload', headers: { authorization: 'authorization' } };

// Networks

/** Fields that only some kinds of nodes and edges have. */
const GRAPH_FIELDS =
  'group_id is_default peer_id ip status resource_id address kind router_id network_id masquerade metric groups policy_id protocol ports bidirectional action enabled';

export const TOPOLOGY: RouteDetails = {
  etag: { field: 'version', operation: 'TopologyVersion' },
  omitNull: GRAPH_FIELDS.split(' '),
};

export const PEER_CONFIGURATION: Download = {
  subgraph: 'network',
  name: 'configuration',
  description: 'The Nebula configuration of the machine, with its certificate.',
  errors: { UNAUTHENTICATED: 'if its token is invalid', UNAVAILABLE: '' },
  headers: { ETag: 'SHA-256 of the text, 64 hex digits.' },
  query: { wait: 'Seconds to wait, at most 20, until the text differs from the one that `If-None-Match` names.' },
  isText: true,
  isLongPoll: true,
};

export const PEER_CONFIGURATION_REQUEST: RouteDetails = {
  headers: { peer_token: 'peer-token', known: 'if-none-match' },
  required: ['peer_token'],
};

export const PEER_REPORT: RouteDetails = {
  headers: { peer_token: 'peer-token' },
  required: ['peer_token', 'applied'],
};

export const JOIN_SCRIPT: Download = {
  subgraph: 'network',
  name: 'joinScript',
  description: 'A POSIX shell script that joins a machine to a private network.',
  isText: true,
};

// Social sign-in

/** Binds a social sign-in to the browser that started it. */
const LOGIN_COOKIE = 'archipelago-login';

export const SOCIAL_CALLBACK: RouteDetails = { isRedirect: true, cookies: { browser: LOGIN_COOKIE } };

export const SOCIAL_LOGIN: RouteDetails = {
  ...SOCIAL_CALLBACK,
  setsCookie: { name: LOGIN_COOKIE, field: 'browser', path: '/accounts/', maxAgeSeconds: 600 },
};

// Folders and files

/** Clients send the address of the owner under either name. */
export const OWNER_ALIAS: RouteDetails = { aliases: { user_id: 'ss58_address' } };

/** Left out when it is unknown. */
export const FILE_LIST: RouteDetails = { omitNull: ['uploaded_by'] };

export const UPLOAD_SESSION: RouteDetails = {
  ...OWNER_ALIAS,
  unsigned: ['chunk_count', 'chunk_size', 'ciphertext_size'],
};

export const CHUNK: RouteDetails = { streamedBody: 'chunk', headers: { chunk_blake3: 'x-chunk-blake3' } };

const isPlainUpload = ({ body }: RestRequest): boolean => Object.hasOwn(body, 'account_ss58');

export const UPLOAD: OperationChoice = {
  operations: ['UploadFile', 'UploadPlainFile'],
  choose: (request) => (isPlainUpload(request) ? 'UploadPlainFile' : 'UploadFile'),
};

export const UPLOAD_FORMS: RouteDetails = {
  ...OWNER_ALIAS,
  forms: [
    { textPart: 'manifest', isJson: true, filePart: 'ciphertext' },
    { textPart: 'account_ss58', filePart: 'file', fileName: 'file_name' },
  ],
  alsoUnwrapped: isPlainUpload,
};

/** Up to 1,000 renames, whose byte fields are JSON arrays of numbers. */
export const RENAMES: RouteDetails = { ...OWNER_ALIAS, maxBodyBytes: 8 * MIB };

export const RELATIVE_PATHS: RouteDetails = { maxBodyBytes: 4 * MIB };

export const FILE_DOWNLOAD: Download = {
  subgraph: 'sync',
  name: 'download',
  description: 'The ciphertext of a file that you own.',
  errors: {
    BAD_REQUEST: '',
    FORBIDDEN: '',
    NOT_FOUND: '',
    RANGE_NOT_SATISFIABLE: '',
    RATE_LIMITED: '',
    UNAVAILABLE: '',
    INTERNAL: 'storage_inconsistency',
  },
  headers: {
    'X-Size-Bytes': 'Size in bytes before encryption.',
    'X-Revision-Id': 'The id of the revision, 64 hex digits.',
    'X-Revision-Seq': 'The number of the revision.',
    'X-File-Id': 'The id of the file.',
    'X-Ss58-Address': 'The SS58 address of the owner.',
    'X-Folder-Hash': 'The hash of the folder.',
  },
};
