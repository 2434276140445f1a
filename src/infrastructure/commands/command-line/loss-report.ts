import { countOf } from './output.ts';

interface Losses {
  /** Records without bytes. */
  readonly lost: number;
  /** Images whose bytes are not those that were uploaded. */
  readonly damaged: number;
}

/** A line for each kind of loss. */
export function lossReport(
  { lost, damaged }: Losses,
  words: Readonly<Record<keyof Losses, string>>,
): readonly string[] {
  const lines: string[] = [];
  const add = (text: string): void => void lines.push(`${text}; run image-catalog verify`);
  if (lost > 0) add(`${countOf(lost, 'record')} ${lost === 1 ? 'has' : 'have'} no bytes ${words.lost}`);
  if (damaged > 0) {
    add(`${countOf(damaged, 'image')} ${damaged === 1 ? 'is' : 'are'} damaged${words.damaged}`);
  }
  return lines;
}
