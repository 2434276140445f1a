import { createInterface, type Interface } from 'node:readline';
import type * as z from 'zod';
import { endBySignal } from '../command-line/end-by-signal.ts';
import { UsageError } from '../command-line/usage-error.ts';

/** Asks on a terminal, or takes lines of standard input one after another. */
export class Questions {
  private terminal: Interface | undefined;
  private lines: AsyncIterator<string> | undefined;

  /** @param asks false: every question has its usual answer */
  constructor(private readonly asks: boolean) {}

  /**
   * Asks again after an answer of another kind.
   *
   * @param flag the option that says it as well
   * @param usual the answer if nothing is typed
   * @throws {UsageError} if there is no answer
   */
  async ask<T>(flag: string, text: string, type: z.ZodType<T>, usual = ''): Promise<T> {
    const prompt = usual === '' ? `${text}: ` : `${text} [${usual}]: `;
    for (;;) {
      const typed = this.asks ? await this.nextLine(prompt, flag) : '';
      const { success, data, error } = type.safeParse(typed || usual);
      if (success) return data;
      if (!this.asks) throw new UsageError(`init needs ${flag}`);
      console.error(`It ${error.issues[0]?.message}`);
    }
  }

  close(): void {
    this.terminal?.close();
  }

  private async nextLine(prompt: string, flag: string): Promise<string> {
    this.terminal ??= createInterface({ input: process.stdin, output: process.stderr, prompt });
    this.terminal.setPrompt(prompt);
    this.lines ??= this.terminal.on('SIGINT', () => endBySignal('SIGINT'))[Symbol.asyncIterator]();
    this.terminal.prompt();
    const { value, done } = await this.lines.next();
    if (done === true) throw new UsageError(`init needs an answer, or ${flag}`);
    return value.trim();
  }
}
