import makeQrCode from 'qrcode-generator';
import { CircleCheck, CircleX, LoaderCircle } from 'lucide-react';
import { useMemo, useState } from 'react';
import { useClient } from 'urql';
import { Button } from '../../../components/forms/button';
import { CopyLine } from '../../../components/forms/copy';
import { Dialog } from '../../../components/overlays/dialog';
import { SelectField, TextField } from '../../../components/forms/fields';
import { Form } from '../../../components/forms/form';
import { Time, useNow } from '../../../components/format';
import { done } from '../../../graphql/done';
import type { ResultOf } from '../../../graphql/graphql';
import type { GraphNode } from '../../../topology/graph';
import type { Model } from '../../../topology/model';
import { ENROLL } from '../operations';

type Enrollment = ResultOf<typeof ENROLL>['enrollPeer'];

interface EnrollDialogProps {
  readonly model: Model;
  readonly onClose: () => void;
}

/** Lets a machine join: one line to run on it, then waits until it has. */
export function EnrollDialog({ model, onClose }: EnrollDialogProps) {
  const [enrollment, setEnrollment] = useState<Enrollment>();
  return (
    <Dialog
      title={enrollment ? `Join as ${enrollment.name}` : 'Add a machine'}
      lead={
        enrollment
          ? 'Run this command as root on the machine. It works once.'
          : 'It gets an address and joins its group.'
      }
      isOpen
      isWide
      onClose={onClose}
    >
      {enrollment ? (
        <Joining enrollment={enrollment} model={model} onClose={onClose} />
      ) : (
        <EnrollForm model={model} onClose={onClose} onDone={setEnrollment} />
      )}
    </Dialog>
  );
}

function EnrollForm({ model, onClose, onDone }: EnrollDialogProps & { readonly onDone: (made: Enrollment) => void }) {
  const client = useClient();
  const [label, setLabel] = useState('');
  const [group, setGroup] = useState(`${model.groups[0]?.groupId ?? ''}`);
  const submit = async () => {
    const variables = { groupId: Number(group), ...(label !== '' && { label }) };
    onDone((await done(client.mutation(ENROLL, variables))).enrollPeer);
  };
  return (
    <Form submit="Create the join command" onSubmit={submit} onCancel={onClose}>
      <TextField
        label="Name"
        hint="Shown in the network. Leave it empty to get a generated name."
        maxLength={100}
        value={label}
        onChange={({ target }) => setLabel(target.value)}
      />
      <SelectField
        label="Group"
        options={model.groups.map(({ groupId, node }) => [`${groupId}`, node.label])}
        value={group}
        onChange={({ target }) => setGroup(target.value)}
      />
    </Form>
  );
}

/** The script of the platform at an address that each computer has for itself. */
const LOOPBACK = /\/\/(?:localhost|127\.[\d.]+|\[::1\])(?::\d+)?\/network\/join\.sh/;

function Joining({ enrollment, model, onClose }: EnrollDialogProps & { readonly enrollment: Enrollment }) {
  const peer = model.peers.find(({ meta }) => meta.peerId === enrollment.peer);
  const joined = peer && peer.meta.status !== 'never_seen' ? peer : undefined;
  const isExpired = useNow() >= new Date(enrollment.expiresAt).getTime();
  return (
    <>
      {!joined && isExpired ? <Expired /> : <JoinLine enrollment={enrollment} joined={joined} />}
      <div className="form-end">
        <Button kind="primary" onPress={onClose}>
          Done
        </Button>
      </div>
    </>
  );
}

function Expired() {
  return (
    <div role="status">
      <p className="row">
        <CircleX className="icon bad" aria-hidden />
        <strong>The command has expired</strong>
      </p>
      <p className="muted">No machine used it in time. Add the machine again, and delete the peer that never joined.</p>
    </div>
  );
}

interface JoinLineProps {
  readonly enrollment: Enrollment;
  /** The peer, once its machine has joined. */
  readonly joined: GraphNode | undefined;
}

function JoinLine({ enrollment: { joinCommand, expiresAt }, joined }: JoinLineProps) {
  return (
    <>
      <CopyLine text={joinCommand} label="Copy the command" />
      {LOOPBACK.test(joinCommand) && (
        <p className="small">
          The address in it works only on the computer of the platform. For other machines its operator sets PUBLIC_URL
          to an address that they reach.
        </p>
      )}
      <div className="joining">
        <QrCode text={joinCommand} />
        <div className="stack">
          <p className="row" role="status">
            {joined ? (
              <CircleCheck className="icon good" aria-hidden />
            ) : (
              <LoaderCircle className="icon spin" aria-hidden />
            )}
            <strong>{joined ? `${joined.label} has joined` : 'Waiting for the machine…'}</strong>
          </p>
          <p className="muted">
            {joined
              ? `Its address is ${joined.meta.ip ?? ''}.`
              : 'You can close this: the command works until it is used or expires.'}
          </p>
          {!joined && (
            <p className="muted small">
              It expires <Time at={expiresAt} />.
            </p>
          )}
        </div>
      </div>
    </>
  );
}

/** A text as a QR code. */
function QrCode({ text }: { readonly text: string }) {
  const { path, size } = useMemo(() => {
    const code = makeQrCode(0, 'L');
    code.addData(text);
    code.make();
    const count = code.getModuleCount();
    const rows = Array.from({ length: count }, (_, row) => row);
    const squares = rows.flatMap((row) =>
      rows.filter((column) => code.isDark(row, column)).map((column) => `M${column} ${row}h1v1h-1z`),
    );
    return { path: squares.join(''), size: count };
  }, [text]);
  return (
    <svg className="qr-code" viewBox={`-3 -3 ${size + 6} ${size + 6}`} role="img" aria-label="The command as a QR code">
      <rect x="-3" y="-3" width={size + 6} height={size + 6} fill="#fff" />
      <path d={path} fill="#000" />
    </svg>
  );
}
