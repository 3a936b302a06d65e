import { CircleAlert } from 'lucide-react';
import { messageOf } from '../../graphql/refusal';

/** An error beside the form it belongs to. */
export function Problem({ error }: { readonly error: unknown }) {
  if (error === undefined || error === null) return null;
  return (
    <p className="problem" role="alert">
      <CircleAlert className="icon" aria-hidden />
      {typeof error === 'string' ? error : messageOf(error)}
    </p>
  );
}
