import { X } from 'lucide-react';
import { useStore } from '../../../runtime/store';
import { Button } from '../../../components/forms/button';
import { Card } from '../../../components/card';
import { bytes, counted } from '../../../components/format';
import { downloads, stopDownload } from './downloads';

/** Downloads on their way. */
export function DownloadPanel() {
  const all = useStore(downloads);
  if (all.length === 0) return null;
  return (
    <Card title={`Downloading ${counted(all.length, 'file')}`} isFlush>
      <ul className="lines upload-lines">
        {all.map(({ id, name, received, total }) => (
          <li key={id}>
            <div className="grow stack tight">
              <span className="truncate">{name}</span>
              <progress aria-label={`Download of ${name}`} value={received} max={Math.max(total, 1)} />
            </div>
            <span className="muted small number">
              {bytes(received)} of {bytes(total)}
            </span>
            <Button kind="quiet" size="small" icon={X} label={`Stop ${name}`} onPress={() => stopDownload(id)} />
          </li>
        ))}
      </ul>
    </Card>
  );
}
