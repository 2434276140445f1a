import { saveFile } from '../catalog/save-file.ts';

/** Where the bytes of a download go. */
export interface ArchiveFile {
  /** Of what it can hold. */
  readonly maxBytes: number;
  write(chunk: Uint8Array<ArrayBuffer>): Promise<void>;
  close(): Promise<void>;
  /** Nothing is left of it. */
  discard(): Promise<void>;
}

interface PickerOptions {
  readonly suggestedName: string;
  readonly types: readonly { readonly accept: Readonly<Record<string, readonly string[]>> }[];
}

type PickedFile = FileSystemFileHandle & { readonly remove?: () => Promise<void> };

interface PickingWindow {
  readonly showSaveFilePicker?: (options: PickerOptions) => Promise<PickedFile>;
}

const ZIP = 'application/zip';

/** Browsers that cannot write to a file keep it as a whole before they save it. */
const MAX_HELD_BYTES = 2_000_000_000;

/** Chunks that are put together into one part: the browser moves these out of the memory of the page. */
const PART_BYTES = 32 * 1024 * 1024;

/**
 * Asks the person for a file if the browser can write to one. Called first, while the click that led here counts.
 *
 * @returns `undefined` if the person wants none
 */
export async function chooseArchiveFile(name: string): Promise<ArchiveFile | undefined> {
  const browser = window as unknown as PickingWindow;
  if (browser.showSaveFilePicker === undefined) return heldFile(name);
  try {
    const types = [{ accept: { [ZIP]: ['.zip'] } }];
    const handle = await browser.showSaveFilePicker({ suggestedName: name, types });
    const stream = await handle.createWritable();
    return {
      maxBytes: Number.POSITIVE_INFINITY,
      write: async (chunk) => await stream.write(chunk),
      close: async () => await stream.close(),
      discard: async () => {
        await stream.abort().catch(() => undefined);
        // It was created empty, or the person has chosen to replace it.
        await handle.remove?.().catch(() => undefined);
      },
    };
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') return undefined;
    // Forbidden, as in a frame of another site.
    return heldFile(name);
  }
}

/** Saved by the browser when it is complete. */
function heldFile(name: string): ArchiveFile {
  let chunks: Uint8Array<ArrayBuffer>[] = [];
  let bytes = 0;
  const parts: Blob[] = [];
  const pack = (): void => {
    parts.push(new Blob(chunks));
    chunks = [];
    bytes = 0;
  };
  return {
    maxBytes: MAX_HELD_BYTES,
    write: async (chunk) => {
      chunks.push(chunk);
      bytes += chunk.length;
      if (bytes >= PART_BYTES) pack();
    },
    close: async () => {
      pack();
      const url = URL.createObjectURL(new Blob(parts, { type: ZIP }));
      saveFile(url, name);
      // The browser has begun to read it by then.
      setTimeout(() => URL.revokeObjectURL(url), 60_000);
    },
    discard: async () => {
      parts.length = 0;
      chunks = [];
    },
  };
}
