import { RotateCcw, X } from 'lucide-react';
import { useStore } from '../../../app/store';
import { Status } from '../../../components/badge';
import { Button } from '../../../components/forms/button';
import { Card } from '../../../components/card';
import { bytes, counted } from '../../../components/format';
import { pathChecks, uploadInto } from './upload-into';
import { clearDone, stopUpload, uploads, type Upload } from './upload-queue';

/** Uploads on their way, and before them the files whose paths are checked. */
export function UploadPanel() {
  return (
    <>
      <PathCheckPanel />
      <QueuePanel />
    </>
  );
}

function PathCheckPanel() {
  return useStore(pathChecks).map(({ count, stop }, place) => (
    <Card
      key={place}
      title={`Checking ${counted(count, 'file')}`}
      actions={
        <Button size="small" onPress={stop}>
          Stop
        </Button>
      }
    >
      <p className="muted small">Nothing is uploaded yet: first it is checked which of them are stored already.</p>
    </Card>
  ));
}

function QueuePanel() {
  const all = useStore(uploads);
  if (all.length === 0) return null;
  const open = all.filter(({ state }) => state !== 'done').length;
  return (
    <Card
      title={open === 0 ? 'All files are uploaded' : `Uploading ${counted(open, 'file')}`}
      isFlush
      actions={
        <Button size="small" onPress={clearDone} disabled={open === all.length}>
          Clear
        </Button>
      }
    >
      <ul className="lines upload-lines">
        {all.map((upload) => (
          <UploadLine key={upload.id} {...upload} />
        ))}
      </ul>
    </Card>
  );
}

function UploadLine({ id, access, label, path, file, sent, total, state, problem }: Upload) {
  const retry = () => uploadInto(access.owner, label, [{ path, file }]);
  return (
    <li>
      <div className="grow stack tight">
        <span className="truncate">{path}</span>
        {problem !== undefined && <span className="field-error">{problem}</span>}
        {state === 'running' && <progress aria-label={`Upload of ${path}`} value={sent} max={Math.max(total, 1)} />}
      </div>
      <UploadState state={state} sent={sent} total={total} />
      {state === 'failed' && <Button kind="quiet" size="small" icon={RotateCcw} label="Try again" onPress={retry} />}
      {state !== 'done' && (
        <Button kind="quiet" size="small" icon={X} label={`Stop ${path}`} onPress={() => stopUpload(id)} />
      )}
    </li>
  );
}

function UploadState({ state, sent, total }: Pick<Upload, 'state' | 'sent' | 'total'>) {
  if (state === 'done') return <Status tone="good">{bytes(total)}</Status>;
  if (state === 'failed') return <Status tone="bad">failed</Status>;
  if (state === 'waiting') return <Status tone="hollow">waiting</Status>;
  return <span className="muted small number">{sent === 0 ? 'encrypting' : `${bytes(sent)} of ${bytes(total)}`}</span>;
}
