import { FIRST_ICONS } from './first-icons.ts';
import './icon.css';

const STAR_PATH = 'm12 3.8 2.5 5.2 5.7.8-4.1 4 1 5.7-5.1-2.7-5.1 2.7 1-5.7-4.1-4 5.7-.8Z';

/** Paths in a box of 24 × 24, drawn as lines. */
const PATHS = {
  ...FIRST_ICONS,
  account: 'M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8Zm-8 8.5c.8-3.4 4-5 8-5s7.2 1.6 8 5',
  back: 'M19 12H5m6-6-6 6 6 6',
  calendar: 'M4 9.5h16M8 3v4m8-4v4M6 5h12a2 2 0 0 1 2 2v11a2 2 0 0 1-2 2H6a2 2 0 0 1-2-2V7a2 2 0 0 1 2-2Z',
  camera:
    'M5.5 7.5H8L9.5 5h5L16 7.5h2.5a2 2 0 0 1 2 2v7.5a2 2 0 0 1-2 2h-13a2 2 0 0 1-2-2V9.5a2 2 0 0 1 2-2Zm6.5 9a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7Z',
  check: 'm5 12.5 4.5 4.5L19 7.5',
  'chevron-down': 'm6 9.5 6 6 6-6',
  'chevron-left': 'm14.5 6-6 6 6 6',
  'chevron-right': 'm9.5 6 6 6-6 6',
  'chevron-up': 'm6 14.5 6-6 6 6',
  close: 'm6 6 12 12M18 6 6 18',
  clock: 'M12 20.5a8.5 8.5 0 1 0 0-17 8.5 8.5 0 0 0 0 17ZM12 7.5V12l3 2',
  compare:
    'M12 3.5v17M9 6H5.5A1.5 1.5 0 0 0 4 7.5v9A1.5 1.5 0 0 0 5.5 18H9m6-12h3.5A1.5 1.5 0 0 1 20 7.5v9a1.5 1.5 0 0 1-1.5 1.5H15',
  download: 'M12 4v11m-4.5-4.5L12 15l4.5-4.5M5 19.5h14',
  edit: 'm14.5 6 3.5 3.5M4.5 19.5l.8-4.3L16 4.5a1.7 1.7 0 0 1 2.4 0l1.1 1.1a1.7 1.7 0 0 1 0 2.4L8.8 18.7l-4.3.8Z',
  external: 'M13.5 4.5h6v6m0-6-8.5 8.5M17 14v4a2 2 0 0 1-2 2H6a2 2 0 0 1-2-2V9a2 2 0 0 1 2-2h4',
  globe:
    'M12 20.5a8.5 8.5 0 1 0 0-17 8.5 8.5 0 0 0 0 17Zm-8.2-8.5h16.4M12 3.5c2.4 2.4 3.6 5.2 3.6 8.5s-1.2 6.1-3.6 8.5c-2.4-2.4-3.6-5.2-3.6-8.5s1.2-6.1 3.6-8.5Z',
  info: 'M12 20.5a8.5 8.5 0 1 0 0-17 8.5 8.5 0 0 0 0 17ZM12 11v5m0-8.5v.01',
  keyboard:
    'M5 6h14a2 2 0 0 1 2 2v8a2 2 0 0 1-2 2H5a2 2 0 0 1-2-2V8a2 2 0 0 1 2-2Zm2 4h.01M10.4 10h.01M13.7 10h.01M17 10h.01M8 14h8',
  link: 'M10 14a4 4 0 0 0 5.7 0l3-3A4 4 0 0 0 13 5.3l-1 1M14 10a4 4 0 0 0-5.7 0l-3 3a4 4 0 0 0 5.7 5.7l1-1',
  menu: 'M4 7h16M4 12h16M4 17h16',
  minus: 'M5 12h14',
  more: 'M12 6.2a.7.7 0 1 0 0-1.4.7.7 0 0 0 0 1.4Zm0 6.5a.7.7 0 1 0 0-1.4.7.7 0 0 0 0 1.4Zm0 6.5a.7.7 0 1 0 0-1.4.7.7 0 0 0 0 1.4Z',
  pause: 'M8.5 5v14m7-14v14',
  place:
    'M12 21c4-4.4 6.5-7.8 6.5-11a6.5 6.5 0 1 0-13 0c0 3.2 2.5 6.6 6.5 11Zm0-8.5a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5Z',
  play: 'M7.5 5v14l11-7Z',
  plus: 'M12 5v14M5 12h14',
  retry: 'M4.5 12a7.5 7.5 0 0 1 13-5.1L20 9.5M20 4.5v5h-5M19.5 12a7.5 7.5 0 0 1-13 5.1L4 14.5m0 5v-5h5',
  search: 'M10.5 17a6.5 6.5 0 1 0 0-13 6.5 6.5 0 0 0 0 13Zm5-1.5 5 5',
  shuffle:
    'M4 7h2.5c4.5 0 6 10 10.5 10h3m-2.5-2.5L20 17l-2.5 2.5M4 17h2.5c1.5 0 2.6-1.1 3.5-2.6M14 9.6c.9-1.5 1.9-2.6 3-2.6h3m-2.5-2.5L20 7l-2.5 2.5',
  'sign-out': 'M14.5 12H4m3.5-4L3.5 12l4 4M10 4.5h8a1.5 1.5 0 0 1 1.5 1.5v12a1.5 1.5 0 0 1-1.5 1.5h-8',
  sort: 'M4 7h10M4 12h7m-7 5h4m9-10v11m-3-3 3 3 3-3',
  star: STAR_PATH,
  'star-filled': STAR_PATH,
  tag: 'M4 5.5v6l8.3 8.3a1.5 1.5 0 0 0 2.1 0l5.4-5.4a1.5 1.5 0 0 0 0-2.1L11.5 4h-6A1.5 1.5 0 0 0 4 5.5ZM8 8v.01',
  trash:
    'M4.5 7h15M10 11v5.5m4-5.5v5.5M9 7V5a1 1 0 0 1 1-1h4a1 1 0 0 1 1 1v2M6.5 7l.8 11.6a1.5 1.5 0 0 0 1.5 1.4h6.4a1.5 1.5 0 0 0 1.5-1.4L17.5 7',
  undo: 'M9 5 4.5 9.5 9 14M4.5 9.5H14a5.5 5.5 0 0 1 0 11h-3.5',
  upload: 'M12 15.5v-11M7.5 9 12 4.5 16.5 9M5 19.5h14',
  warning:
    'M12 9.5v4m0 3v.01M10.6 4.8 3 18a1.6 1.6 0 0 0 1.4 2.4h15.2A1.6 1.6 0 0 0 21 18L13.4 4.8a1.6 1.6 0 0 0-2.8 0Z',
} as const;

export type IconName = keyof typeof PATHS;

/** Says nothing to screen readers: what it stands for is the label of its button. */
export function Icon({ name }: { readonly name: IconName }): React.JSX.Element {
  return (
    <svg
      className="icon"
      data-filled={name.endsWith('-filled') || undefined}
      viewBox="0 0 24 24"
      aria-hidden="true"
      focusable="false"
    >
      <path d={PATHS[name]} />
    </svg>
  );
}
