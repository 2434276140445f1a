import { createInterface, type Interface } from 'node:readline';
import { endBySignal } from '../command-line/end-by-signal.ts';
import type { Kind } from '../command-line/option.ts';
import { UsageError } from '../command-line/usage-error.ts';

/** What the command has to know, and the option that says it as well. */
export interface Question<T> {
  readonly flag: string;
  readonly text: string;
  readonly kind: Kind<T>;
  /** The answer if nothing is typed. */
  readonly usual?: string;
}

/** Asks on a terminal, or takes lines of standard input one after another. */
export class Questions {
  private terminal: Interface | undefined;
  private lines: AsyncIterator<string> | undefined;

  /** @param asks false: every question has its usual answer */
  constructor(private readonly asks: boolean) {}

  /**
   * Asks again after an answer of another kind.
   *
   * @throws {UsageError} if there is no answer
   */
  async ask<T>({ flag, text, kind, usual }: Question<T>): Promise<T> {
    const prompt = usual ? `${text} [${usual}]: ` : `${text}: `;
    for (;;) {
      const typed = this.asks ? await this.nextLine(prompt, flag) : '';
      const answer = kind.parse(typed || (usual ?? ''));
      if (answer !== undefined) return answer;
      if (!this.asks) throw new UsageError(`init needs ${flag}`);
      console.error(`It must be ${kind.mustBe}`);
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
