import type { MetadataPatch } from './fields.ts';
import type { UploadProgress } from './platform/platform.ts';
import { randomText } from './random-text.ts';

export interface SourceOptions {
  /** The name of the image; that of the source unless given. */
  readonly name?: string;
  readonly onProgress?: (progress: UploadProgress) => void;
  /** Lower-case hex; computed unless given. */
  readonly sha256?: string;
  /** Its reason rejects the call. */
  readonly signal?: AbortSignal | undefined;
}

export interface UploadForm {
  readonly contentType: string;
  /** Before the bytes of the file. */
  readonly head: Uint8Array<ArrayBuffer>;
  readonly tail: Uint8Array<ArrayBuffer>;
}

/** Not `FormData`: in Node.js it would hold the file in memory, and browsers change quotes in names. */
export function uploadForm(name: string, metadata: MetadataPatch | undefined): UploadForm {
  const boundary = `image-catalog-${randomText()}`;
  const encoder = new TextEncoder();
  const fields =
    metadata === undefined ? '' : `${part(boundary, 'name="metadata"')}${JSON.stringify(metadata)}\r\n`;
  const file = part(boundary, `name="file"; ${fileNameParameter(name)}`);
  return {
    contentType: `multipart/form-data; boundary=${boundary}`,
    head: encoder.encode(fields + file),
    tail: encoder.encode(`\r\n--${boundary}--\r\n`),
  };
}

function part(boundary: string, parameters: string): string {
  return `--${boundary}\r\nContent-Disposition: form-data; ${parameters}\r\n\r\n`;
}

/** As browsers write it: https://html.spec.whatwg.org/#multipart-form-data. The service removes control characters anyway. */
function fileNameParameter(name: string): string {
  const escaped = name
    .replace(/\p{Cc}/gu, '')
    .replace(/\\/g, '\\\\')
    .replace(/"/g, '%22');
  return `filename="${escaped}"`;
}
