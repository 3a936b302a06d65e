export { Archipelago, type ClientOptions } from './client.js';
export type { SignedIn } from './auth.js';
export { PlatformError } from './errors.js';
export {
  decryptBytes,
  decrypted,
  encryptBytes,
  encrypted,
  FRAME_BYTES,
  framedSize,
  sourceOf,
  type Source,
} from './files/framing.js';
export type { DownloadOptions, DownloadTarget } from './files/download.js';
export {
  pathOf,
  type Files,
  type FileSearch,
  type FoundFile,
  type RemoteFile,
  type RemoteFolder,
} from './files/files.js';
export { folderHash, folderKey, pathHash, type FolderKey } from './files/manifest.js';
export type { Revision, UploadOptions, UploadRecord, UploadRecords } from './files/upload.js';
export type { Operation } from './graphql.js';
export { graphql, type ResultOf, type VariablesOf } from './documents.js';
export type { RestClient } from './rest.js';
export type { SocketOptions, SocketState } from './socket.js';
export type { ConnectionOptions } from './transport.js';
export { newMnemonic, personalSign, walletOf, type Signer } from './wallet.js';
export { verifyWebhook } from './webhooks.js';
