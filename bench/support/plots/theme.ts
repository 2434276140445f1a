/** The colours of a picture. */
export interface Theme {
  readonly name: 'light' | 'dark';
  readonly background: string;
  readonly text: string;
  readonly muted: string;
  readonly grid: string;
  /** Of quantities that grow, such as numbers of clients; from little to much. */
  readonly steps: readonly [string, string, string];
  /** Of things of different kinds. They differ for people with any colour vision. */
  readonly kinds: readonly [string, string, string];
}

export const THEMES: readonly Theme[] = [
  {
    name: 'light',
    background: '#ffffff',
    text: '#1f2328',
    muted: '#59636e',
    grid: '#d8dee4',
    steps: ['#8fbce6', '#3f86c9', '#0b3f7a'],
    kinds: ['#0969da', '#bc4c00', '#1a7f5a'],
  },
  {
    name: 'dark',
    background: '#0d1117',
    text: '#e6edf3',
    muted: '#9198a1',
    grid: '#30363d',
    steps: ['#2f5f8f', '#5b9bd8', '#cfe5fb'],
    kinds: ['#4493f8', '#f0883e', '#3fb990'],
  },
];
