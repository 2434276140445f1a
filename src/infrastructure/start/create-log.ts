import { type DestinationStream, type Logger, pino } from 'pino';
import { cutToBytes } from '../../domain/image/original-file-name.ts';

/** Of the texts of an error, in bytes: its messages take at most half of them. */
const MAX_ERROR_BYTES = 1_900;
const MAX_NAME_BYTES = 64;
const MAX_CAUSES = 5;

const MAX_LINE_BYTES = 8 * 1024;
/** Of each field of a line that is too long, in bytes: the first with which the line is short enough. */
const FIELD_BYTES = [2_304, 512, 128, 16];

/** Lines as JSON. Clients, databases and stores choose what an error says, so that each line is bounded. */
export function createLog(level: string, destination: DestinationStream): Logger {
  return pino(
    { level, base: null, serializers: { err: errorFacts }, hooks: { streamWrite: boundedLine } },
    destination,
  );
}

/** Other fields of an error may be a whole response or statement. */
function errorFacts(error: unknown): unknown {
  if (!(error instanceof Error)) return cut(String(error), MAX_ERROR_BYTES);
  const causes = causesOf(error);
  const message = cut(causes.map((one) => one.message).join(': '), MAX_ERROR_BYTES / 2);
  const stack = cut(causes.map(framesOf).join('\ncaused by\n'), MAX_ERROR_BYTES - Buffer.byteLength(message));
  const code = 'code' in error ? { code: cut(String(error.code), MAX_NAME_BYTES) } : {};
  return { type: cut(error.constructor.name, MAX_NAME_BYTES), message, stack, ...code };
}

/** The error first. A chain may be long, or lead back to its beginning. */
function causesOf(error: Error): readonly Error[] {
  const causes = [error];
  for (let at = causeOf(error); at instanceof Error && causes.length < MAX_CAUSES; at = causeOf(at)) {
    causes.push(at);
  }
  return causes;
}

function causeOf(error: Error): unknown {
  return error.cause ?? (error instanceof AggregateError ? error.errors[0] : undefined);
}

/** The stack without the message. */
function framesOf({ name, message, stack = '' }: Error): string {
  const header = stack.startsWith(`${name}: ${message}`) ? name.length + message.length : 0;
  const frames = stack.indexOf('\n    at ', header);
  return frames === -1 ? '' : stack.slice(frames + 1);
}

function boundedLine(line: string): string {
  // No UTF-16 unit takes more than three bytes.
  if (line.length <= MAX_LINE_BYTES / 3 || isShort(line)) return line;
  const facts = Object.entries(JSON.parse(line) as Record<string, unknown>);
  for (const bytes of FIELD_BYTES) {
    const short = facts.map(([name, value]) => [name, shortened(value, bytes)] as const);
    const shorter = `${JSON.stringify(Object.fromEntries(short))}\n`;
    if (isShort(shorter)) return shorter;
  }
  return '';
}

function isShort(line: string): boolean {
  return Buffer.byteLength(line) <= MAX_LINE_BYTES;
}

function shortened(value: unknown, bytes: number): unknown {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return Buffer.byteLength(text) <= bytes ? value : cut(text, bytes);
}

const ELLIPSIS = '…';

function cut(text: string, bytes: number): string {
  if (text.length <= bytes / 3 || Buffer.byteLength(text) <= bytes) return text;
  return cutToBytes(text, bytes - Buffer.byteLength(ELLIPSIS)) + ELLIPSIS;
}
