import { X } from 'lucide-react';
import { useCallback, useEffect, useRef, useState } from 'react';
import { useClient } from 'urql';
import { useOnReturn } from '../../../graphql/on-return';
import { useStore } from '../../../runtime/store';
import { Button } from '../../../components/forms/button';
import { Card } from '../../../components/card';
import { confirm } from '../../../components/overlays/confirm';
import { bytes, Time } from '../../../components/format';
import { showError } from '../../../components/toasts';
import { done } from '../../../graphql/done';
import { DROP_SESSION, OPEN_UPLOADS, type FolderRow, type OpenUpload } from '../operations';
import { claimEnded, claimedUploads } from './claims';
import { forgetUnfinished, unfinishedOf, type Unfinished } from './records';
import { isFailed, pathsOf, storedChanges, uploads, type PathedFile } from './upload-queue';

interface UnfinishedPanelProps {
  readonly owner: string;
  readonly folder: FolderRow;
  readonly onContinue: (files: readonly PathedFile[]) => Promise<void>;
}

/** An upload that the server waits for. */
interface Waiting extends OpenUpload {
  readonly path: string;
  /** What this browser needs to resume it; undefined for the upload of another device. */
  readonly record: Unfinished | undefined;
}

/** Uploads that were interrupted: those of this browser are resumed when the same file is chosen again. */
export function UnfinishedPanel({ owner, folder, onContinue }: UnfinishedPanelProps) {
  const { waiting, reload } = useWaiting(owner, folder);
  const client = useClient();
  if (waiting.length === 0) return null;
  const discard = async ({ path, sessionId, record }: Waiting) => {
    const text = `What is already sent of ${path} is deleted.`;
    if (!(await confirm({ title: 'Discard this upload?', text, action: 'Discard it' }))) return;
    await done(client.mutation(DROP_SESSION, { id: sessionId }));
    if (record) await forgetUnfinished(record.key);
    reload();
  };
  return (
    <Card title="Interrupted uploads" isFlush>
      <ul className="lines">
        {waiting.map((one) => (
          <li key={one.sessionId}>
            <div className="grow stack tight">
              <span className="truncate">{one.path}</span>
              <progress aria-label={`Sent of ${one.path}`} value={sentOf(one)} max={sizeOf(one)} />
              <span className="muted small">
                {bytes(sentOf(one))} of {bytes(sizeOf(one))} sent; they are deleted{' '}
                <Time at={new Date(one.expiresAt * 1000).toISOString()} />.{' '}
                {one.record ? 'Choose the same file to resume it.' : 'Another device uploads it.'}
              </span>
            </div>
            {one.record && (
              <ChooseAgain record={one.record} onChoose={(file) => onContinue([{ path: one.path, file }])} />
            )}
            <Button kind="quiet" size="small" icon={X} label={`Discard ${one.path}`} onPress={() => discard(one)} />
          </li>
        ))}
      </ul>
    </Card>
  );
}

/** Bytes of the file. That of another device is known by its ciphertext only, which is a little longer. */
function sizeOf({ record, ciphertextSize }: Waiting): number {
  return record?.sizeBytes ?? ciphertextSize;
}

function sentOf(waiting: Waiting): number {
  return Math.floor((waiting.receivedBytes / waiting.ciphertextSize) * sizeOf(waiting));
}

interface ChooseAgainProps {
  readonly record: Unfinished;
  readonly onChoose: (file: File) => Promise<void>;
}

/** Takes the file that was interrupted. Another one would be stored under its name, and what is sent of it would be deleted. */
function ChooseAgain({ record: { path, sizeBytes }, onChoose }: ChooseAgainProps) {
  const input = useRef<HTMLInputElement>(null);
  const choose = async (file: File) => {
    if (file.name !== path.split('/').at(-1) || file.size !== sizeBytes)
      throw new Error(
        `${file.name} (${bytes(file.size)}) is not the file that was interrupted, ${path} (${bytes(sizeBytes)}). ` +
          'Choose that file, or discard the upload.',
      );
    await onChoose(file);
  };
  return (
    <>
      <input
        ref={input}
        type="file"
        hidden
        aria-label={`File for ${path}`}
        onChange={({ target }) => {
          const [file] = target.files ?? [];
          if (file) choose(file).catch(showError);
          target.value = '';
        }}
      />
      <Button size="small" onPress={() => input.current?.click()}>
        Continue
      </Button>
    </>
  );
}

/** The uploads of a folder that the server waits for and that do not run in this browser. */
function useWaiting(owner: string, { folderHash, label }: FolderRow) {
  const [found, setFound] = useState<readonly Waiting[]>([]);
  const [loads, setLoads] = useState(0);
  const client = useClient();
  const all = useStore(uploads);
  const failed = all.filter(isFailed).length;
  const changes = useStore(storedChanges);
  const reload = useCallback(() => setLoads((count) => count + 1), []);
  useOnReturn(reload);
  useEffect(() => {
    const stop = new AbortController();
    const load = async () => {
      const answer = await done(client.query(OPEN_UPLOADS, { owner }, { requestPolicy: 'network-only' }));
      const [records, claimed] = await Promise.all([unfinishedOf(owner), claimedUploads()]);
      const folder = answer.folders.folders.find((one) => one.folderHash === folderHash);
      const waiting = (folder?.openUploads ?? []).map((open) => ({
        ...open,
        path: open.relativePath ?? open.fileName ?? 'a file without a name',
        record: records.find(({ sessionId }) => sessionId === open.sessionId),
      }));
      if (stop.signal.aborted) return;
      setFound(waiting.filter(({ record }) => !record || !claimed.has(record.key)));
      await claimEnded(
        waiting.flatMap(({ record }) => (record && claimed.has(record.key) ? [record.key] : [])),
        stop.signal,
      );
      reload();
    };
    load().catch((error: unknown) => {
      if (!stop.signal.aborted) showError(error);
    });
    return () => stop.abort();
  }, [client, owner, folderHash, failed, changes, loads, reload]);
  const own = pathsOf(label, () => true);
  return { waiting: found.filter(({ path }) => !own.has(path)), reload };
}
