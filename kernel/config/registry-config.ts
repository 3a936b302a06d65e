import { ConfigError, HTTP, readList, readUrl, type Environment } from './environment.js';

/** The OCI registry that models are indexed from. Source: operating contract, Environment */
export interface RegistryConfig {
  /** Without user, password and trailing slash. */
  readonly url: string;
  /** `user:password`, where the registry asks for it. */
  readonly credentials: string | undefined;
  /** What its notifications are signed by: any of them, so that one can be rotated; empty: there are none. */
  readonly notificationTokens: readonly string[];
}

/** Reads `REGISTRY_URL`, which may hold a user and a password, and `REGISTRY_TOKEN`. @throws ConfigError */
export function readRegistry(env: Environment): RegistryConfig | undefined {
  const value = readUrl(env, 'REGISTRY_URL', HTTP);
  if (value === undefined) return undefined;
  const url = new URL(value);
  const { username, password } = url;
  url.username = url.password = url.search = url.hash = '';
  const notificationTokens = readList(env, 'REGISTRY_TOKEN');
  // A client that sends the address of a version by pull_command has no place for a path.
  if (url.pathname !== '/') throw new ConfigError('REGISTRY_URL names a registry: it ends with its host or its port.');
  if (notificationTokens.some((token) => /[^\x21-\x7e]/.test(token)))
    throw new ConfigError('REGISTRY_TOKEN must be printable ASCII without spaces, as it travels in a header.');
  return {
    url: url.href.replace(/\/$/, ''),
    credentials: username === '' ? undefined : `${decodeURIComponent(username)}:${decodeURIComponent(password)}`,
    notificationTokens,
  };
}
