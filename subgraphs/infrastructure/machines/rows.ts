import type { Opt } from '@mikro-orm/core';
import { Entity, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';

@Entity({ tableName: 'hosted_machine' })
export class HostedMachineRow {
  @PrimaryKey({ type: 'uuid' }) uuid!: string;
  /** The id of the last task; null: it has ended. */
  @Property({ type: 'text', nullable: true }) task!: string | null;
  /** When the answer to the last request, which starts a task, counts as lost; null: it has been answered. */
  @Property({ type: 'datetime', nullable: true }) unansweredUntil!: Date | null;
  /** The last requested reboot. */
  @Property({ type: 'text', nullable: true }) reboot!: string | null;
  /** It was destroyed and must not be created again. */
  @Property({ type: 'boolean', default: false }) isGone!: Opt<boolean>;
}

@Entity({ tableName: 'simulated_machine' })
export class SimulatedMachineRow {
  @PrimaryKey({ type: 'uuid' }) uuid!: string;
  @Property({ type: 'integer', generated: 'identity', autoincrement: true }) number!: Opt<number>;
  @Property({ type: 'text' }) state!: 'running' | 'stopped' | 'gone';
  @Property({ type: 'datetime' }) readyAt!: Date;
  @Property({ type: 'integer', default: 1 }) creations!: Opt<number>;
  @Property({ type: 'integer', default: 1 }) boots!: Opt<number>;
  @Property({ type: 'text', nullable: true }) lastReboot!: string | null;
}
