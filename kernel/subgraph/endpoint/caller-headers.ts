import type { IncomingMessage } from 'node:http';
import { ANONYMOUS, type Viewer } from '../../security/viewer.js';
import type { RemoteEndpoint } from '../remote/remote-subgraph.js';
import { HEARTBEAT_MS } from '../remote/server-sent-events.js';
import type { RequestOrigin } from '../subgraph-client.js';
import { SECRET_HEADER } from './secret-check.js';

const VIEWER_HEADER = 'x-viewer';
const REQUEST_ID_HEADER = 'x-request-id';
const CLIENT_ADDRESS_HEADER = 'x-client-address';
const CLIENT_AGENT_HEADER = 'x-client-agent';
const BILLING_HEADER = 'x-billing-bypassed';
const TRACE_HEADER = 'traceparent';

/** Returns the address and headers with which the gateway and other subgraphs call a subgraph. */
export function remoteEndpointOf(name: string, url: string, secret: string): RemoteEndpoint {
  return {
    name,
    url,
    heartbeatMs: HEARTBEAT_MS,
    headers: (request) => ({
      [SECRET_HEADER]: secret,
      [VIEWER_HEADER]: Buffer.from(JSON.stringify(request?.viewer ?? ANONYMOUS)).toString('base64url'),
      [REQUEST_ID_HEADER]: request?.requestId ?? '',
      [CLIENT_ADDRESS_HEADER]: request?.clientAddress ?? '',
      ...optionalHeaders(request),
    }),
  };
}

function optionalHeaders(request: RequestOrigin | undefined): Readonly<Record<string, string>> {
  return {
    ...(request?.userAgent !== undefined && { [CLIENT_AGENT_HEADER]: request.userAgent }),
    ...(request?.isBillingBypassed && { [BILLING_HEADER]: 'yes' }),
    ...traceHeader(request),
  };
}

/** Returns the header with the parent span; external subgraphs get it too. */
export function traceHeader(request: RequestOrigin | undefined): Readonly<Record<string, string>> {
  return request?.traceparent === undefined ? {} : { [TRACE_HEADER]: request.traceparent };
}

/** Reads who calls, from the headers of a request. Returns undefined if the viewer is malformed. */
export function readCaller(request: IncomingMessage): RequestOrigin | undefined {
  try {
    const viewer = JSON.parse(Buffer.from(header(request, VIEWER_HEADER), 'base64url').toString()) as Viewer;
    const requestId = header(request, REQUEST_ID_HEADER);
    const isBillingBypassed = header(request, BILLING_HEADER) === 'yes';
    const traceparent = header(request, TRACE_HEADER) || undefined;
    const clientAddress = header(request, CLIENT_ADDRESS_HEADER);
    const userAgent = header(request, CLIENT_AGENT_HEADER) || undefined;
    return { viewer, requestId, clientAddress, userAgent, isBillingBypassed, traceparent };
  } catch {
    return undefined;
  }
}

function header(request: IncomingMessage, name: string): string {
  const value = request.headers[name];
  return typeof value === 'string' ? value : '';
}
