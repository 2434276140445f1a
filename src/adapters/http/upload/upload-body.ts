import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { Transform, type TransformCallback } from 'node:stream';
import { FileTooLarge } from '../../../domain/errors.ts';
import { bodyStalled } from '../request-error.ts';

export interface UploadBodyLimits {
  /** A file of exactly this size passes. */
  readonly maxFileBytes: number;
  /** In milliseconds. */
  readonly stallTimeoutMs: number;
}

export const FORM_OVERHEAD_BYTES = 1024 * 1024;

/**
 * Adds what multer lacks: a limit on the whole body, a timeout for clients that stall, and a way to stop early. multer
 * reads a refused body to its end.
 */
export class UploadBody extends Transform {
  readonly headers: IncomingHttpHeaders;
  private received = 0;
  private readonly stall: NodeJS.Timeout;

  constructor(
    private readonly request: IncomingMessage,
    private readonly limits: UploadBodyLimits,
  ) {
    super();
    this.headers = request.headers;
    this.stall = setTimeout(this.onSilence, limits.stallTimeoutMs);
    request.once('close', this.onRequestClose);
    request.pipe(this);
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    this.stall.refresh();
    this.received += chunk.length;
    const { maxFileBytes } = this.limits;
    if (this.received > maxFileBytes + FORM_OVERHEAD_BYTES) done(new FileTooLarge(maxFileBytes));
    else done(null, chunk);
  }

  override _flush(done: TransformCallback): void {
    clearTimeout(this.stall);
    done();
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    clearTimeout(this.stall);
    this.request.off('close', this.onRequestClose);
    this.request.unpipe(this);
    done(error);
  }

  private readonly onSilence = (): void => {
    // Received bytes wait to be stored: the storage is slow, not the client.
    if (this.readableLength > 0) this.stall.refresh();
    else this.destroy(bodyStalled());
  };

  private readonly onRequestClose = (): void => {
    // `request.complete` is not used: it is true before all received bytes have been read.
    if (!this.request.readableEnded) this.destroy(new Error('The client left'));
  };
}
