import { FILES } from './command-line.rules.js';
import { Qmp, QmpSilence } from './qmp.js';

/** After these somebody has to look at the machine; the last is the end of its QEMU. */
const TELLING: ReadonlySet<string> = new Set(['SHUTDOWN', 'RESET', 'STOP', 'CLOSED']);

/** Listens to the machines of this host, as long as they run. */
export class EventWatch {
  private readonly heard = new Set<string>();

  /** Listens from now on, once however often it is told to; where another process listens, that one tells. */
  listen(uuid: string, directory: string, changed: (uuid: string) => void): void {
    if (this.heard.has(uuid)) return;
    this.heard.add(uuid);
    const hear = (event: string) => {
      if (event === 'CLOSED') this.heard.delete(uuid);
      if (TELLING.has(event)) changed(uuid);
    };
    let isOpen = false;
    Qmp.open(directory, FILES.events, (event) => isOpen && hear(event)).then(
      () => (isOpen = true),
      (error: unknown) => {
        this.heard.delete(uuid);
        // It ended meanwhile; where it is silent, another process listens.
        if (!(error instanceof QmpSilence)) changed(uuid);
      },
    );
  }
}
