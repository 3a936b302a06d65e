import { NO_PROJECT } from './model.rules.js';

/** Source: OCI distribution specification, Pulling manifests */
const NAME = /^[a-z0-9]+(?:(?:\.|_|__|-+)[a-z0-9]+)*(?:\/[a-z0-9]+(?:(?:\.|_|__|-+)[a-z0-9]+)*)*$/;
const TAG = /^\w[\w.-]{0,127}$/;
const DIGEST = /^(?:sha256:[0-9a-f]{64}|sha512:[0-9a-f]{128})$/;
const MAX_NAME_LENGTH = 255;

/** Whether this is a valid repository name. */
export function isName(name: unknown): name is string {
  return typeof name === 'string' && name.length <= MAX_NAME_LENGTH && NAME.test(name);
}

/** Whether this is a valid project name, including `_`. */
export function isProject(project: string): boolean {
  return project === NO_PROJECT || (isName(project) && !project.includes('/'));
}

/** Whether this is a valid tag. */
export function isTag(tag: unknown): tag is string {
  return typeof tag === 'string' && TAG.test(tag);
}

/** Whether this is a digest with a supported algorithm. */
export function isVerifiableDigest(digest: unknown): digest is string {
  return typeof digest === 'string' && DIGEST.test(digest);
}
