/** The error object of the processor's API. Source: Stripe API reference, Errors */
export interface RefusalBody {
  readonly type: 'invalid_request_error' | 'card_error' | 'idempotency_error' | 'api_error';
  readonly message: string;
  readonly code?: string;
  readonly param?: string;
  readonly [more: string]: unknown;
}

/** A refused request; its transaction is rolled back. */
export class Refusal extends Error {
  constructor(
    readonly status: number,
    readonly body: RefusalBody,
  ) {
    super(body.message);
  }
}

/** A refusal with status 400, for an invalid request. */
export function refuse(body: Omit<RefusalBody, 'type'>): Refusal {
  return new Refusal(400, { type: 'invalid_request_error', ...body } as RefusalBody);
}

export function missing(param: string): Refusal {
  return refuse({ message: `Missing required param: ${param}.`, code: 'parameter_missing', param });
}

/** An unknown id: 404 in a path, 400 in a parameter. */
export function noSuch(noun: string, id: string, param = 'id'): Refusal {
  return new Refusal(param === 'id' ? 404 : 400, {
    type: 'invalid_request_error',
    code: 'resource_missing',
    doc_url: 'https://stripe.com/docs/error-codes/resource-missing',
    message: `No such ${noun}: '${id}'`,
    param,
  });
}

/** A refusal of a missing or wrong credential; it shows only the end of the credential. */
export function unauthorized(key: string | undefined): Refusal {
  const message =
    key === undefined
      ? 'You did not provide an API key. Provide it in the Authorization header, using Bearer auth.'
      : `Invalid API Key provided: ${'*'.repeat(8)}${key.length > 12 ? key.slice(-4) : ''}`;
  return new Refusal(401, { type: 'invalid_request_error', message });
}

export function unknownRoute(method: string, path: string): Refusal {
  return new Refusal(404, {
    type: 'invalid_request_error',
    message: `Unrecognized request URL (${method}: ${path}). The sandbox implements only part of the API.`,
  });
}
