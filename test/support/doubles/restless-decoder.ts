import { writeFile } from 'node:fs/promises';
import { INPUT_FORMATS } from '../../../src/domain/image/media-type.ts';
import { decoderProgram } from '../../../src/infrastructure/decoder-program.ts';

/** What a decoder does beside its pictures, as code that one of them has brought in would. */
export const RESTLESS = {
  memory: 'globalThis.kept = Buffer.alloc(200 * 1024 * 1024, 1);',
  cpu: 'for (;;);',
} as const;

/**
 * Writes a program that is the built decoder, and from its first picture on does something else in a thread of its own, without
 * an end.
 */
export async function writeRestlessDecoder(path: string, what: keyof typeof RESTLESS): Promise<void> {
  await writeFile(
    path,
    `
const { Worker } = require('node:worker_threads');
const { createRequire } = require('node:module');
const DECODER = ${JSON.stringify(decoderProgram())};
const begin = new Int32Array(new SharedArrayBuffer(4));
const code = ${JSON.stringify(`Atomics.wait(require('node:worker_threads').workerData, 0, 0); ${RESTLESS[what]} for (;;) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);`)};
const worker = new Worker(code, { eval: true, workerData: begin });
const sharp = createRequire(DECODER)('sharp');
const { metadata } = sharp.prototype;
let inspections = 0;
sharp.prototype.metadata = async function () {
  inspections += 1;
  // One of each format is part of the start.
  if (inspections > ${INPUT_FORMATS.length}) {
    Atomics.store(begin, 0, 1);
    Atomics.notify(begin, 0);
  }
  return await metadata.call(this);
};
worker.once('online', () => require(DECODER));
`,
  );
}

/** Writes a program that is the built decoder, and has started a process before it was frozen. */
export async function writeForkingDecoder(path: string): Promise<void> {
  await writeFile(
    path,
    `
const child = require('node:child_process').spawn('sleep', ['600'], { detached: true, stdio: 'ignore' });
child.once('spawn', () => require(${JSON.stringify(decoderProgram())}));
`,
  );
}
