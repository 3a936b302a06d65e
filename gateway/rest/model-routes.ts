import type { Route } from './route.js';

/** The platform document’s rows about models, and where their registry notifies. */
export const MODEL_ROUTES: readonly Route[] = [
  { method: 'GET', path: '/models/', operation: 'Models', admits: 'anyone' },
  { method: 'GET', path: '/models/formats/', operation: 'ModelFormats', admits: 'anyone' },
  { method: 'GET', path: '/models/{project}/{repo}/', operation: 'ModelVersions', admits: 'anyone' },
  { method: 'GET', path: '/models/{project}/{repo}/{reference}/', operation: 'ModelVersion', admits: 'anyone' },
  {
    method: 'POST',
    path: '/models/notifications/',
    operation: 'ReceiveRegistryEvents',
    isPublic: true,
    rawBody: 'payload',
    headers: { authorization: 'authorization' },
  },
];
