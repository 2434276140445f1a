import * as z from 'zod';

/**
 * A type of texts that are parsed by a function.
 *
 * @param parse returns `undefined` for a text that is none
 * @param message follows the name of what has the text: "must be …"
 */
export function parsedText<T>(parse: (text: string) => T | undefined, message: string): z.ZodType<T, string> {
  return z.string().transform((text, check): T => {
    const value = parse(text);
    if (value !== undefined) return value;
    check.addIssue({ code: 'custom', message });
    return z.NEVER;
  });
}
