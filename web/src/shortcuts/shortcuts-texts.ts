import { roomTexts } from '../languages/texts.ts';

interface ShortcutSection {
  readonly title: string;
  /** Each key with what it does; `mod` is ⌘ or Ctrl. */
  readonly keys: ReadonlyArray<
    readonly [keys: readonly string[], effect: string, needs?: 'write' | 'delete']
  >;
}

export const shortcutsTexts = roomTexts('shortcuts', {
  title: 'Keyboard shortcuts',
  ctrl: 'Ctrl',
  close: 'Close',
  characters: 'Letters and signs alone are shortcuts',
  sections: [
    {
      title: 'Everywhere',
      keys: [
        [['/', 'mod+K'], 'Search'],
        [['U'], 'Upload', 'write'],
        [['Z'], 'Undo'],
        [['Esc'], 'Step out'],
        [['?'], 'This list'],
      ],
    },
    {
      title: 'Pictures',
      keys: [
        [['←', '→', '↑', '↓'], 'Move'],
        [['Home', 'End'], 'First, last'],
        [['PgUp', 'PgDn'], 'A page up, down'],
        [['Enter'], 'Open'],
        [['Space'], 'Select'],
        [['Shift'], 'Extend the selection'],
        [['mod+A'], 'Select all'],
        [['F'], 'Star', 'write'],
        [['S'], 'Slideshow: Space pauses it, ← → go back and on'],
        [['N'], 'Show new pictures'],
      ],
    },
    {
      title: 'Selected pictures',
      keys: [
        [['F'], 'Star', 'write'],
        [['T'], 'Tags', 'write'],
        [['C'], 'Compare 2 to 4 pictures: + − 0 zoom all of them'],
        [['D'], 'Download'],
        [['Del'], 'Delete', 'delete'],
        [['Esc'], 'Clear the selection'],
      ],
    },
    {
      title: 'One picture',
      keys: [
        [['←', '→'], 'Previous, next'],
        [['Home', 'End'], 'First, last'],
        [['+', '−', '0'], 'Zoom in, out, fit'],
        [['I'], 'Information'],
        [['F'], 'Star', 'write'],
        [['T'], 'Tags', 'write'],
        [['D'], 'Download'],
        [['Del'], 'Delete', 'delete'],
      ],
    },
  ] as readonly ShortcutSection[],
});
