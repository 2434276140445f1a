interface RoomTexts<T> {
  (): T;
  readonly english: T;
}

/** The texts of every room in one language, by the names that the rooms have given. */
export type Translation = Readonly<Record<string, unknown>>;

let translation: Translation = {};

/**
 * The texts of a room, in the language in use. It may change: read them where they are shown, not when a file is loaded.
 *
 * @param english comes with the room itself, so that no text can be missing
 */
export function roomTexts<T>(room: string, english: T): RoomTexts<T> {
  return Object.assign(() => (translation[room] as T | undefined) ?? english, { english });
}

/** @param texts none of them: English is in use */
export function setTexts(texts: Translation): void {
  translation = texts;
}
