import { LoaderCircle, type LucideIcon } from 'lucide-react';
import { useState, type ButtonHTMLAttributes, type ReactNode } from 'react';
import { showError } from '../overlays/toasts';

interface ButtonProps extends Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'onClick'> {
  readonly kind?: 'primary' | 'danger' | 'quiet';
  readonly size?: 'small';
  readonly icon?: LucideIcon;
  /** Shows a spinner and refuses further presses. */
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
      title={children === undefined ? label : undefined}
      disabled={rest.disabled === true || busy}
      onClick={press}
    >
      <ButtonIcon icon={icon} isBusy={busy} />
      {children}
    </button>
  );
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
