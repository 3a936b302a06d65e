import { Button } from '../../components/forms/button';
import { CopyLine } from '../../components/forms/copy';
import { Dialog } from '../../components/overlays/dialog';

/** Shows the secret of a webhook, once. */
export function SecretDialog({
  secret,
  onClose,
}: {
  readonly secret: string | undefined;
  readonly onClose: () => void;
}) {
  return (
    <Dialog
      title="The secret of the webhook"
      lead="It verifies deliveries. Keep it now: it is not shown again."
      isOpen={secret !== undefined}
      stays
      onClose={onClose}
    >
      <CopyLine text={secret ?? ''} label="Copy the secret" />
      <div className="form-end">
        <Button kind="primary" onPress={onClose}>
          I have kept it
        </Button>
      </div>
    </Dialog>
  );
}
