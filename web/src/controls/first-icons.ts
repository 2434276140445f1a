/** Icons of the page before the pictures: paths in a box of 24 × 24. */
export const FIRST_ICONS = {
  image:
    'M6 4.5h12a2 2 0 0 1 2 2v11a2 2 0 0 1-2 2H6a2 2 0 0 1-2-2v-11a2 2 0 0 1 2-2Zm-2 11 4.5-4.5 5 5m-1.5-1.5 3-3 5 5M15.5 9h.01',
  lock: 'M7 10.5h10a1.5 1.5 0 0 1 1.5 1.5v6.5A1.5 1.5 0 0 1 17 20H7a1.5 1.5 0 0 1-1.5-1.5V12A1.5 1.5 0 0 1 7 10.5Zm1.5 0V7.5a3.5 3.5 0 0 1 7 0v3',
  offline:
    'M4 4l16 16M8.5 15.5a5 5 0 0 1 5.5-1.1M5 12a10 10 0 0 1 4-2.4m4.5-.5A10 10 0 0 1 19 12M2 8.5a14 14 0 0 1 3.8-2.4M10 4.7A14 14 0 0 1 22 8.5M12 19v.01',
} as const;
