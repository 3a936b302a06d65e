import type { ReactNode } from 'react';

interface CardProps {
  readonly title?: ReactNode;
  readonly actions?: ReactNode;
  /** Leaves out the space around the content, e.g. for a table. */
  readonly isFlush?: boolean;
  readonly className?: string;
  readonly children: ReactNode;
}

/** A framed part of a page. */
export function Card({ title, actions, isFlush = false, className, children }: CardProps) {
  return (
    <section className={className ? `card ${className}` : 'card'}>
      {title !== undefined && (
        <div className="card-head">
          <h2>{title}</h2>
          {actions !== undefined && <div className="card-actions">{actions}</div>}
        </div>
      )}
      <div className={isFlush ? 'card-body flush' : 'card-body'}>{children}</div>
    </section>
  );
}

/** A number with its label. */
export function Figure({ label, children, note }: { label: string; children: ReactNode; note?: ReactNode }) {
  return (
    <div className="figure">
      <span className="figure-label">{label}</span>
      <span className="figure-value">{children}</span>
      {note !== undefined && <span className="muted small">{note}</span>}
    </div>
  );
}

/** A list of names with their values. */
export function DescriptionList({
  items,
}: {
  readonly items: readonly (readonly [label: string, value: ReactNode])[];
}) {
  return (
    <dl className="description-list">
      {items.map(([label, value]) => (
        <div key={label} style={{ display: 'contents' }}>
          <dt>{label}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
