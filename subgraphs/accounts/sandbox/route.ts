import type { SandboxStore } from './sandbox-store.js';
import type { Form } from './form.rules.js';

/** A request with the id from its path and its form. */
export interface Request {
  readonly id: string;
  readonly form: Form;
}

/** A response with its own status; unlike a refusal it commits the transaction. */
export class SandboxAnswer {
  constructor(
    readonly status: number,
    readonly body: object,
  ) {}
}

/** Answers a request in the caller's transaction. @throws Refusal, which undoes all */
export type Handler = (store: SandboxStore, request: Request) => Promise<object>;

/** Handlers by method and path; `{id}` stands for an id. */
export type Routes = Readonly<Record<string, Handler>>;
