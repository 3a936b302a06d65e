import { CircleAlert, CircleCheck, X } from 'lucide-react';
import { useStore } from '../../runtime/store';
import { Button } from '../forms/button';
import { dismiss, toasts, type Toast } from '../toasts';

/** The corner of the page that shows the toasts. */
export function ToastCorner() {
  return (
    <div className="toasts" role="status" aria-live="polite">
      {useStore(toasts).map((toast) => (
        <ToastBox key={toast.id} {...toast} />
      ))}
    </div>
  );
}

function ToastBox({ id, text, isError, action }: Toast) {
  const Icon = isError ? CircleAlert : CircleCheck;
  const run = async () => {
    await action?.run();
    dismiss(id);
  };
  return (
    <div className="toast">
      <Icon className={`icon ${isError ? 'bad' : 'good'}`} aria-hidden />
      <span className="grow">{text}</span>
      {action && (
        <Button size="small" onPress={run}>
          {action.label}
        </Button>
      )}
      <Button kind="quiet" size="small" icon={X} label="Dismiss" onPress={() => dismiss(id)} />
    </div>
  );
}
