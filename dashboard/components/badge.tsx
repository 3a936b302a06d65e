import type { ReactNode } from 'react';

/** What a colour means. `hollow` is a state that has not begun. */
export type Tone = 'good' | 'warn' | 'bad' | 'info' | 'plain' | 'hollow';

/** A word on a coloured ground. */
export function Badge({ tone = 'plain', children }: { readonly tone?: Tone; readonly children: ReactNode }) {
  return <span className={`badge ${tone}`}>{children}</span>;
}

/** A state: a coloured dot and its word. */
export function Status({ tone, children }: { readonly tone: Tone; readonly children: ReactNode }) {
  return (
    <span className="row">
      <span className={`dot ${tone}`} aria-hidden />
      {children}
    </span>
  );
}
