/** Work that says when it begins and ends when it is told to. */
export class Work {
  readonly begun: string[] = [];
  private readonly ends: (() => void)[] = [];

  readonly do = (name: string) => async (): Promise<string> => {
    this.begun.push(name);
    await new Promise<void>((resolve) => this.ends.push(resolve));
    return name;
  };

  /** Ends what runs, and lets the next begin. */
  async end(): Promise<void> {
    this.ends.shift()?.();
    await new Promise((resolve) => setImmediate(resolve));
  }
}
