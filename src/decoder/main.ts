import { readSync, writeSync } from 'node:fs';
import { decodeExcess } from '../domain/image/decode-excess.ts';
import { MAX_RENDITION_BYTES } from '../domain/image/rendition.ts';
import { sharp } from './decoder-options.ts';
import { faultOf } from './fault-of.ts';
import { cleanOriginal, encodePixels, inspect, render } from './picture-steps.ts';
import { frameHead, type Opened, PREFIX_BYTES, prefixOf, type Reply, type Request } from './protocol.ts';
import { orientationFor } from './steps/orient.ts';
import type { FileStructure, OpenedFile } from './structure/file-structure.ts';
import { readStructure } from './structure/read-structure.ts';
import { warmUp } from './warm-up.ts';

/**
 * A decoder: reads, decodes and encodes one image at a time for the service that started it, which ends it at its bounds. Reads requests
 * from standard input and writes replies to standard output.
 */

interface ReplyWithBody {
  readonly reply: Reply;
  readonly body?: readonly Uint8Array[];
}

const STDIN = 0;
const STDOUT = 1;

const LOOK_FOR_PARENT_MS = 100;

/**
 * When large files and results have this size, they are collected. V8 itself would hold more of them before it collects them, and leaves
 * them at a minor collection if they have survived some.
 */
const COLLECTED_BYTES = 16 * 1024 * 1024;
let uncollectedBytes = 0;

const parent = process.ppid;

const collectGarbage = (globalThis as { readonly gc?: () => void }).gc;

function send({ reply, body = [] }: ReplyWithBody): void {
  for (const part of [frameHead(reply, bytesOf(body)), ...body]) writeAll(part);
}

/** Most files fit into it. It is used again: fresh memory costs a page fault for every 4 KB. */
const REUSED_BYTES = 4 * 1024 * 1024;
let reused = Buffer.alloc(0);

/** Free bytes in front of each body, for a chunk that is inserted into a PNG. */
const HEADROOM_BYTES = 1024;

/** The body of the job before is not used any more. */
function bodyOf(length: number): Buffer {
  const bytes = HEADROOM_BYTES + length;
  if (bytes > REUSED_BYTES) return Buffer.allocUnsafeSlow(bytes).subarray(HEADROOM_BYTES);
  if (reused.length < bytes) reused = Buffer.allocUnsafeSlow(bytes);
  return reused.subarray(HEADROOM_BYTES, bytes);
}

/** Standard input and output of a child process block. */
function readAll(length: number, bytes: Buffer = Buffer.allocUnsafe(length)): Buffer {
  for (let at = 0; at < length; ) {
    const read = readSync(STDIN, bytes, at, length - at, null);
    if (read === 0) end();
    at += read;
  }
  return bytes;
}

function writeAll(bytes: Uint8Array): void {
  for (let at = 0; at < bytes.length; ) at += writeSync(STDOUT, bytes, at);
}

/** Native work cannot be interrupted, and `process.exit` would wait for it. */
function end(): void {
  process.kill(process.pid, 'SIGKILL');
}

function endWithParent(): void {
  if (process.ppid !== parent) end();
}

function confine(user: number | undefined): ReplyWithBody {
  if (user !== undefined) {
    process.setgroups?.([user]);
    process.setgid?.(user);
    process.setuid?.(user);
  }
  return { reply: { kind: 'confined' } };
}

/** For the next request alone. */
let opened: OpenedFile | undefined;

/** `undefined` if the request has no reply. */
async function replyTo(request: Request, body: Buffer): Promise<ReplyWithBody | undefined> {
  const file = opened;
  opened = undefined;
  switch (request.kind) {
    case 'confine':
      return confine(request.user);
    case 'open': {
      const { mediaType } = request;
      const found = await readStructure(body, mediaType, request);
      const structure = { ...found, orientation: orientationFor(found, request.shown) };
      // The service asks no more about a file beyond the limits.
      const isRefused = decodeExcess(structure, mediaType, request) !== undefined;
      opened = isRefused ? undefined : { file: body, mediaType, structure, headroom: HEADROOM_BYTES };
      return { reply: { kind: 'opened', ...factsOf(structure) } };
    }
    case 'close':
      return undefined;
    case 'inspect':
      return await inspect(file as OpenedFile, request);
    case 'render':
      return made(await render(file as OpenedFile, request));
    case 'clean':
      return { reply: { kind: 'made' }, body: [await cleanOriginal(file as OpenedFile)] };
    case 'encode':
      return made(await encodePixels({ ...request.pixels, data: body }, request.rendition));
  }
}

function made(rendition: Uint8Array): ReplyWithBody {
  if (rendition.length > MAX_RENDITION_BYTES) return { reply: { kind: 'too_large' } };
  return { reply: { kind: 'made' }, body: [rendition] };
}

/** Leaves out the positions in the file, because a file may have more of them than fit into a message. */
function factsOf(structure: FileStructure): Omit<Opened, 'kind'> {
  const {
    lzwFrames: _lzwFrames,
    placed: _placed,
    exif: _exif,
    ignoredAt: _ignoredAt,
    png: _png,
    ...facts
  } = structure;
  return facts;
}

/** Serves one request. Resolves when the reply, if there is one, has been written. */
async function serve(): Promise<void> {
  const { messageBytes, bodyBytes } = prefixOf(readAll(PREFIX_BYTES));
  const request = JSON.parse(readAll(messageBytes).toString()) as Request;
  const body = readAll(bodyBytes, bodyOf(bodyBytes));
  const watch = setInterval(endWithParent, LOOK_FOR_PARENT_MS);
  const reply = await replyTo(request, body).catch(refusal);
  clearInterval(watch);
  if (reply !== undefined) send(reply);
  uncollectedBytes += bytesOf(reply?.body) + (body.length > REUSED_BYTES ? body.length : 0);
  if (uncollectedBytes < COLLECTED_BYTES || opened !== undefined) return;
  uncollectedBytes = 0;
  collectGarbage?.();
}

function bytesOf(body: readonly Uint8Array[] = []): number {
  return body.reduce((sum, part) => sum + part.length, 0);
}

function refusal(error: unknown): ReplyWithBody {
  const reason = error instanceof Error ? error.message : String(error);
  return { reply: { kind: 'refused', reason, fault: faultOf(error) } };
}

async function start(): Promise<void> {
  await warmUp();
  // libvips has set a variable, too.
  for (const name of Object.keys(process.env)) delete process.env[name];
  send({ reply: { kind: 'warm', versions: { ...sharp.versions } } });
  for (;;) await serve();
}

// libvips would put larger pictures into a file. It reads this when it first loads a picture whole: during the warm-up.
process.env.VIPS_DISC_THRESHOLD = '1024g';
void start();
