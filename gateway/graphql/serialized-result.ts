import type { ExecutionResult, FormattedExecutionResult } from 'graphql';

/** A result that is serialised once. Receivers share its JSON, or a frame of it. */
export class SerializedResult {
  readonly json: Buffer;
  private readonly frames = new Map<string, Buffer>();

  constructor(result: ExecutionResult | FormattedExecutionResult) {
    this.json = Buffer.from(JSON.stringify(result));
  }

  get sizeBytes(): number {
    return this.json.length;
  }

  /** Returns the frame with this name, which is kept: names are those of formats. @param make a function of the JSON text, the same for each use of the name */
  frame(name: string, make: (json: Buffer) => Buffer): Buffer {
    const frame = this.frames.get(name) ?? make(this.json);
    this.frames.set(name, frame);
    return frame;
  }
}
