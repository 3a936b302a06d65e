import { RotateCcw, X } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { useClient } from 'urql';
import { useStore } from '../../app/store';
import { Status } from '../../components/badge';
import { Button } from '../../components/button';
import { Card } from '../../components/card';
import { confirm } from '../../components/confirm';
import { bytes, counted } from '../../components/format';
import { done } from '../../graphql/done';
import { DROP_SESSION } from './operations';
import { forgetUnfinished, unfinishedOf, type Unfinished } from './records';
import { clearDone, retryUpload, stopUpload, uploads, type PathedFile, type Upload } from './upload-queue';

/** Uploads on their way. */
export function UploadPanel() {
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

function UploadLine({ id, path, sent, total, state, problem }: Upload) {
  return (
    <li>
      <div className="grow stack tight">
        <span className="truncate">{path}</span>
        {problem !== undefined && <span className="field-error">{problem}</span>}
        {state === 'running' && <progress aria-label={`Upload of ${path}`} value={sent} max={Math.max(total, 1)} />}
      </div>
      <UploadState state={state} sent={sent} total={total} />
      {state === 'failed' && (
        <Button kind="quiet" size="small" icon={RotateCcw} label="Try again" onPress={() => retryUpload(id)} />
      )}
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

interface UnfinishedPanelProps {
  readonly owner: string;
  readonly folderHash: string;
  readonly onContinue: (files: readonly PathedFile[]) => unknown;
}

/** Uploads that were interrupted, e.g. by a reload: they go on when the same file is chosen again. */
export function UnfinishedPanel({ owner, folderHash, onContinue }: UnfinishedPanelProps) {
  const { unfinished, reload } = useUnfinished(owner, folderHash);
  const client = useClient();
  if (unfinished.length === 0) return null;
  const discard = async ({ key, path, sessionId }: Unfinished) => {
    const text = `What is already sent of ${path} is deleted.`;
    if (!(await confirm({ title: 'Discard this upload?', text, action: 'Discard it' }))) return;
    await done(client.mutation(DROP_SESSION, { id: sessionId }));
    await forgetUnfinished(key);
    reload();
  };
  return (
    <Card title="Interrupted uploads" isFlush>
      <ul className="lines">
        {unfinished.map((one) => (
          <li key={one.key}>
            <div className="grow stack tight">
              <span className="truncate">{one.path}</span>
              <span className="muted small">
                {bytes(one.sizeBytes)}. Choose the same file to go on where it stopped.
              </span>
            </div>
            <ChooseAgain path={one.path} onChoose={(file) => onContinue([{ path: one.path, file }])} />
            <Button kind="quiet" size="small" icon={X} label={`Discard ${one.path}`} onPress={() => discard(one)} />
          </li>
        ))}
      </ul>
    </Card>
  );
}

function ChooseAgain({ path, onChoose }: { readonly path: string; readonly onChoose: (file: File) => unknown }) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <input
        ref={input}
        type="file"
        hidden
        aria-label={`File for ${path}`}
        onChange={({ target }) => {
          const [file] = target.files ?? [];
          if (file) onChoose(file);
        }}
      />
      <Button size="small" onPress={() => input.current?.click()}>
        Continue
      </Button>
    </>
  );
}

/** The interrupted uploads of a folder that do not run in this tab. */
function useUnfinished(owner: string, folderHash: string) {
  const [found, setFound] = useState<readonly Unfinished[]>([]);
  const [loads, setLoads] = useState(0);
  const all = useStore(uploads);
  const settled = all.filter(({ state }) => state === 'done' || state === 'failed').length;
  useEffect(() => {
    void unfinishedOf(owner).then(setFound);
  }, [owner, settled, all.length, loads]);
  const running = all.map(({ path }) => path);
  const unfinished = found.filter((one) => one.folderHash === folderHash && !running.includes(one.path));
  return { unfinished, reload: () => setLoads(loads + 1) };
}
