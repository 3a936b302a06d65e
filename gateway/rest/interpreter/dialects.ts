import type { FastifyRequest } from 'fastify';
import type { GraphQLError } from 'graphql';
import { FOLDER_ROUTES, SITE_ROUTES } from '../contract.js';
import type { Route } from '../route.js';
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

/** The body of the error of a request that Node cannot read. @param url undefined if it was not read either */
export function unreadRefusal(url: string | undefined, error: GraphQLError): unknown {
  if (url !== undefined && isGraphQLPath(url)) return { errors: [error] };
  const isFolderPath = url !== undefined && startsLike(url, FOLDER_ROUTES);
  return (isFolderPath ? FOLDER_DIALECT : PLATFORM_DIALECT).refusal(error);
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
  return /^\/dashboard(?:[/?]|$)/.test(url) || startsLike(url, SITE_ROUTES);
}

function startsLike(url: string, routes: readonly Route[]): boolean {
  const [, first] = url.split(/[/?]/);
  return routes.some(({ path }) => path.split('/')[1] === first);
}
