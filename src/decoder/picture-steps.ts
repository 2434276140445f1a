import type { Pixels } from '../domain/image/image-hashes.ts';
import type { Rendition } from '../domain/image/rendition.ts';
import { keepParts, writeParts } from './clean/keep-parts.ts';
import type { Inspect, Inspected, Render } from './protocol.ts';
import { chooseWanted } from './steps/choose-wanted.ts';
import { decodeShown } from './steps/decode-shown.ts';
import { describe } from './steps/describe.ts';
import { encode } from './steps/encode.ts';
import { LibjpegReports } from './steps/libjpeg-reports.ts';
import { load, loadPixels } from './steps/load.ts';
import { keepOrientation, measureUpright, orient, orientLater, turn } from './steps/orient.ts';
import { hideIgnored, prepareSource } from './steps/prepare-source.ts';
import { proveFrames } from './steps/prove-frames.ts';
import { readHeader } from './steps/read-header.ts';
import { readMetadata } from './steps/read-metadata.ts';
import { requireAllData } from './steps/require-all-data.ts';
import { requireCleanForm } from './steps/require-clean-form.ts';
import { resize } from './steps/resize.ts';
import { runSteps } from './steps/run-steps.ts';
import { silenceHarmless } from './steps/silence-harmless.ts';
import { toPixels } from './steps/to-pixels.ts';
import { paysInTwoStages } from './steps/two-stages.ts';
import type { OpenedFile } from './structure/file-structure.ts';

/** Proves by one decode that a file is a complete image. */
const INSPECT = [
  keepOrientation,
  requireCleanForm,
  silenceHarmless,
  hideIgnored,
  readHeader,
  readMetadata,
  orient,
  measureUpright,
  proveFrames,
  prepareSource,
  chooseWanted,
  decodeShown,
  requireAllData,
  describe,
] as const;

export const RENDER = [silenceHarmless, hideIgnored, orient, prepareSource, load, resize, encode] as const;

/** The decoder releases its memory before the encoder begins, and the rotated copy has 8 bits a sample. */
export const RENDER_IN_TWO_STAGES = [
  silenceHarmless,
  hideIgnored,
  orientLater,
  prepareSource,
  load,
  resize,
  toPixels,
  loadPixels,
  turn,
  encode,
] as const;

const ENCODE = [loadPixels, encode] as const;

/** No pixel is decoded. */
const CLEAN = [keepOrientation, keepParts, writeParts] as const;

/** @throws {MalformedFile} and errors of libvips */
export async function inspect(
  opened: OpenedFile,
  { wanted, isStored = false }: Inspect,
): Promise<{ readonly reply: Inspected; readonly body: readonly Uint8Array[] }> {
  const start = { ...opened, wanted, isStored, reports: new LibjpegReports() };
  const { reply, body } = await runSteps(start, INSPECT);
  return { reply, body };
}

export async function render(opened: OpenedFile, { rendition, box, crop }: Render): Promise<Buffer> {
  const start = { ...opened, rendition, box, crop };
  const isInTwoStages = paysInTwoStages(opened.structure, box, rendition.format);
  const { encoded } = isInTwoStages
    ? await runSteps(start, RENDER_IN_TWO_STAGES)
    : await runSteps(start, RENDER);
  return encoded;
}

/** For pixels that an inspection has returned: not for PNG, nor for JPEG with transparency. */
export async function encodePixels(pixels: Pixels, rendition: Rendition): Promise<Buffer> {
  return (await runSteps({ pixels, rendition, box: pixels }, ENCODE)).encoded;
}

/**
 * The parts of the file without metadata, as JSON.
 *
 * @throws {MalformedFile}
 */
export async function cleanOriginal(opened: OpenedFile): Promise<Buffer> {
  return (await runSteps(opened, CLEAN)).written;
}
