import { CircleAlert, RefreshCw, type LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import { codeOf, messageOf } from '../graphql/refusal';
import { Button } from './forms/button';

interface EmptyProps {
  readonly icon?: LucideIcon;
  readonly title: string;
  readonly children?: ReactNode;
  readonly action?: ReactNode;
}

/** Tells what will be here and how to begin. */
export function Empty({ icon: Icon, title, children, action }: EmptyProps) {
  return (
    <div className="empty">
      {Icon && <Icon className="icon" aria-hidden />}
      <h2>{title}</h2>
      {children !== undefined && <p>{children}</p>}
      {action}
    </div>
  );
}

/** Titles of refusals that are the same when they are tried again, by code. */
const FINAL_TITLES: Readonly<Record<string, string>> = { NOT_FOUND: 'Not found', FORBIDDEN: 'No access' };

/** A failed load, which can be tried again if that may help. */
export function Failure({ error, onRetry }: { readonly error: unknown; readonly onRetry: () => void }) {
  const title = FINAL_TITLES[codeOf(error)];
  if (title !== undefined)
    return (
      <Empty icon={CircleAlert} title={title}>
        {messageOf(error)}
      </Empty>
    );
  return (
    <Empty
      icon={CircleAlert}
      title="This could not be loaded"
      action={
        <Button icon={RefreshCw} onPress={onRetry}>
          Try again
        </Button>
      }
    >
      {messageOf(error)}
    </Empty>
  );
}

/** Tells beside data that it could not be loaded again, as a whole or in part. */
export function Outdated({ error, onRetry }: { readonly error: unknown; readonly onRetry: () => void }) {
  return (
    <div className="problem outdated" role="status">
      <CircleAlert className="icon" aria-hidden />
      <p className="grow">This may be out of date or incomplete. {messageOf(error)}</p>
      <Button size="small" onPress={onRetry}>
        Try again
      </Button>
    </div>
  );
}

interface ListProblemProps {
  readonly error: unknown;
  /** Whether rows are shown that were loaded before. */
  readonly hasRows: boolean;
  readonly onRetry: () => void;
}

/** Why a list could not be loaded, beside its rows or in their place. */
export function ListProblem({ error, hasRows, onRetry }: ListProblemProps) {
  if (error === undefined) return null;
  return hasRows ? <Outdated error={error} onRetry={onRetry} /> : <Failure error={error} onRetry={onRetry} />;
}

/** Grey lines in the place of what is being loaded. */
export function Skeleton({ lines = 3 }: { readonly lines?: number }) {
  return (
    <div className="stack" role="status" aria-label="Loading" style={{ padding: 'var(--s4)' }}>
      {Array.from({ length: lines }, (_, line) => (
        <div key={line} className="skeleton" style={{ width: `${92 - ((line * 23) % 40)}%` }} />
      ))}
    </div>
  );
}
