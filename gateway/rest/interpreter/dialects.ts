import type { FastifyRequest } from 'fastify';
import { SITE_ROUTES } from '../contract.js';
import { FOLDER_DIALECT, PLATFORM_DIALECT, type Dialect } from './answers.js';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The format of errors; default: that of the platform. */
    readonly dialect?: Dialect;
  }
}

/** The format of errors of a request, also when it is refused before its route runs. */
export function dialectAt({ is404, url, routeOptions }: FastifyRequest): Dialect {
  return is404 ? dialectOf(url) : (routeOptions.config.dialect ?? PLATFORM_DIALECT);
}

/** The format of errors at the path of a route, or at one that is like it. */
export function dialectOf(url: string): Dialect {
  return isPlatformPath(url) || isSitePath(url) ? PLATFORM_DIALECT : FOLDER_DIALECT;
}

/** Whether a path is that of GraphQL, whose errors are a list. */
export function isGraphQLPath(url: string): boolean {
  return /^\/graphql(?:[/?]|$)/.test(url);
}

/** Whether a path belongs to the platform API. */
function isPlatformPath(url: string): boolean {
  return /^\/api(?:[/?]|$)/.test(url);
}

/** Whether a path starts like a route of neither API. */
function isSitePath(url: string): boolean {
  const [, first = ''] = url.split(/[/?]/);
  return first === 'dashboard' || SITE_ROUTES.some(({ path }) => path.split('/')[1] === first);
}
