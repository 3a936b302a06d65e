import { RotateCcw, X } from 'lucide-react';
import { memo } from 'react';
import { useStore } from '../../../runtime/store';
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

/** Lines of files that wait or that are uploaded; the others are counted. */
const SHOWN = 5;

/** Lines of files that failed; the others are counted. */
const FAILED_SHOWN = 50;

function QueuePanel() {
  const all = useStore(uploads);
  if (all.length === 0) return null;
  const [waiting, failed, done] = (['waiting', 'failed', 'done'] as const).map((wanted) =>
    all.filter(({ state }) => state === wanted),
  ) as [Upload[], Upload[], Upload[]];
  const hidden = new Set([...waiting.slice(SHOWN), ...failed.slice(FAILED_SHOWN), ...done.slice(0, -SHOWN)]);
  return (
    <Card
      title={titleOf(all.length - done.length - failed.length, failed.length)}
      isFlush
      actions={
        <>
          {failed.length > 1 && (
            <Button size="small" icon={RotateCcw} onPress={() => retry(failed)}>
              Try all again
            </Button>
          )}
          <Button size="small" onPress={clearDone} disabled={done.length === 0}>
            Clear
          </Button>
        </>
      }
    >
      <ul className="lines upload-lines">
        {all
          .filter((upload) => !hidden.has(upload))
          .map((upload) => (
            <UploadLine key={upload.id} upload={upload} />
          ))}
      </ul>
      {hidden.size > 0 && (
        <p className="lines-end muted small">
          {restWords(waiting.length - SHOWN, failed.length - FAILED_SHOWN, done.length - SHOWN)}
        </p>
      )}
    </Card>
  );
}

function titleOf(open: number, failed: number): string {
  if (failed === 0) return open === 0 ? 'All files are uploaded' : `Uploading ${counted(open, 'file')}`;
  const words = `${counted(failed, 'file')} failed`;
  return open === 0 ? words : `Uploading ${counted(open, 'file')}, ${words}`;
}

/** What has no line, in words. */
function restWords(waiting: number, failed: number, done: number): string {
  const words = (count: number, what: string) => (count > 0 ? [`${count.toLocaleString()} more ${what}`] : []);
  return [...words(waiting, 'wait'), ...words(failed, 'failed'), ...words(done, 'are uploaded')].join(', ');
}

/** Uploads files again, those of each folder together. */
async function retry(failed: readonly Upload[]): Promise<void> {
  for (const [label, files] of Map.groupBy(failed, (upload) => upload.label)) {
    const [first] = files;
    if (first) await uploadInto(first.access.owner, label, files);
  }
}

/** A change of one upload draws no other line. */
const UploadLine = memo(function UploadLine({ upload }: { readonly upload: Upload }) {
  const { id, path, file, sent, state, problem } = upload;
  return (
    <li>
      <div className="grow stack tight">
        <span className="truncate">{path}</span>
        {problem !== undefined && <span className="field-error">{problem}</span>}
        {state === 'running' && <progress aria-label={`Upload of ${path}`} value={sent} max={Math.max(file.size, 1)} />}
      </div>
      <UploadState {...upload} />
      {state === 'failed' && (
        <Button kind="quiet" size="small" icon={RotateCcw} label="Try again" onPress={() => retry([upload])} />
      )}
      {state !== 'done' && (
        <Button kind="quiet" size="small" icon={X} label={`Stop ${path}`} onPress={() => stopUpload(id)} />
      )}
    </li>
  );
});

function UploadState({ state, sent, file }: Pick<Upload, 'state' | 'sent' | 'file'>) {
  if (state === 'done') return <Status tone="good">{bytes(file.size)}</Status>;
  if (state === 'failed') return <Status tone="bad">failed</Status>;
  if (state === 'waiting') return <Status tone="hollow">waiting</Status>;
  return (
    <span className="muted small number">{sent === 0 ? 'encrypting' : `${bytes(sent)} of ${bytes(file.size)}`}</span>
  );
}
