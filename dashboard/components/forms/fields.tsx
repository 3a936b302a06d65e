import {
  useId,
  type InputHTMLAttributes,
  type ReactNode,
  type SelectHTMLAttributes,
  type TextareaHTMLAttributes,
} from 'react';

interface LabelProps {
  readonly label: string;
  readonly hint?: ReactNode;
  readonly error?: string | undefined;
}

type Labelled<Attributes> = LabelProps & Omit<Attributes, 'id'>;

/** A line of text with its label. */
export function TextField({ label, hint, error, ...input }: Labelled<InputHTMLAttributes<HTMLInputElement>>) {
  const id = useId();
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <input autoComplete="off" {...input} {...described(id, hint, error)} className="input" />
      <FieldNotes id={id} hint={hint} error={error} />
    </div>
  );
}

/** Lines of text with their label, e.g. a script. */
export function LinesField({ label, hint, error, ...input }: Labelled<TextareaHTMLAttributes<HTMLTextAreaElement>>) {
  const id = useId();
  return (
    <div className="field wide">
      <label htmlFor={id}>{label}</label>
      <textarea rows={8} spellCheck={false} {...input} {...described(id, hint, error)} className="input mono" />
      <FieldNotes id={id} hint={hint} error={error} />
    </div>
  );
}

/** A choice with its label. */
export function SelectField({
  label,
  hint,
  error,
  options,
  ...select
}: Labelled<SelectHTMLAttributes<HTMLSelectElement>> & {
  readonly options: readonly (readonly [value: string, text: string])[];
}) {
  const id = useId();
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <select {...select} {...described(id, hint, error)} className="input">
        {options.map(([value, text]) => (
          <option key={value} value={value}>
            {text}
          </option>
        ))}
      </select>
      <FieldNotes id={id} hint={hint} error={error} />
    </div>
  );
}

/** A box to tick, with its label. */
export function Check({ label, ...input }: { readonly label: ReactNode } & InputHTMLAttributes<HTMLInputElement>) {
  return (
    <label className="check">
      <input type="checkbox" {...input} />
      {label}
    </label>
  );
}

function described(id: string, hint: ReactNode, error: string | undefined) {
  const notes = [hint !== undefined && `${id}-hint`, error !== undefined && `${id}-error`].filter(Boolean).join(' ');
  return { id, 'aria-describedby': notes || undefined, 'aria-invalid': error === undefined ? undefined : true };
}

function FieldNotes({ id, hint, error }: { id: string; hint: ReactNode; error: string | undefined }) {
  return (
    <>
      {hint !== undefined && (
        <span className="field-hint" id={`${id}-hint`}>
          {hint}
        </span>
      )}
      {error !== undefined && (
        <span className="field-error" id={`${id}-error`}>
          {error}
        </span>
      )}
    </>
  );
}
