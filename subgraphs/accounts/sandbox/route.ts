import type { SandboxStore } from './sandbox-store.js';
import type { Form } from './form.rules.js';

/** A request for one route: what its path names, and what its form says. */
export interface Request {
  readonly id: string;
  readonly form: Form;
}

/** An answer with a status of its own: what was done stays done, unlike with a refusal. */
export class Outcome {
  constructor(
    readonly status: number,
    readonly body: object,
  ) {}
}

/** Answers a request in the caller's transaction. @throws Refusal, which undoes all */
export type Handler = (desk: SandboxStore, request: Request) => Promise<object>;

/** Handlers by method and path; `{id}` stands for an id. */
export type Routes = Readonly<Record<string, Handler>>;
