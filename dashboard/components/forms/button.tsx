import { LoaderCircle, type LucideIcon } from 'lucide-react';
import { useState, type ButtonHTMLAttributes, type MouseEvent, type ReactNode } from 'react';
import { showError } from '../toasts';

interface ButtonProps extends Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'onClick'> {
  readonly kind?: 'primary' | 'danger' | 'quiet';
  readonly size?: 'small';
  readonly icon?: LucideIcon;
  /** Shows a spinner and ignores further presses. */
  readonly isBusy?: boolean;
  /** The button is busy until a returned promise settles; an error becomes a toast. */
  readonly onPress?: () => unknown;
  readonly children?: ReactNode;
  /** Describes a button that has only an icon. */
  readonly label?: string;
}

/** A button, busy while its work runs. */
export function Button({
  kind,
  size,
  icon,
  isBusy = false,
  onPress,
  children,
  label,
  className,
  ...rest
}: ButtonProps) {
  const { press, isWorking } = useWork(onPress);
  const busy = isBusy || isWorking;
  const classes = ['button', kind, size, children === undefined && 'icon-only', className].filter(Boolean).join(' ');
  return (
    <button
      type="button"
      {...rest}
      className={classes}
      aria-label={label}
      title={rest.title ?? (children === undefined ? label : undefined)}
      aria-disabled={busy || undefined}
      onClick={busy ? ignore : press}
    >
      <ButtonIcon icon={icon} isBusy={busy} />
      {children}
    </button>
  );
}

/** For a busy button. The attribute `disabled` would remove the focus. */
function ignore(event: MouseEvent): void {
  event.preventDefault();
}

function ButtonIcon({ icon: Icon, isBusy }: { readonly icon: LucideIcon | undefined; readonly isBusy: boolean }) {
  if (isBusy) return <LoaderCircle className="icon spin" aria-hidden />;
  return Icon ? <Icon className="icon" aria-hidden /> : null;
}

function useWork(work: (() => unknown) | undefined) {
  const [isWorking, setWorking] = useState(false);
  const press = async () => {
    setWorking(true);
    try {
      await work?.();
    } catch (error) {
      showError(error);
    } finally {
      setWorking(false);
    }
  };
  return { press: work ? () => void press() : undefined, isWorking };
}
