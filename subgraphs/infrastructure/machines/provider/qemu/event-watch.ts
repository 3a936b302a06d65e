import { FILES } from './command-line.rules.js';
import { Qmp, QmpUnavailable } from './qmp.js';

/** Events that trigger a poll; `CLOSED` is the end of the QEMU process. */
const POLL_EVENTS: ReadonlySet<string> = new Set(['SHUTDOWN', 'RESET', 'STOP', 'CLOSED']);

/** Listens to QMP events of the machines on this host. */
export class EventWatch {
  private readonly heard = new Set<string>();

  /** Starts listening, once per machine. If another process listens already, that one reports changes. */
  listen(uuid: string, directory: string, changed: (uuid: string) => void): void {
    if (this.heard.has(uuid)) return;
    this.heard.add(uuid);
    const hear = (event: string) => {
      if (event === 'CLOSED') this.heard.delete(uuid);
      if (POLL_EVENTS.has(event)) changed(uuid);
    };
    let isOpen = false;
    Qmp.open(directory, FILES.events, (event) => isOpen && hear(event)).then(
      () => (isOpen = true),
      (error: unknown) => {
        this.heard.delete(uuid);
        // The machine ended, or another process is connected to QEMU.
        if (!(error instanceof QmpUnavailable)) changed(uuid);
      },
    );
  }
}
