import { useState, type FormEvent, type ReactNode } from 'react';
import { Button } from './button';
import { Problem } from './problem';

interface FormProps {
  /** Done when the form is submitted; an error is shown in the form. */
  readonly onSubmit: () => unknown;
  /** The words on the button. */
  readonly submit: string;
  /** Whether it loses something. */
  readonly isDangerous?: boolean;
  readonly onCancel?: () => void;
  readonly isDisabled?: boolean;
  readonly label?: string;
  readonly children: ReactNode;
}

/** A form that is busy while it is submitted and shows why it failed. */
export function Form({ onSubmit, submit, onCancel, label, children, ...button }: FormProps) {
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>();
  const run = async () => {
    setBusy(true);
    setError(undefined);
    try {
      await onSubmit();
    } catch (failure) {
      setError(failure);
    } finally {
      setBusy(false);
    }
  };
  const handle = (event: FormEvent) => {
    event.preventDefault();
    if (!isBusy) void run();
  };
  return (
    <form className="form" aria-label={label} onSubmit={handle}>
      {children}
      <Problem error={error} />
      <div className="form-end">
        {onCancel && <Button onPress={onCancel}>Cancel</Button>}
        <Button
          kind={button.isDangerous === true ? 'danger' : 'primary'}
          type="submit"
          isBusy={isBusy}
          disabled={button.isDisabled === true}
        >
          {submit}
        </Button>
      </div>
    </form>
  );
}
