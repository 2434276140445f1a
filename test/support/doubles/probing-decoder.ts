import { writeFile } from 'node:fs/promises';
import { INPUT_FORMATS } from '../../../src/domain/image/media-type.ts';
import { decoderProgram } from '../../../src/infrastructure/decoder-program.ts';

export interface ProbeTargets {
  /** A file that the decoder tries to remove and to rename. */
  readonly file: string;
  /** Of a server on loopback. */
  readonly port: number;
  /** A shared library. */
  readonly library: string;
}

/** `done`, or the code of the error. */
export interface ProbeResult {
  readonly environment: readonly string[];
  readonly user: number;
  readonly attempts: Readonly<Record<string, string>>;
}

/** Inspections of the warm-up: one of each format. */
const INSPECTIONS_BEFORE = INPUT_FORMATS.length;

/** Writes a program that is the built decoder, but refuses the first picture with a `ProbeResult` as JSON. */
export async function writeProbingDecoder(path: string, targets: ProbeTargets): Promise<void> {
  await writeFile(
    path,
    `
const { spawnSync } = require('node:child_process');
const { once } = require('node:events');
const fs = require('node:fs');
const net = require('node:net');
const { createRequire } = require('node:module');
const DECODER = ${JSON.stringify(decoderProgram())};
const { file, port, library } = ${JSON.stringify(targets)};
const sharp = createRequire(DECODER)('sharp');

async function attempt(action) {
  try {
    await action();
    return 'done';
  } catch (error) {
    return error.code ?? error.message;
  }
}

async function probe() {
  const actions = {
    readFile: () => fs.readFileSync('/etc/hostname'),
    writeFile: () => fs.writeFileSync(file + '.new', ''),
    readEnvironmentOfParent: () => fs.readFileSync('/proc/' + process.ppid + '/environ'),
    connect: () => once(net.connect({ host: '127.0.0.1', port }), 'connect'),
    listen: () => once(net.createServer().listen(0, '127.0.0.1'), 'listening'),
    spawn: () => { const { error } = spawnSync('/bin/true'); if (error) throw error; },
    loadLibrary: () => process.dlopen({ exports: {} }, library),
    signalParent: () => process.kill(process.ppid, 0),
    rename: () => fs.renameSync(file, file + '.renamed'),
    remove: () => fs.unlinkSync(file),
  };
  const attempts = {};
  for (const [name, action] of Object.entries(actions)) attempts[name] = await attempt(action);
  return { environment: Object.keys(process.env), user: process.getuid(), attempts };
}

const { metadata } = sharp.prototype;
let inspections = 0;
sharp.prototype.metadata = async function () {
  inspections += 1;
  if (inspections <= ${INSPECTIONS_BEFORE}) return await metadata.call(this);
  throw new Error(JSON.stringify(await probe()));
};
require(DECODER);
`,
  );
}
