/** Routes of the two documents that need a token. */
export const PROTECTED = [
  'GET /api/billing/credits/balance/',
  'GET /api/infrastructure/vm/applications/',
  'GET /api/infrastructure/vm/flavors/',
  'GET /api/infrastructure/vm/images/',
  'POST /api/network/provision/',
  'GET /api/network/me/',
  'GET /api/network/groups/',
  'POST /api/network/groups/',
  'DELETE /api/network/groups/2147483647/',
  'GET /api/network/policies/',
  'POST /api/network/policies/',
  'PATCH /api/network/policies/2147483647/',
  'DELETE /api/network/policies/2147483647/',
  'GET /api/network/topology/',
  'POST /register_folder',
  'GET /list_folders/5GmS1wtCfR4tK5SSgnZbVT4kYw5W8NmxmijcsxCQE6oLW6A8',
  'DELETE /unregister_folder',
] as const;

/** Routes that anyone may call. */
export const PUBLIC = [
  'POST /api/auth/mnemonic/',
  'POST /api/auth/verify/',
  'POST /api/auth/verify-token/',
  'GET /api/billing/latest-tao-price/',
] as const;

/** Routes that read a body with required fields. */
export const WITH_BODY = [
  'POST /api/auth/mnemonic/',
  'POST /api/auth/verify/',
  'POST /api/auth/verify-token/',
  'POST /api/network/groups/',
  'POST /api/network/policies/',
  'POST /register_folder',
  'DELETE /unregister_folder',
] as const;
