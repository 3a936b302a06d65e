import { createSessionStore, session } from '../session/session';

/** A request of this tab to the API. */
export interface SentRequest {
  readonly id: number;
  /** `query vmFlavors, vmImages` */
  readonly operation: string;
  readonly sentAt: Date;
  readonly tookMs: number;
  /** HTTP status; 0 if there was no answer. */
  readonly status: number;
  readonly errors: readonly string[];
}

const KEPT = 200;

/** The last requests of this tab in this session, newest first. Only memory holds them. */
export const sentRequests = createSessionStore<readonly SentRequest[]>([]);

let lastId = 0;

/** Sends a request to the API and notes how it went. */
export async function noted(init: RequestInit, send: () => Promise<Response>): Promise<Response> {
  const startMs = performance.now();
  const sentAt = new Date();
  const operation = operationOf(init.body);
  const sender = session.get();
  const add = (status: number, errors: readonly string[]) => {
    if (session.get() !== sender) return;
    const tookMs = performance.now() - startMs;
    const request = { id: (lastId += 1), operation, sentAt, tookMs, status, errors };
    sentRequests.set([request, ...sentRequests.get()].slice(0, KEPT));
  };
  try {
    const answer = await send();
    // The copy is read beside the answer, so that the page does not wait for the note.
    void errorsOf(answer.clone()).then((errors) => add(answer.status, errors));
    return answer;
  } catch (error) {
    add(0, [error instanceof Error ? error.message : 'no answer']);
    throw error;
  }
}

/** The kind of an operation and the fields that it begins with. */
function operationOf(body: RequestInit['body']): string {
  const { query = '' } = typeof body === 'string' ? (JSON.parse(body) as { readonly query?: string }) : {};
  const kind = /^\s*(query|mutation|subscription)/.exec(query)?.[1] ?? 'query';
  // Two spaces: urql prints the fields of an operation on lines of their own.
  const fields = [...query.matchAll(/^ {2}(\w+)/gm)].map(([, name]) => name).filter((name) => name !== '__typename');
  return `${kind} ${[...new Set(fields)].join(', ')}`;
}

async function errorsOf(answer: Response): Promise<readonly string[]> {
  const body = (await answer.json().catch(() => ({}))) as {
    readonly errors?: readonly { readonly message: string; readonly extensions?: { readonly code?: string } }[];
  };
  return (body.errors ?? []).map(({ message, extensions }) => [extensions?.code, message].filter(Boolean).join(': '));
}
