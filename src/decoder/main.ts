import { writeSync } from 'node:fs';
import { inspect } from './inspect.ts';
import { type Frame, FrameReader, frameHead, type Reply, type Request } from './protocol.ts';
import { encodePixels, render, renderInTwoStages } from './render.ts';
import { sharp } from './sharp.ts';
import { warmUp } from './warm-up.ts';

/**
 * A decoder: decodes and encodes one picture at a time for the service that started it, which ends it at its bounds. Reads requests
 * from standard input and writes replies to standard output.
 */

interface Answer {
  readonly reply: Reply;
  readonly body?: readonly Uint8Array[];
}

const STDOUT = 1;

/** Of files and results. V8 itself would hold more of them before it collects them. */
const COLLECTED_BYTES = 16 * 1024 * 1024;
let uncollectedBytes = 0;

const collectGarbage = (globalThis as { readonly gc?: () => void }).gc;

/** The service bounds the bytes that it sends. */
const NO_LIMITS = { messageBytes: Number.POSITIVE_INFINITY, bodyBytes: Number.POSITIVE_INFINITY };

function send(answer: Answer): void {
  const { reply, body = [] } = answer;
  for (const part of [frameHead(reply, bytesOf(answer)), ...body]) writeAll(part);
}

/** Standard output of a child process blocks. */
function writeAll(bytes: Uint8Array): void {
  for (let at = 0; at < bytes.length; ) at += writeSync(STDOUT, bytes, at);
}

/** Native work cannot be interrupted, and `process.exit` would wait for it. */
function end(): void {
  process.kill(process.pid, 'SIGKILL');
}

function confine(user: number | undefined): Answer {
  if (user !== undefined) {
    process.setgroups?.([user]);
    process.setgid?.(user);
    process.setuid?.(user);
  }
  return { reply: { kind: 'confined' } };
}

async function answerTo(request: Request, body: Buffer): Promise<Answer> {
  switch (request.kind) {
    case 'confine':
      return confine(request.user);
    case 'inspect':
      return await inspect(body, request);
    case 'render': {
      const draw = request.inTwoStages ? renderInTwoStages : render;
      return { reply: { kind: 'rendered' }, body: [await draw({ ...request, input: body })] };
    }
    case 'encode':
      return {
        reply: { kind: 'rendered' },
        body: [await encodePixels({ ...request.pixels, data: body }, request.rendition)],
      };
  }
}

async function serve({ message, body }: Frame): Promise<void> {
  const answer = await answerTo(message as Request, body).catch(refusal);
  send(answer);
  uncollectedBytes += body.length + bytesOf(answer);
  if (uncollectedBytes < COLLECTED_BYTES) return;
  uncollectedBytes = 0;
  collectGarbage?.();
}

function bytesOf({ body = [] }: Answer): number {
  return body.reduce((sum, part) => sum + part.length, 0);
}

function refusal(error: unknown): Answer {
  return { reply: { kind: 'refused', reason: error instanceof Error ? error.message : String(error) } };
}

async function start(): Promise<void> {
  await warmUp();
  // libvips has set a variable, too.
  for (const name of Object.keys(process.env)) delete process.env[name];
  send({ reply: { kind: 'warm', versions: { ...sharp.versions } } });
  const frames = new FrameReader(
    () => NO_LIMITS,
    (frame) => void serve(frame),
  );
  process.stdin.on('data', (chunk: Buffer) => frames.push(chunk));
  process.stdin.on('end', end);
  process.stdin.on('error', end);
}

// One picture at a time: more threads would only keep more memory. Nothing has used the pool yet.
process.env.UV_THREADPOOL_SIZE = '1';
void start();
