import type { IncomingMessage } from 'node:http';
import { StallTimer } from '../../../application/stall-timer.ts';
import { bodyStalled, RequestError } from '../request-error.ts';

export interface BytesLimits {
  /** A body of exactly this many bytes passes. */
  readonly maxBytes: number;
  /** In milliseconds. */
  readonly stallTimeoutMs: number;
}

/**
 * Stops reading at the limit and leaves the request open for the response.
 *
 * @throws {RequestError}
 */
export async function receiveBytes(request: IncomingMessage, limits: BytesLimits): Promise<Buffer> {
  const received = new ReceivedBytes(request, limits);
  try {
    return await received.all();
  } finally {
    received.stop();
  }
}

class ReceivedBytes {
  private readonly chunks: Buffer[] = [];
  private length = 0;
  private readonly stall: StallTimer;
  private settle: (error?: Error) => void = () => {};

  constructor(
    private readonly request: IncomingMessage,
    private readonly limits: BytesLimits,
  ) {
    this.stall = new StallTimer(limits.stallTimeoutMs, () => this.settle(bodyStalled()));
  }

  async all(): Promise<Buffer> {
    await new Promise<void>((resolve, reject) => {
      this.settle = (error) => (error === undefined ? resolve() : reject(error));
      this.stall.restart();
      this.request.on('data', this.onData).once('end', this.onEnd).once('close', this.onClose);
      // The events have fired already if the client left during authentication.
      if (this.request.destroyed) this.onClose();
    });
    return Buffer.concat(this.chunks);
  }

  stop(): void {
    this.stall.stop();
    this.request.off('data', this.onData).off('end', this.onEnd).off('close', this.onClose).pause();
  }

  private readonly onData = (chunk: Buffer): void => {
    this.stall.restart();
    this.length += chunk.length;
    this.chunks.push(chunk);
    if (this.length > this.limits.maxBytes) this.settle(bodyTooLarge(this.limits.maxBytes));
  };

  private readonly onEnd = (): void => this.settle();

  private readonly onClose = (): void => this.settle(new Error('The client left'));
}

export function bodyTooLarge(maxBytes: number): RequestError {
  return new RequestError('request_too_large', `The request body is larger than ${maxBytes} bytes`);
}
