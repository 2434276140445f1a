import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { rawJpeg, rawPng } from './raw-pictures.ts';

export interface CostBounds {
  readonly maxCpuSeconds: number;
  /** Of 1,000,000 bytes. */
  readonly maxGrowthMb: number;
}

/** A small file that is expensive to decode, and what its upload may cost. */
export interface CostlyFile extends CostBounds {
  readonly file: string;
  /** Status and code of the upload, such as `422 invalid_image`. */
  readonly expect: string;
  readonly read: () => Buffer;
}

/** What it may cost to refuse a file by its structure. */
export const REFUSAL_BOUNDS: CostBounds = { maxCpuSeconds: 0.5, maxGrowthMb: 50 };

const FOLDER = process.env.COST_DIR;

/** The files of `COST_DIR`; without it, similar ones are generated. */
export const COSTLY_FILES: readonly CostlyFile[] = FOLDER === undefined ? generated() : readManifest(FOLDER);

function readManifest(folder: string): readonly CostlyFile[] {
  const text = readFileSync(join(folder, 'manifest.json'), 'utf8');
  const entries = JSON.parse(text) as ReadonlyArray<Omit<CostlyFile, 'read'>>;
  return entries.map((entry) => ({ ...entry, read: () => readFileSync(join(folder, entry.file)) }));
}

function generated(): readonly CostlyFile[] {
  const rgba16 = { colourType: 'rgba', bitDepth: 16 } as const;
  // Just below 50 megapixels.
  const square = { width: 7071, height: 7071 };
  return [
    refused('wide 1,000,000 × 50 RGBA16', () => rawPng({ width: 1_000_000, height: 50, ...rgba16 })),
    refused('wide 10,000,000 × 5 RGBA16', () => rawPng({ width: 10_000_000, height: 5, ...rgba16 })),
    refused('tall 1 × 1,000,000', () =>
      rawPng({ width: 1, height: 1_000_000, colourType: 'grey', bitDepth: 8 }),
    ),
    refused('883 scans, 1 component', () => rawJpeg({ ...square, components: 1, scans: 883 })),
    refused('3,532 scans, 4 components', () => rawJpeg({ ...square, components: 4, scans: 3532 })),
    refused('41 scans of 50 megapixels', () => rawJpeg({ ...square, components: 3, scans: 41 })),
    accepted('100 scans of 20 megapixels', 4470 * 4470, () =>
      rawJpeg({ width: 4470, height: 4470, components: 3, scans: 100 }),
    ),
    accepted('wide 65,000 × 769 RGBA16', 65_000 * 769, () =>
      rawPng({ width: 65_000, height: 769, ...rgba16 }),
    ),
    accepted('interlaced 7071 × 7071 RGBA16', 7071 * 7071, () =>
      rawPng({ ...square, ...rgba16, isInterlaced: true }),
    ),
  ];
}

function refused(file: string, read: () => Buffer): CostlyFile {
  return { file, read, expect: '422 invalid_image', ...REFUSAL_BOUNDS };
}

function accepted(file: string, pixels: number, read: () => Buffer): CostlyFile {
  return { file, read, expect: '201', ...inspectionBounds(pixels) };
}

/** What an inspection may cost: 5 s of CPU, 10 bytes a pixel and 64 MB. */
export function inspectionBounds(pixels: number): CostBounds {
  return { maxCpuSeconds: 5, maxGrowthMb: Math.round((10 * pixels) / 1e6) + 64 };
}
